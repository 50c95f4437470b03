// Bounds of the probabilities P(W >= w) of a distribution that is known with errors.
#pragma once

#include <algorithm>
#include <cstddef>
#include <vector>

#include "base/first_without.hpp"
#include "quantiplan/distribution.hpp"

namespace quantiplan {

// What a total that was rounded down may be at most; a miss or an infinity is what it is.
inline Total raised(const Total& total, const Rational& slack) {
  return total.is_finite() ? Total(Rational(total.value() + slack)) : total;
}
// Classes are never rounded.
inline Level raised(const Level& level, const Rational& slack) {
  return level.is_class() ? level : Level(raised(level.total(), slack));
}

// Bounds of P(W >= w) for any w, A the wealth as it is counted: rounded down if there is slack.
//
//     computed: exact, or d (1 -+ relative) -+ absolute        all mass lies in atoms and rest
//     sampled:  share -+ band                                  nothing is known beyond the atoms
//
// What is bounded from both ends is close to the truth near 0 and near 1; otherwise near 0 alone, unless
// there is a rest.
//
// The rest is some mass in [0, its bound], somewhere from rest.from to rest.to: at least w for
// certain if `from` is, possibly if `to` is. What atoms and rest leave open from above, the mass
// below bounds as well, for all of it together is 1.
class TailBounds {
 public:
  explicit TailBounds(const Distribution& d, bool from_both_ends = false)
      : d_(d), from_both_ends_(d.rest || from_both_ends) {
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
    if (!from_both_ends_) return;
    sums_before_.resize(count + 1);
    for (std::size_t i = 0; i < count; ++i)
      sums_before_[i + 1] = sums_before_[i] + d.atoms[i].probability.nearest;
  }

  [[nodiscard]] bool is_exact() const { return !exact_.empty(); }

  // P(W >= w) is at least this.
  [[nodiscard]] Rational lower(const Level& w) const {
    const std::size_t i = first(w, 0);
    if (d_.sample) return std::max(Rational(from(i).lower - band()), Rational(0));
    const bool rest_is_above = !d_.rest || d_.rest->from >= w;
    if (i == 0 && rest_is_above) return 1;
    Rational bound = from(i).lower;
    if (from_both_ends_) {
      const Rational below = before(i).upper + (rest_is_above ? Rational(0) : rest());
      bound = std::max(bound, Rational(1 - below));
    }
    return std::max(bound, Rational(0));
  }

  // P(W >= w) is at most this.
  [[nodiscard]] Rational upper(const Level& w) const {
    const std::size_t i = first(w, d_.slack);
    if (d_.sample) return std::min(Rational(from(i).upper + band()), Rational(1));
    const bool rest_may_be_above = d_.rest && raised(d_.rest->to, d_.slack) >= w;
    if (i == 0 && (!d_.rest || rest_may_be_above)) return 1;
    if (i == d_.atoms.size() && !rest_may_be_above) return 0;
    Rational bound = from(i).upper;
    if (rest_may_be_above) bound += rest();
    if (from_both_ends_) bound = std::min(bound, Rational(1 - before(i).lower));
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
  [[nodiscard]] std::size_t first(const Level& w, const Rational& slack) const {
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
  bool from_both_ends_;
  std::vector<Rational> exact_;
  std::vector<double> sums_;         // of the atoms from i on
  std::vector<double> sums_before_;  // of those before i, from both ends
};

}  // namespace quantiplan
