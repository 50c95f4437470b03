// From the curve to a quantile: the greatest level whose best probability still counts.
//
//     lower side:  max{ y : G*(y) >  theta }      theta = 1 - tau
//     upper side:  max{ y : G*(y) >= theta }
//
// In doubles the rounding bound leaves an interval of levels; exact solves close it. Theta = 1 is a
// question about the graph and is answered by the windows.
#pragma once

#include <functional>
#include <optional>

#include "finite/pass/curve.hpp"
#include "finite/pass/settle.hpp"
#include "numbers/rounding_bound.hpp"
#include "quantiplan/answer.hpp"

namespace quantiplan {

// Levels certainly counted (lower), and not certainly ruled out (upper); equal if settled.
struct LevelRange {
  std::int64_t lower = 0;
  std::int64_t upper = 0;
};

LevelRange locate(const Curve<double>& curve,
                  const RoundingBound& bound,
                  const Rational& theta,
                  Side side);
LevelRange locate(const Curve<Rational>& curve,
                  const RoundingBound& bound,
                  const Rational& theta,
                  Side side);

struct Located {
  LevelRange range;                // after settling
  std::optional<Settled> settled;  // the exact solve at range.lower, if it took one
};

// Exact D at a level; nullopt if a limit is met.
using SettleAt = std::function<std::optional<Settled>(std::int64_t level)>;
Located close_range(LevelRange range, const Rational& theta, Side side, const SettleAt& settle_at);

}  // namespace quantiplan
