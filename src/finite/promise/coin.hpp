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

struct Coin {
  PointOfHull first;
  std::optional<PointOfHull> second;  // absent: the first keeps the promise, and no coin is better
  Rational chance = 1;                // of the first
  Rational probability;               // at least
  Rational mean;                      // in keys, as computed
};

// Nullopt if no policy was found that keeps the promise.
std::optional<Coin> coin_of(const PromiseFound& found, const Promise& promise);

}  // namespace quantiplan
