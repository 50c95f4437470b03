#include "quantiplan/error.hpp"

#include <utility>

#include "base/quoted.hpp"

namespace quantiplan {
namespace {

// One problem per line, "place: message", as a program shows them. The place may be the name of a
// file.
std::string all_in_lines(const std::vector<Problem>& problems) {
  std::string text;
  for (const Problem& problem : problems) {
    if (!text.empty()) text += '\n';
    if (!problem.place.empty()) text += visible(problem.place) + ": ";
    text += visible(problem.message);
  }
  return text;
}

}  // namespace

Error::Error(ErrorCode code, std::string place, std::string message)
    : Error(code, std::vector<Problem>{{std::move(place), std::move(message)}}) {}

Error::Error(ErrorCode code, std::vector<Problem> problems)
    : std::runtime_error(all_in_lines(problems)), code_(code), problems_(std::move(problems)) {}

void Problems::add(std::string place, std::string message) {
  if (!full()) list_.push_back({std::move(place), std::move(message)});
}

void Problems::throw_if_any(ErrorCode code) const {
  if (any()) throw Error(code, list_);
}

}  // namespace quantiplan
