#include "check/finite/mixes.hpp"

#include <cmath>
#include <limits>

#include "numbers/floor.hpp"

namespace quantiplan::checking {
namespace {

using Long = std::numeric_limits<long double>;

Rational power_of_two(long exponent) {
  Rational power(1);
  if (exponent >= 0) {
    mpq_mul_2exp(power.get_mpq_t(), power.get_mpq_t(), static_cast<mp_bitcnt_t>(exponent));
  } else {
    mpq_div_2exp(power.get_mpq_t(), power.get_mpq_t(), static_cast<mp_bitcnt_t>(-exponent));
  }
  return power;
}

}  // namespace

Rational to_rational(long double value) {
  int exponent = 0;
  long double rest = std::frexp(value, &exponent);
  Rational sum = 0;
  // A double takes the first digits that are left, and what it rounds is taken back by the next.
  while (rest != 0) {
    const auto part = static_cast<double>(rest);
    sum += Rational(part);
    rest -= part;
  }
  return sum * power_of_two(exponent);
}

long double to_long_double(const Rational& value) {
  if (value <= 0) return 0;
  // The first `digits` bits, cut: half of them at a time fit an unsigned long.
  const auto bits = [](const Integer& n) {
    return static_cast<long>(mpz_sizeinbase(n.get_mpz_t(), 2));
  };
  const long shift = Long::digits + 1 - (bits(value.get_num()) - bits(value.get_den()));
  const Rational scaled = value * power_of_two(shift);
  const Integer digits = floor_of(scaled);
  constexpr unsigned kPart = 32;
  long double result = 0;
  // At most digits + 2 bits: the last step may round once.
  const long parts = (bits(digits) + kPart - 1) / kPart;
  for (long i = parts; i-- > 0;) {
    const Integer part = (digits >> static_cast<mp_bitcnt_t>(i * kPart)) & 0xFFFFFFFFUL;
    result += std::ldexp(static_cast<long double>(part.get_ui()), static_cast<int>(i * kPart));
  }
  return std::ldexp(result, static_cast<int>(-shift));
}

namespace {

template <class Float>
Bounds bounds_in(Float value, std::uint64_t horizon, std::size_t most_outcomes) {
  using Digits = std::numeric_limits<Float>;
  const Integer steps(static_cast<unsigned long>(horizon));
  const Integer outcomes(static_cast<unsigned long>(most_outcomes));
  const Integer roundings = steps * (outcomes + 3);
  const Integer inverse = Integer(1) << Digits::digits;  // 1 / u
  if (4 * roundings >= inverse) return {0, 1};
  Rational error(roundings, inverse - roundings);
  error.canonicalize();
  const Rational lost =
      Rational(2 * steps * (outcomes + 1)) * power_of_two(Digits::min_exponent - Digits::digits);
  const Rational exact = to_rational(value);
  Bounds bounds{exact * (1 - error) - lost, exact * (1 + 2 * error) + lost};
  if (bounds.low < 0) bounds.low = 0;
  if (bounds.high > 1) bounds.high = 1;
  return bounds;
}

}  // namespace

Bounds bounds_of(long double value, std::uint64_t horizon, std::size_t most_outcomes) {
  return bounds_in(value, horizon, most_outcomes);
}

Bounds bounds_of(double value, std::uint64_t horizon, std::size_t most_outcomes) {
  return bounds_in(value, horizon, most_outcomes);
}

#if defined(__x86_64__)
namespace {

__attribute__((target("avx2"))) void add_wide(double* sum,
                                              double p,
                                              const double* values,
                                              std::size_t count) {
  for (std::size_t k = 0; k < count; ++k) sum[k] += p * values[k];
}
const bool kIsWide = __builtin_cpu_supports("avx2") != 0;

}  // namespace
#endif

void add_scaled(double* sum, double p, const double* values, std::size_t count) {
#if defined(__x86_64__)
  if (kIsWide) return add_wide(sum, p, values, count);
#endif
  for (std::size_t k = 0; k < count; ++k) sum[k] += p * values[k];
}

}  // namespace quantiplan::checking
