#include "quantiplan/utility.hpp"

#include <algorithm>
#include <utility>

#include "numbers/enclosure.hpp"
#include "quantiplan/error.hpp"

namespace quantiplan {
namespace {

constexpr const char* kPlace = "utility";
// Beyond it an exact power has more digits than anybody asks for.
constexpr unsigned long kMostExactExponent = 64;

[[noreturn]] void refuse_utility(const std::string& message) {
  throw Error(ErrorCode::bad_request, kPlace, message);
}

bool is_small_natural(const Rational& exponent) {
  return exponent.get_den() == 1 && exponent > 0 && exponent <= kMostExactExponent;
}

// y^e for y >= 0 and a natural e.
Rational natural_power(const Rational& y, unsigned long exponent) {
  Rational result;
  mpz_pow_ui(result.get_num_mpz_t(), y.get_num_mpz_t(), exponent);
  mpz_pow_ui(result.get_den_mpz_t(), y.get_den_mpz_t(), exponent);
  return result;
}

Rational interpolated(const Utility::Point& a, const Utility::Point& b, const Rational& x) {
  return a.u + (b.u - a.u) * (x - a.x) / (b.x - a.x);
}

// |y|^e of y other than 0.
Enclosure real_power(const Rational& y, const Rational& exponent) {
  return exp(Enclosure(exponent) * log(Enclosure(Rational(abs(y)))));
}

Enclosure power_enclosure(const Rational& y, const Rational& exponent) {
  if (exponent < 0) return y > 0 ? -real_power(y, exponent) : Enclosure::minus_infinity();
  if (y == 0) return Enclosure(Rational(0));
  const Enclosure size = real_power(y, exponent);
  return y > 0 ? size : -size;
}

}  // namespace

Utility Utility::table(std::vector<Point> points,
                       const Rational& slope_below,
                       const Rational& slope_above) {
  if (points.empty()) refuse_utility("found no points, expected at least one");
  for (std::size_t i = 1; i < points.size(); ++i) {
    if (points[i].x < points[i - 1].x) {
      refuse_utility("found a point at " + to_text(points[i].x) + " after one at " +
                     to_text(points[i - 1].x) + ", expected ascending wealths");
    }
    if (i > 1 && points[i].x == points[i - 2].x) {
      refuse_utility("found three points at " + to_text(points[i].x) +
                     ", expected at most two: the values before a step and from it on");
    }
  }
  Utility utility;
  utility.points_ = std::move(points);
  utility.slope_below_ = slope_below;
  utility.slope_above_ = slope_above;
  return utility;
}

Utility Utility::exponential(const Rational& beta) {
  if (beta == 0) refuse_utility("exponential: found 0, expected a beta other than 0");
  Utility utility;
  utility.family_ = Family::exponential;
  utility.parameter_ = beta;
  return utility;
}

Utility Utility::power(const Rational& exponent, const Rational& origin) {
  if (exponent == 0) refuse_utility("power: found 0, expected an exponent other than 0");
  Utility utility;
  utility.family_ = Family::power;
  utility.parameter_ = exponent;
  utility.origin_ = origin;
  return utility;
}

Utility Utility::logarithm(const Rational& origin) {
  Utility utility;
  utility.family_ = Family::logarithm;
  utility.origin_ = origin;
  return utility;
}

Utility Utility::target(const Rational& level, const Rational& penalty) {
  if (penalty < 0)
    refuse_utility("target: found " + to_text(penalty) + ", expected a penalty of at least 0");
  Utility utility = table({{level, level}}, 1 + penalty, 1);
  utility.family_ = Family::target;
  utility.parameter_ = penalty;
  utility.origin_ = level;
  return utility;
}

bool Utility::is_monotone() const {
  if (slope_below_ < 0 || slope_above_ < 0) return false;
  return std::ranges::is_sorted(points_, {}, &Point::u);
}

bool Utility::has_steps() const {
  for (std::size_t i = 1; i < points_.size(); ++i)
    if (points_[i].x == points_[i - 1].x && points_[i].u != points_[i - 1].u) return true;
  return false;
}

bool Utility::is_exact() const {
  return !points_.empty() || (family_ == Family::power && is_small_natural(parameter_));
}

Rational Utility::exactly(const Rational& x) const {
  if (family_ == Family::power) {
    const Rational y = x - origin_;
    const Rational size = natural_power(abs(y), parameter_.get_num().get_ui());
    return y < 0 ? Rational(-size) : size;
  }
  const auto next = std::ranges::upper_bound(points_, x, {}, &Point::x);
  if (next == points_.begin()) return next->u - slope_below_ * (next->x - x);
  const auto at = std::prev(next);
  if (next == points_.end()) return at->u + slope_above_ * (x - at->x);
  return interpolated(*at, *next, x);
}

Utility::Bounds Utility::enclose(const Rational& x) const {
  const auto value = [&] {
    if (is_exact()) return Enclosure(exactly(x));
    if (family_ == Family::power) return power_enclosure(x - origin_, parameter_);
    if (family_ == Family::logarithm) return log(Enclosure(Rational(x - origin_)));
    return -exp_less_one(Enclosure(Rational(-parameter_ * x))) / Enclosure(parameter_);
  }();
  return {value.lower(), value.upper()};
}

}  // namespace quantiplan
