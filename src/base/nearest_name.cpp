#include "base/nearest_name.hpp"

#include <algorithm>
#include <array>

#include "base/quoted.hpp"
#include "quantiplan/suggest.hpp"

namespace quantiplan {
namespace {

constexpr std::size_t kLongest = 64;  // longer names are not compared

// Optimal string alignment distance, in three rolling rows.
std::size_t distance(std::string_view a, std::string_view b) {
  std::array<std::array<std::size_t, kLongest + 1>, 3> rows{};
  for (std::size_t j = 0; j <= b.size(); ++j) rows[0][j] = j;
  for (std::size_t i = 1; i <= a.size(); ++i) {
    auto& row = rows[i % 3];
    const auto& above = rows[(i - 1) % 3];
    const auto& two_above = rows[(i + 1) % 3];
    row[0] = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const std::size_t replace = above[j - 1] + (a[i - 1] == b[j - 1] ? 0 : 1);
      row[j] = std::min({above[j] + 1, row[j - 1] + 1, replace});
      if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1]) {
        row[j] = std::min(row[j], two_above[j - 2] + 1);
      }
    }
  }
  return rows[a.size() % 3][b.size()];
}

}  // namespace

NearestName::NearestName(std::string_view wanted)
    : wanted_(wanted),
      limit_(wanted.size() > kLongest ? 0 : std::max<std::size_t>(1, wanted.size() / 3) + 1) {}

void NearestName::offer(std::string_view candidate) {
  if (candidate.size() > kLongest) return;
  const std::size_t shorter = std::min(candidate.size(), wanted_.size());
  const std::size_t longer = std::max(candidate.size(), wanted_.size());
  if (longer - shorter >= limit_) return;
  const std::size_t d = distance(wanted_, candidate);
  if (d >= limit_ || d >= shorter) return;  // nothing in common is no likeness
  limit_ = d;
  best_ = candidate;
}

std::string NearestName::suggestion() const {
  return best_.empty() ? "" : "; did you mean " + in_quotes(best_) + "?";
}

std::string suggest_state(const Model& model, std::string_view wanted) {
  NearestName nearest(wanted);
  for (std::uint32_t s = 0; s < model.state_count(); ++s) nearest.offer(model.state_name(State{s}));
  return nearest.suggestion();
}

std::string suggestion_among(std::string_view wanted, std::span<const std::string> known) {
  NearestName nearest(wanted);
  for (const std::string& name : known) nearest.offer(name);
  return nearest.suggestion();
}

}  // namespace quantiplan
