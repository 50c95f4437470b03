// A law of wealth in rationals, and what is rational of it.
//
// A distribution with errors lies between two laws: P(W >= w) is nowhere below that of `least`, and nowhere
// above that of `greatest`. A measure that never falls as wealth grows lies between its values at the two.
//
//     P(W >= w)   1 |-----.          greatest: what rounding, slack and rest may add
//                   |----.'---.
//                   |    '---.'---   least: what they may take away
//                   +-------------- w
#pragma once

#include <optional>
#include <vector>

#include "base/limits.hpp"
#include "quantiplan/distribution.hpp"
#include "quantiplan/number.hpp"
#include "quantiplan/total.hpp"

namespace quantiplan {

struct LawAtom {
  Total wealth;
  Rational probability;
};
// Ascending wealth, positive probabilities, whose sum is 1.
using Law = std::vector<LawAtom>;

struct LawBracket {
  Law least;
  Law greatest;
  bool is_exact = false;  // the two are one
};
// Of a sample: the law of the episodes, as if it were exact.
LawBracket laws_around(const Distribution& distribution, const Limits& limits);

// Throws Error(refused) where the call has ended: half a measure is of no use.
void look_at_measures(const Limits& limits);

// CVaR_tau: the mean of the worst share tau; of tau = 0 the worst.
Total worst_share_mean(const Law& law, const Rational& tau);
// Nothing where misses, or infinities of both signs, leave it undefined.
std::optional<Total> law_mean(const Law& law);

}  // namespace quantiplan
