#include "quantiplan/value.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "numbers/directed.hpp"
#include "numbers/mean_value.hpp"

namespace quantiplan {
namespace {

// What a person or a program reads is the shortest text that stands for a double, which may lie
// beyond it by half a step: a bound must hold for the text, too.
Rational shown(double bound) { return Number::parse(fmt::format("{}", bound)).rational(); }

double shown_below(const Rational& bound) {
  double below = std::max(0.0, round_down(bound));
  while (shown(below) > bound) below = std::nextafter(below, 0.0);
  return below;
}

double shown_above(const Rational& bound) {
  double above = std::min(1.0, round_up(bound));
  while (shown(above) < bound) above = std::nextafter(above, 1.0);
  return above;
}

}  // namespace

Value Value::exactly(const Rational& value) { return {to_nearest_double(value), value}; }

Value Value::at_least(const Rational& bound) {
  if (bound >= 1) return exactly(1);
  return {bound > 0 ? shown_below(bound) : 0.0, std::nullopt, Is::lower_bound};
}

Value Value::at_most(const Rational& bound) {
  if (bound <= 0) return exactly(0);
  return {bound < 1 ? shown_above(bound) : 1.0, std::nullopt, Is::upper_bound};
}

Value Value::no_more_than(const Rational& bound) {
  double above = round_up(bound);
  while (shown(above) < bound) above = std::nextafter(above, HUGE_VAL);
  return {above, std::nullopt, Is::upper_bound};
}

Value Value::no_less_than(const Rational& bound) {
  double below = round_down(bound);
  while (shown(below) > bound) below = std::nextafter(below, -HUGE_VAL);
  return {below, std::nullopt, Is::lower_bound};
}

Value Value::between(const Rational& lower, const Rational& upper) {
  if (lower == upper) return exactly(lower);
  if (upper <= 0) return exactly(0);
  Value value = at_least(lower);
  if (!value.exact) value.most = at_most(upper).nearest;
  return value;
}

Rational Value::least() const {
  if (exact) return *exact;
  return is == Is::lower_bound ? Rational(nearest) : Rational(0);
}

Rational Value::greatest() const {
  if (exact) return *exact;
  if (is == Is::upper_bound) return Rational(nearest);
  return is == Is::lower_bound && most ? Rational(*most) : Rational(1);
}

double relative_error(const Value& value) {
  if (value.exact) return 0;
  if (value.nearest <= 0 || !value.most) return 1;
  return std::min(
      1.0, round_up((Rational(*value.most) - Rational(value.nearest)) / Rational(value.nearest)));
}

Value complement(const Value& probability) {
  if (probability.exact) return Value::exactly(1 - *probability.exact);
  switch (probability.is) {
    case Value::Is::rounded:
      return {1 - probability.nearest};
    case Value::Is::upper_bound:
      return Value::at_least(1 - Rational(probability.nearest));
    case Value::Is::lower_bound:
      break;
  }
  const Rational most = 1 - Rational(probability.nearest);
  if (!probability.most) return Value::at_most(most);
  return Value::between(1 - Rational(*probability.most), most);
}

Value mean_between(const MeanEnds& ends) {
  const double nearest = to_nearest_double(ends.low);
  if (nearest == to_nearest_double(ends.high)) return {nearest + 0.0};  // no -0
  Value value = Value::no_less_than(ends.low);
  value.most = Value::no_more_than(ends.high).nearest;
  return value;
}

Value mean_within(const Rational& computed, const Rational& error) {
  return mean_between({computed - error, computed + error});
}

MeanEnds ends_of(const Value& mean) {
  if (mean.exact) return {*mean.exact, *mean.exact};
  if (mean.most) return {Rational(mean.nearest), Rational(*mean.most)};
  if (mean.is == Value::Is::lower_bound) return {Rational(mean.nearest), Rational(mean.nearest)};
  // What rounds to it lies half a step away at most; the step away from 0 is the longer one.
  const double size = std::abs(mean.nearest);
  const double next = std::nextafter(size, HUGE_VAL);
  const Rational step = std::isfinite(next)
                            ? Rational(Rational(next) - Rational(size))
                            : Rational(Rational(size) - Rational(std::nextafter(size, 0.0)));
  const Rational nearest(mean.nearest);
  return {nearest - step / 2, nearest + step / 2};
}

Value added_to(const Value& mean, const MeanEnds& more) {
  if (!mean.exact && !std::isfinite(mean.nearest)) return mean;
  const MeanEnds ends = ends_of(mean);
  const Rational low = ends.low + more.low;
  if (mean.exact && more.low == more.high) return Value::exactly(low);
  const bool is_bound = !mean.exact && !mean.most && mean.is == Value::Is::lower_bound;
  return is_bound ? Value::no_less_than(low) : mean_between({low, ends.high + more.high});
}

}  // namespace quantiplan
