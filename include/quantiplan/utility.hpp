// What a total is worth to somebody: a function u of wealth, whose expectation E u(W) is a criterion.
//
//     table          points (x_i, u_i), straight lines between, a slope before the first and after the last
//     exponential    (1 - exp(-beta x)) / beta             beta > 0 averse to risk, beta < 0 fond of it
//     power          y^e of y = x - origin,  e > 0; of y < 0: -(-y)^e
//                    -(y^e),  e < 0; -inf where y <= 0
//     logarithm      ln(x - origin); -inf where x <= origin
//     target         x - penalty * max(level - x, 0)       what is missing to the level counts 1 + penalty
//
// A table may have steps, two points of one x. There u is the later one, as [x >= 0] is 1 at 0:
//
//     u |         o----      (0, 0) (0, 1): the second holds from 0 on
//       |  -------'
//       +---------0---- x
//
// Wealth is what answers count: where rewards are costs, x is minus the cost. Every utility takes every x.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "quantiplan/number.hpp"

namespace quantiplan {

class Utility {
 public:
  enum class Family { table, exponential, power, logarithm, target };
  struct Point {
    Rational x;
    Rational u;
    friend bool operator==(const Point&, const Point&) = default;
  };
  // Certainly lower <= u(x) <= upper, and both are -inf where u(x) is.
  struct Bounds {
    double lower = 0;
    double upper = 0;
  };

  // Each throws Error(bad_request) that says what was found and what was expected.
  //
  // At least one point, by ascending x, at most two of one x.
  static Utility table(std::vector<Point> points,
                       const Rational& slope_below = 0,
                       const Rational& slope_above = 0);
  static Utility exponential(const Rational& beta);                            // not 0
  static Utility power(const Rational& exponent, const Rational& origin = 0);  // exponent not 0
  static Utility logarithm(const Rational& origin = 0);
  static Utility target(const Rational& level, const Rational& penalty);  // penalty at least 0

  [[nodiscard]] Family family() const noexcept { return family_; }
  // Never falls as wealth grows. Only a table may.
  [[nodiscard]] bool is_monotone() const;
  [[nodiscard]] bool has_steps() const;
  // u(x) is rational for each rational x: of tables, targets, and powers with a natural
  // exponent of at most 64.
  [[nodiscard]] bool is_exact() const;

  // u(x). Needs is_exact().
  [[nodiscard]] Rational exactly(const Rational& x) const;
  // Rounded in both directions, of every utility: next to u(x) where it is exact,
  // and narrow elsewhere.
  [[nodiscard]] Bounds enclose(const Rational& x) const;

  // The points and slopes of a table; of a target, those that say the same.
  [[nodiscard]] const std::vector<Point>& points() const noexcept { return points_; }
  [[nodiscard]] const Rational& slope_below() const noexcept { return slope_below_; }
  [[nodiscard]] const Rational& slope_above() const noexcept { return slope_above_; }
  // beta, the exponent, or the penalty; and the origin, or the level.
  [[nodiscard]] const Rational& parameter() const noexcept { return parameter_; }
  [[nodiscard]] const Rational& origin() const noexcept { return origin_; }

  friend bool operator==(const Utility&, const Utility&) = default;

 private:
  Utility() = default;

  Family family_ = Family::table;
  Rational parameter_;
  Rational origin_;
  std::vector<Point> points_;
  Rational slope_below_;
  Rational slope_above_;
};

// "exponential(0.1)", which parse_utility reads back, or "table of 3 points", which it does not.
std::string to_text(const Utility& utility);
// The same, but a table with all its points, "table(0 0, 10 5, 10 8; 2, 1/2)", which parse_utility reads back.
std::string to_whole_text(const Utility& utility);

// A family by its name: exponential(beta), power(exponent[, origin]), logarithm[(origin)],
// target(level, penalty); or a short table, as table(x u, x u[; slope below, slope above]). Throws
// Error(bad_request); `place` is its place.
Utility parse_utility(std::string_view text, const std::string& place = "--utility");

// A table from a text, JSON where it begins with a brace, else CSV (docs/criteria.md). Throws
// Error(bad_request) with up to 20 problems, each with `source` and line.
Utility parse_utility_table(std::string_view text, const std::string& source);
// From a file, or standard input if path is "-". Throws Error(io) as well.
Utility read_utility(const std::string& path);
// Whichever of the two a text is: a family, as is_utility_name says, else a path.
Utility utility_of(const std::string& name_or_path, const std::string& place = "--utility");
// "logarithm", what begins with a family and a parenthesis, and what ends with a parenthesis.
bool is_utility_name(std::string_view text);

}  // namespace quantiplan
