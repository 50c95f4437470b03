#include "quantiplan/distribution.hpp"

#include <algorithm>

#include "quantiplan/error.hpp"
#include "rounding_bound.hpp"

namespace quantiplan {
namespace {

// P(W >= atom i) for every i, with the bounds that rounding leaves.
struct Tail {
  Rational least;
  Rational greatest;
};

std::vector<Tail> tails(const Distribution& d) {
  std::vector<Tail> out(d.atoms.size());
  const Rational error(d.relative_error);
  const Rational lost(d.absolute_error);
  if (d.relative_error == 0) {
    Rational sum = 0;
    for (std::size_t i = d.atoms.size(); i-- > 0;) {
      sum += *d.atoms[i].probability.exact;
      out[i] = {sum, sum};
    }
    return out;
  }
  double sum = 0;
  for (std::size_t i = d.atoms.size(); i-- > 0;) {
    sum += d.atoms[i].probability.nearest;
    out[i] = {Rational(sum) * (1 - error) - lost, Rational(sum) * (1 + error) + lost};
  }
  // All mass lies at or above the first atom.
  if (!out.empty()) out[0] = {1, 1};
  return out;
}

}  // namespace

Value Distribution::at_least(const Rational& wealth) const {
  Value sum;
  if (relative_error == 0) sum.exact = Rational(0);
  for (std::size_t i = atoms.size(); i-- > 0 && atoms[i].wealth >= wealth;) {
    sum.nearest += atoms[i].probability.nearest;
    if (sum.exact) *sum.exact += *atoms[i].probability.exact;
  }
  // All mass lies at or above the first atom; a sum of doubles may overshoot.
  if (!atoms.empty() && wealth <= atoms.front().wealth) sum.exact = Rational(1);
  sum.nearest = sum.exact ? to_nearest_double(*sum.exact) : std::min(sum.nearest, 1.0);
  return sum;
}

QuantileOfDistribution Distribution::quantile(const Rational& tau, Side side) const {
  if (atoms.empty() || tau < 0 || tau > 1 || (side == Side::lower && tau == 0) ||
      (side == Side::upper && tau == 1)) {
    throw Error(
        ErrorCode::bad_request,
        "tau",
        "the " + std::string(to_text(side)) + " quantile is not defined at " + to_text(tau));
  }
  // lower: min{ w : F(w) >= tau } = max{ w : P(W >= w) > theta };  upper: max{ w : P(W >= w) >=
  // theta }.
  const Rational theta = 1 - tau;
  const std::vector<Tail> tail = tails(*this);
  std::size_t certain = 0;
  std::size_t possible = 0;
  for (std::size_t i = 0; i < tail.size(); ++i) {
    // Every atom has positive probability, whatever its size.
    const bool positive_is_enough = theta == 0 && side == Side::lower;
    if (positive_is_enough || reaches(tail[i].least, theta, side)) certain = i;
    if (positive_is_enough || reaches(tail[i].greatest, theta, side)) possible = i;
  }
  // Theta 1 asks for certainty: only the least atom has it.
  if (theta == 1) certain = possible = 0;
  return {tau, side, atoms[certain].wealth, atoms[possible].wealth};
}

}  // namespace quantiplan
