#include "quantiplan/distribution.hpp"

#include <algorithm>

#include "measures/tail_bounds.hpp"
#include "numbers/rounding_bound.hpp"
#include "quantiplan/error.hpp"

namespace quantiplan {
Value Distribution::at_least(const Level& wealth) const {
  if (!sample) {
    const ProbabilityBracket bracket = at_least_bracket(wealth);
    return Value::between(bracket.lower, bracket.upper);
  }
  double share = 0;
  for (std::size_t i = atoms.size(); i-- > 0 && atoms[i].wealth >= wealth;)
    share += atoms[i].probability.nearest;
  // All mass lies at or above the first atom; a sum of doubles may overshoot.
  if (!atoms.empty() && wealth <= atoms.front().wealth) share = 1;
  return {std::min(share, 1.0)};
}

ProbabilityBracket Distribution::at_least_bracket(const Level& wealth) const {
  const TailBounds tails(*this);
  return {tails.lower(wealth), tails.upper(wealth)};
}

QuantileOfDistribution Distribution::quantile(const Rational& tau, Side side) const {
  if ((atoms.empty() && !rest) || tau < 0 || tau > 1 || (side == Side::lower && tau == 0) ||
      (side == Side::upper && tau == 1)) {
    throw Error(
        ErrorCode::bad_request,
        "tau",
        "the " + std::string(to_text(side)) + " quantile is not defined at " + to_text(tau));
  }
  if (atoms.empty()) return {tau, side, rest->from, raised(rest->to, slack)};
  // lower: min{ w : F(w) >= tau } = max{ w : P(W >= w) > theta };  upper: max{ w : P(W >= w) >=
  // theta }.
  const Rational theta = 1 - tau;
  const Level& first = atoms.front().wealth;
  const Level& last = atoms.back().wealth;
  const Level least = rest ? Level(std::min<Total>(rest->from, first)) : first;
  const Level greatest = raised(rest ? Level(std::max<Total>(rest->to, last)) : last, slack);
  // Theta 1 asks for certainty: only the least total has it. Theta 0 asks for possibility, and
  // every atom has that, whatever its size. A sample has met no more than it has met.
  if (theta == 1) return {tau, side, least, raised(first, slack), sample.has_value(), false};
  if (theta == 0) return {tau, side, last, greatest, false, sample.has_value()};
  const TailBounds tails(*this);
  const auto is_certain = [&](const Level& w) { return reaches(tails.lower(w), theta, side); };
  const auto is_possible = [&](const Level& w) { return reaches(tails.upper(w), theta, side); };
  // Bounds fall at atoms, the lower one also where the rest begins, the upper where it ends.
  const std::size_t none = atoms.size();
  const std::size_t certain =
      tails.last([&](std::size_t i) { return is_certain(atoms[i].wealth); });
  const std::size_t possible =
      tails.last([&](std::size_t i) { return is_possible(raised(atoms[i].wealth, slack)); });
  QuantileOfDistribution found{tau,
                               side,
                               certain == none ? least : atoms[certain].wealth,
                               raised(possible == none ? least : atoms[possible].wealth, slack)};
  if (rest) {
    const Level end = raised(rest->to, slack);
    if (is_certain(rest->from)) found.lower = std::max(found.lower, Level(rest->from));
    if (is_possible(end)) found.upper = std::max(found.upper, end);
  }
  if (sample) {
    found.open_below = certain == none;
    found.open_above = reaches(Rational(sample->band), theta, side);
  }
  return found;
}

}  // namespace quantiplan
