#include "numbers/probability_sum.hpp"

#include <numeric>

namespace quantiplan {
namespace {

// With p <= 1, a term is at most L: 2^32 terms stay below 2^94.
constexpr Int128 kMostDenominator = Int128{1} << 62;

Rational quotient(Int128 numerator, std::int64_t denominator) {
  const auto low = static_cast<std::uint64_t>(numerator & 0xFFFFFFFF);
  Integer top(static_cast<long>(numerator >> 32));
  top <<= 32;
  top += Integer(static_cast<unsigned long>(low));
  Rational value(top, Integer(static_cast<long>(denominator)));
  value.canonicalize();
  return value;
}

}  // namespace

bool ProbabilitySum::add_small(const Fraction& probability) {
  if (denominator_ % probability.denominator != 0) {
    const std::int64_t factor =
        probability.denominator / std::gcd(denominator_, probability.denominator);
    const Int128 common = Int128{denominator_} * factor;
    if (common > kMostDenominator) return false;
    denominator_ = static_cast<std::int64_t>(common);
    numerator_ *= factor;
  }
  numerator_ += Int128{probability.numerator} * (denominator_ / probability.denominator);
  return true;
}

bool ProbabilitySum::add(const Number& probability) {
  if (!wide_) {
    if (probability.small() != nullptr && add_small(*probability.small())) return true;
    total_ = quotient(numerator_, denominator_);
    wide_ = true;
  }
  total_ += probability.rational();
  return mpz_sizeinbase(total_.get_den_mpz_t(), 2) <= kMostBits;
}

bool ProbabilitySum::is_one() const { return wide_ ? total_ == 1 : numerator_ == denominator_; }

Rational ProbabilitySum::value() const {
  return wide_ ? total_ : quotient(numerator_, denominator_);
}

Number ProbabilitySum::share(const Number& probability) const {
  if (!wide_ && probability.small() != nullptr) {
    const Fraction& p = *probability.small();
    if (denominator_ % p.denominator == 0) {
      // n/d : N/L = n (L/d) / N, and the numerator is at most L < 2^63.
      if (const auto small =
              reduced(Int128{p.numerator} * (denominator_ / p.denominator), numerator_)) {
        return Number(*small);
      }
    }
  }
  return Number(Rational(probability.rational() / value()));
}

}  // namespace quantiplan
