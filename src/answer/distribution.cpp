#include "quantiplan/distribution.hpp"

#include <algorithm>
#include <cmath>

#include "quantiplan/error.hpp"
#include "rounding_bound.hpp"

namespace quantiplan {
namespace {

// P(A >= atom i) for every i, A the wealth as it is counted: rounded down if there is slack.
//
//     computed: exact, or d (1 -+ relative) -+ absolute        all mass lies from the first atom on
//     sampled:  share -+ band                                  nothing is known beyond the atoms
class Tails {
 public:
  explicit Tails(const Distribution& d) : d_(d) {
    const bool exact = d.relative_error == 0 && std::ranges::all_of(d.atoms, [](const Atom& atom) {
                         return atom.probability.exact.has_value();
                       });
    const std::size_t count = d.atoms.size();
    if (exact) {
      exact_.resize(count + 1);
      for (std::size_t i = count; i-- > 0;)
        exact_[i] = exact_[i + 1] + *d.atoms[i].probability.exact;
    } else {
      sums_.resize(count + 1);
      for (std::size_t i = count; i-- > 0;)
        sums_[i] = sums_[i + 1] + d.atoms[i].probability.nearest;
    }
  }

  [[nodiscard]] ProbabilityBracket at(std::size_t i) const {
    if (!d_.sample && i == 0) return {1, 1};
    if (!d_.sample && i == d_.atoms.size()) return {0, 0};
    ProbabilityBracket tail = computed(i);
    if (d_.sample) {
      const Rational band(d_.sample->band);
      tail.lower -= band;
      tail.upper += band;
    }
    if (tail.lower < 0) tail.lower = 0;
    if (tail.upper > 1) tail.upper = 1;
    return tail;
  }

  // The last i for which `holds`, a property that tails lose as they shrink; size() if there is
  // none.
  template <class Holds>
  [[nodiscard]] std::size_t last(const Holds& holds) const {
    std::size_t none = 0;  // as many as hold
    std::size_t high = d_.atoms.size();
    while (none < high) {
      const std::size_t middle = none + (high - none) / 2;
      if (holds(at(middle))) {
        none = middle + 1;
      } else {
        high = middle;
      }
    }
    return none == 0 ? d_.atoms.size() : none - 1;
  }

 private:
  [[nodiscard]] ProbabilityBracket computed(std::size_t i) const {
    if (!exact_.empty()) return {exact_[i], exact_[i]};
    const Rational sum(sums_[i]);
    const Rational error(d_.relative_error);
    const Rational lost(d_.absolute_error);
    return {sum * (1 - error) - lost, sum * (1 + error) + lost};
  }

  const Distribution& d_;
  std::vector<Rational> exact_;
  std::vector<double> sums_;
};

// The first atom at or above a wealth.
std::size_t first_from(const std::vector<Atom>& atoms, const Rational& wealth) {
  const auto found =
      std::ranges::partition_point(atoms, [&](const Atom& atom) { return atom.wealth < wealth; });
  return static_cast<std::size_t>(found - atoms.begin());
}

double double_below(const Rational& value) {
  const double nearest = to_nearest_double(value);
  return Rational(nearest) > value ? std::nextafter(nearest, -1.0) : nearest;
}

}  // namespace

Value Distribution::at_least(const Rational& wealth) const {
  if (slack > 0 && !sample) {
    const ProbabilityBracket bracket = at_least_bracket(wealth);
    Value bound{double_below(bracket.lower), std::nullopt};
    if (bracket.lower == bracket.upper) bound.exact = bracket.lower;
    return bound;
  }
  Value sum;
  if (relative_error == 0) sum.exact = Rational(0);
  for (std::size_t i = atoms.size(); i-- > 0 && atoms[i].wealth >= wealth;) {
    sum.nearest += atoms[i].probability.nearest;
    if (!atoms[i].probability.exact) sum.exact.reset();
    if (sum.exact) *sum.exact += *atoms[i].probability.exact;
  }
  // All mass lies at or above the first atom; a sum of doubles may overshoot.
  if (!atoms.empty() && wealth <= atoms.front().wealth) sum.exact = Rational(1);
  sum.nearest = sum.exact ? to_nearest_double(*sum.exact) : std::min(sum.nearest, 1.0);
  if (sample) sum.exact.reset();
  return sum;
}

ProbabilityBracket Distribution::at_least_bracket(const Rational& wealth) const {
  const Tails tails(*this);
  // What is counted at an atom surely reaches w if the atom does, possibly if atom + slack does.
  const Rational reach = wealth - slack;
  return {tails.at(first_from(atoms, wealth)).lower, tails.at(first_from(atoms, reach)).upper};
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
  const Rational& least = atoms.front().wealth;
  const Rational& greatest = atoms.back().wealth;
  // Theta 1 asks for certainty: only the least total has it. Theta 0 asks for possibility, and
  // every atom has that, whatever its size. A sample has met no more than it has met.
  if (theta == 1) return {tau, side, least, least + slack, sample.has_value(), false};
  if (theta == 0) return {tau, side, greatest, greatest + slack, false, sample.has_value()};
  const Tails tails(*this);
  const std::size_t none = atoms.size();
  const std::size_t certain =
      tails.last([&](const ProbabilityBracket& tail) { return reaches(tail.lower, theta, side); });
  const std::size_t possible =
      tails.last([&](const ProbabilityBracket& tail) { return reaches(tail.upper, theta, side); });
  return {tau,
          side,
          certain == none ? least : atoms[certain].wealth,
          possible == none ? least + slack : atoms[possible].wealth + slack,
          certain == none,
          reaches(tails.at(none).upper, theta, side)};
}

}  // namespace quantiplan
