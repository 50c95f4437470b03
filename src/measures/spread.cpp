#include "measures/spread.hpp"

#include <algorithm>
#include <cmath>

namespace quantiplan {
namespace {

Rational squared(const Rational& x) { return x * x; }

Rational known_probability(const Atom& atom) {
  return atom.probability.exact ? *atom.probability.exact : Rational(atom.probability.nearest);
}

// sqrt(variance): exactly where the root is rational.
Enclosure root(const Rational& lower, const Rational& upper) {
  if (lower == upper && mpz_perfect_square_p(lower.get_num_mpz_t()) != 0 &&
      mpz_perfect_square_p(lower.get_den_mpz_t()) != 0) {
    return Enclosure(Rational(sqrt(lower.get_num()), sqrt(lower.get_den())));
  }
  return sqrt(Enclosure::between(lower, upper));
}

// The sum of p u, where u is known by a double on one side of it.
Total sum_of_ends(const Law& law, const Utility& utility, double Utility::Bounds::*end) {
  Rational sum = 0;
  for (const LawAtom& atom : law) {
    const double u = utility.enclose(atom.wealth.value()).*end;
    if (!std::isfinite(u)) return u < 0 ? Total::minus_infinity() : Total::plus_infinity();
    sum += atom.probability * Rational(u);
  }
  return Total(sum);
}

}  // namespace

Enclosure deviation_of(const Distribution& d) {
  Rational mass = 0;
  Rational sum = 0;
  for (const Atom& atom : d.atoms) {
    const Rational p = known_probability(atom);
    mass += p;
    sum += p * atom.wealth.value();
  }
  const Rational centre = sum / mass;
  Rational spread = 0;
  Rational greatest = 0;
  for (const Atom& atom : d.atoms) {
    const Rational square = squared(atom.wealth.value() - centre);
    spread += known_probability(atom) * square;
    greatest = std::max(greatest, square);
  }
  const Rational relative(d.sample ? 0.0 : d.relative_error);
  const Rational lost = Rational(d.absolute_error) * greatest *
                        Rational(Integer(static_cast<unsigned long>(d.atoms.size())));
  Rational upper = (1 + relative) * spread + lost;
  if (d.rest) {
    upper += Rational(d.rest->probability) *
             std::max(squared(d.rest->from.value() - centre), squared(d.rest->to.value() - centre));
  }
  const Rational lower = std::max(Rational((1 - relative) * spread - lost), Rational(0));
  Enclosure found =
      root(d.sample ? Rational(spread / mass) : lower, d.sample ? Rational(spread / mass) : upper);
  if (d.slack == 0) return found;
  const Rational half = d.slack / 2;
  return not_negative(found + Enclosure::between(-half, half));
}

TotalBracket expected_utility(const Law& law, const Utility& utility) {
  if (!utility.is_exact()) {
    return {sum_of_ends(law, utility, &Utility::Bounds::lower),
            sum_of_ends(law, utility, &Utility::Bounds::upper)};
  }
  Rational sum = 0;
  for (const LawAtom& atom : law) sum += atom.probability * utility.exactly(atom.wealth.value());
  return {Total(sum), Total(sum)};
}

}  // namespace quantiplan
