// The coin between A and B that attains the bound of a promise (promise_search.hpp).
//
//     c P_A + (1 - c) P_B = theta      c E_A + (1 - c) E_B = bound
//
// On the lower side, where P > theta is promised, c is less by 2^-20, or by half if that is less: the
// mean is below the bound by at most 2^-20 (E_A - E_B). Probabilities are certified lower bounds, so
// the promise is kept whatever rounding did.
#pragma once

#include <optional>

#include "promise/promise_search.hpp"

namespace quantiplan {

// What a mixture and each of its parts can say of P(W >= q): the very number, or a bound that holds
// as it is written. With `rounded`, of wealth, an exact probability is a bound as well.
Value claimable(const Value& probability, bool rounded);

struct Coin {
  PointOfHull first;
  std::optional<PointOfHull> second;  // absent: the first keeps the promise, and no coin is better
  Rational chance = 1;                // of the first
  Rational probability;               // at least, as it follows from what the parts claim
  Rational mean;                      // in keys, as computed
};

// Nullopt if no policy was found that keeps the promise.
std::optional<Coin> coin_of(const PromiseFound& found, const Promise& promise, bool rounded);

}  // namespace quantiplan
