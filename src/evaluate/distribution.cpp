#include "quantiplan/distribution.hpp"

#include <algorithm>
#include <cmath>

#include "base/first_without.hpp"
#include "numbers/rounding_bound.hpp"
#include "quantiplan/error.hpp"

namespace quantiplan {
namespace {

// What a total that was rounded down may be at most; a miss or an infinity is what it is.
Total raised(const Total& total, const Rational& slack) {
  return total.is_finite() ? Total(Rational(total.value() + slack)) : total;
}

// Bounds of P(W >= w) for any w, A the wealth as it is counted: rounded down if there is slack.
//
//     computed: exact, or d (1 -+ relative) -+ absolute        all mass lies in atoms and rest
//     sampled:  share -+ band                                  nothing is known beyond the atoms
//
// The rest is some mass in [0, its bound], somewhere from rest.from to rest.to: at least w for
// certain if `from` is, possibly if `to` is. What atoms and rest leave open from above, the mass
// below bounds as well, for all of it together is 1.
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
      return;
    }
    sums_.resize(count + 1);
    for (std::size_t i = count; i-- > 0;) sums_[i] = sums_[i + 1] + d.atoms[i].probability.nearest;
    if (!d.rest) return;
    sums_before_.resize(count + 1);
    for (std::size_t i = 0; i < count; ++i)
      sums_before_[i + 1] = sums_before_[i] + d.atoms[i].probability.nearest;
  }

  // P(W >= w) is at least this.
  [[nodiscard]] Rational lower(const Total& w) const {
    const std::size_t i = first(w, 0);
    if (d_.sample) return std::max(Rational(from(i).lower - band()), Rational(0));
    const bool rest_is_above = !d_.rest || d_.rest->from >= w;
    if (i == 0 && rest_is_above) return 1;
    Rational bound = from(i).lower;
    if (d_.rest) {
      const Rational below = before(i).upper + (rest_is_above ? Rational(0) : rest());
      bound = std::max(bound, Rational(1 - below));
    }
    return std::max(bound, Rational(0));
  }

  // P(W >= w) is at most this.
  [[nodiscard]] Rational upper(const Total& w) const {
    const std::size_t i = first(w, d_.slack);
    if (d_.sample) return std::min(Rational(from(i).upper + band()), Rational(1));
    const bool rest_may_be_above = d_.rest && raised(d_.rest->to, d_.slack) >= w;
    if (i == 0 && (!d_.rest || rest_may_be_above)) return 1;
    if (i == d_.atoms.size() && !rest_may_be_above) return 0;
    Rational bound = from(i).upper;
    if (rest_may_be_above) bound += rest();
    if (d_.rest) bound = std::min(bound, Rational(1 - before(i).lower));
    return std::min(bound, Rational(1));
  }

  // The last i for which holds(i), a property that is lost as i grows; the number of atoms if there
  // is none.
  template <class Holds>
  [[nodiscard]] std::size_t last(const Holds& holds) const {
    const std::size_t beyond = first_without(0, d_.atoms.size(), holds);
    return beyond == 0 ? d_.atoms.size() : beyond - 1;
  }

 private:
  // The first atom that reaches w, or may reach it with this slack.
  [[nodiscard]] std::size_t first(const Total& w, const Rational& slack) const {
    const auto found = std::ranges::partition_point(
        d_.atoms, [&](const Atom& atom) { return raised(atom.wealth, slack) < w; });
    return static_cast<std::size_t>(found - d_.atoms.begin());
  }
  [[nodiscard]] ProbabilityBracket from(std::size_t i) const {
    if (!exact_.empty()) return {exact_[i], exact_[i]};
    return around(sums_[i]);
  }
  [[nodiscard]] ProbabilityBracket before(std::size_t i) const {
    if (exact_.empty()) return around(sums_before_[i]);
    const Rational sum = exact_[0] - exact_[i];
    return {sum, sum};
  }
  [[nodiscard]] ProbabilityBracket around(double sum) const {
    const Rational value(sum);
    const Rational error = value * Rational(d_.relative_error) + Rational(d_.absolute_error);
    return {value - error, value + error};
  }
  [[nodiscard]] Rational rest() const { return Rational(d_.rest->probability); }
  [[nodiscard]] Rational band() const { return Rational(d_.sample->band); }

  const Distribution& d_;
  std::vector<Rational> exact_;
  std::vector<double> sums_;         // of the atoms from i on
  std::vector<double> sums_before_;  // of those before i, with a rest
};

}  // namespace

Value Distribution::at_least(const Total& wealth) const {
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

ProbabilityBracket Distribution::at_least_bracket(const Total& wealth) const {
  const Tails tails(*this);
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
  const Total& first = atoms.front().wealth;
  const Total& last = atoms.back().wealth;
  const Total least = rest ? std::min(rest->from, first) : first;
  const Total greatest = raised(rest ? std::max(rest->to, last) : last, slack);
  // Theta 1 asks for certainty: only the least total has it. Theta 0 asks for possibility, and
  // every atom has that, whatever its size. A sample has met no more than it has met.
  if (theta == 1) return {tau, side, least, raised(first, slack), sample.has_value(), false};
  if (theta == 0) return {tau, side, last, greatest, false, sample.has_value()};
  const Tails tails(*this);
  const auto is_certain = [&](const Total& w) { return reaches(tails.lower(w), theta, side); };
  const auto is_possible = [&](const Total& w) { return reaches(tails.upper(w), theta, side); };
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
    const Total end = raised(rest->to, slack);
    if (is_certain(rest->from)) found.lower = std::max(found.lower, rest->from);
    if (is_possible(end)) found.upper = std::max(found.upper, end);
  }
  if (sample) {
    found.open_below = certain == none;
    found.open_above = reaches(Rational(sample->band), theta, side);
  }
  return found;
}

}  // namespace quantiplan
