// The coin between A and B that attains the bound of a promise (promise_search.hpp).
//
//     c P_A + (1 - c) P_B = theta      c E_A + (1 - c) E_B = bound
//
// On the lower side, where P > theta is promised, c is less by 2^-20, or by half if that is less: the
// mean is below the bound by at most 2^-20 (E_A - E_B). In doubles, c is less by 2^-40: probabilities
// are certified lower bounds, and the promise is kept by more than what writing them down takes. So
// it is where an exact c is too long to be read back.
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

// Nullopt if no policy was found that keeps the promise, or the search ended before it was known
// whether a coin does better.
std::optional<Coin> coin_of(const PromiseFound& found, const Promise& promise, bool rounded);

}  // namespace quantiplan
