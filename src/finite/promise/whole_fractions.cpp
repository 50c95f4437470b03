#include "finite/promise/whole_fractions.hpp"

namespace quantiplan {

std::optional<WholeNumerators> whole_numerators(const std::vector<Rational>& probabilities,
                                                std::uint64_t steps) {
  constexpr std::size_t kMostBits = 1U << 14U;
  Integer common = 1;
  for (const Rational& p : probabilities) {
    common = lcm(common, p.get_den());
    if (mpz_sizeinbase(common.get_mpz_t(), 2) * steps > kMostBits) return std::nullopt;
  }
  WholeNumerators out{{}, common};
  out.numerators.reserve(probabilities.size());
  for (const Rational& p : probabilities)
    out.numerators.emplace_back(p.get_num() * (common / p.get_den()));
  return out;
}

Rational fraction(const Integer& numerator, const Integer& power, const Integer& denominator) {
  if (numerator == 0) return 0;
  if (numerator == power) return 1;
  // Each round takes a factor of D; where there are many, Euclid is faster.
  constexpr int kMostRounds = 8;
  Rational out(numerator, power);
  for (int round = 0; round < kMostRounds; ++round) {
    const Integer part = gcd(out.get_num(), denominator);
    const Integer both = gcd(part, out.get_den());
    if (both == 1) return out;
    mpz_divexact(mpq_numref(out.get_mpq_t()), mpq_numref(out.get_mpq_t()), both.get_mpz_t());
    mpz_divexact(mpq_denref(out.get_mpq_t()), mpq_denref(out.get_mpq_t()), both.get_mpz_t());
  }
  out.canonicalize();
  return out;
}

}  // namespace quantiplan
