// Reads a table of points of a utility (docs/criteria.md), from JSON or CSV.
//
//     document -> points: [[x, u]...]          wealth,utility
//              -> slope_below                  below,1
//              -> slope_above                  0,0
//
// Both give the same draft, whose points are checked as they come, with their lines.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "io/text/placed_problems.hpp"
#include "quantiplan/utility.hpp"

namespace quantiplan {

class UtilityDraft {
 public:
  UtilityDraft(Problems& problems, const std::string& source) : problems_(problems, source) {}

  void add(Utility::Point point, std::uint64_t line);
  void problem(std::uint64_t line, std::string message) { problems_.add(line, std::move(message)); }
  [[nodiscard]] bool is_full() const { return problems_.full(); }
  [[nodiscard]] bool is_empty() const { return points_.empty(); }

  std::optional<Rational> slope_below;
  std::optional<Rational> slope_above;

  // Needs that no problem was met.
  [[nodiscard]] Utility finish();

 private:
  PlacedProblems problems_;
  std::vector<Utility::Point> points_;
};

// Texts that have passed check_text.
void read_json_utility(std::string_view text, UtilityDraft& draft);
void read_csv_utility(std::string_view text, UtilityDraft& draft);

}  // namespace quantiplan
