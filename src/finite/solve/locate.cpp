#include "finite/solve/locate.hpp"

#include <algorithm>

namespace quantiplan {
namespace {

// The greatest level at which a predicate, true up to some level and false after it, holds; it is
// taken to hold at the sure level.
template <class N, class Holds>
std::int64_t last_level(const Curve<N>& curve, const Holds& holds) {
  const auto first_false = std::partition_point(curve.value.begin(), curve.value.end(), holds);
  if (first_false == curve.value.begin()) return curve.sure;
  return curve.upto[static_cast<std::size_t>(first_false - curve.value.begin()) - 1];
}

}  // namespace

LevelRange locate(const Curve<double>& curve,
                  const RoundingBound& bound,
                  const Rational& theta,
                  Side side) {
  // Above the sure level no probability is 1, however close to 1 a double may come.
  if (theta == 1) return {curve.sure, curve.sure};
  // Values a millionth away from theta need no rationals: all errors together are far smaller.
  const double nearest = to_nearest_double(theta);
  const bool is_clear = bound.relative < Rational(1, 1U << 30U) && nearest > 0x1p-500;
  const double above = is_clear ? nearest * (1 + 0x1p-20) : 2;
  const double below = is_clear ? nearest * (1 - 0x1p-20) : -1;
  return {last_level(curve,
                     [&](double v) {
                       if (v > above) return true;
                       return v >= below && bound.certainly_reaches(v, theta, side);
                     }),
          last_level(curve, [&](double v) {
            if (v < below) return false;
            return v > above || !bound.certainly_misses(v, theta, side);
          })};
}

LevelRange locate(const Curve<Rational>& curve,
                  const RoundingBound&,
                  const Rational& theta,
                  Side side) {
  const std::int64_t level =
      last_level(curve, [&](const Rational& v) { return reaches(v, theta, side); });
  return {level, level};
}

Located close_range(LevelRange range, const Rational& theta, Side side, const SettleAt& settle_at) {
  Located located{range, std::nullopt};
  auto& [lower, upper] = located.range;
  // The open levels are mostly one plateau of G*, so its two ends are tried before the middle.
  bool try_ends = true;
  std::int64_t level = upper;
  while (lower < upper) {
    auto settled = settle_at(level);
    if (!settled) return located;
    if (reaches(settled->probability, theta, side)) {
      lower = level;
      located.settled = std::move(settled);
    } else {
      upper = level - 1;
    }
    level = try_ends ? lower + 1 : lower + (upper - lower + 1) / 2;
    try_ends = false;
  }
  return located;
}

}  // namespace quantiplan
