// How the builder speaks: "store.json:17" and "state 'idle', choice 'wait': what was found".
#include <algorithm>

#include "base/quoted.hpp"
#include "model/builder_parts.hpp"

namespace quantiplan {
namespace {

constexpr std::size_t kMostNotices = 20;

}  // namespace

std::string ModelBuilder::Parts::place(std::uint64_t line) const {
  if (line == 0) return source;
  if (source.empty()) return "line " + std::to_string(line);
  return source + ":" + std::to_string(line);
}

std::string ModelBuilder::Parts::where(const ChoiceRecord& choice) const {
  return "state " + in_quotes(states[choice.state]) + ", choice " +
         in_quotes(actions[choice.action]) + ": ";
}

void ModelBuilder::Parts::add_problem(std::uint64_t line, std::string message) {
  if (problems.size() == Problems::kMost) {
    more_problems = true;
    return;
  }
  problems.push_back({line, std::move(message)});
}

void ModelBuilder::Parts::damage(std::uint64_t line, std::string message) {
  choice_is_damaged = true;
  add_problem(line, where(choices.back()) + std::move(message));
}

void ModelBuilder::Parts::add_notice(std::uint64_t line, const std::string& message) {
  if (notices.size() == kMostNotices) {
    ++more_notices;
    return;
  }
  const std::string at = place(line);
  notices.push_back(at.empty() ? message : at + ": " + message);
}

void ModelBuilder::Parts::check_name(std::string_view text, const char* what, std::uint64_t line) {
  if (text.empty()) {
    reader_found_problems = true;  // another name was meant, which is unknown now
    add_problem(line, std::string(what) + " name is empty, must have at least one character");
  } else if (text.find('\0') != std::string_view::npos) {
    add_problem(line, std::string(what) + " name " + in_quotes(text) + " contains a NUL character");
  }
}

void ModelBuilder::Parts::throw_problems() {
  std::stable_sort(problems.begin(),
                   problems.end(),
                   [](const LinedProblem& a, const LinedProblem& b) { return a.line < b.line; });
  std::vector<Problem> all;
  for (LinedProblem& p : problems) all.push_back({place(p.line), std::move(p.message)});
  if (more_problems) all.back().message += " (further problems not shown)";
  if (!all.empty()) throw Error(ErrorCode::bad_model, std::move(all));
}

}  // namespace quantiplan
