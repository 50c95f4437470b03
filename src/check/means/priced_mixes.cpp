#include "check/means/priced_mixes.hpp"

#include <limits>

namespace quantiplan::checking {

Rational long_roundoff() {
  Rational u(1);
  mpq_div_2exp(u.get_mpq_t(), u.get_mpq_t(), std::numeric_limits<long double>::digits);
  return u;
}

std::optional<Bounds> sum_of_prices(long double value,
                                    std::uint64_t horizon,
                                    std::size_t most_outcomes) {
  if (!std::isfinite(value)) return std::nullopt;
  const Integer steps(static_cast<unsigned long>(horizon));
  const Integer outcomes(static_cast<unsigned long>(most_outcomes));
  const Rational error = Rational(steps * (outcomes + 4)) * long_roundoff();
  if (error > Rational(1, 4)) return std::nullopt;
  // What underflows.
  constexpr mp_bitcnt_t kLeast = 16000;
  Rational lost = Rational(steps * (outcomes + 2));
  mpq_div_2exp(lost.get_mpq_t(), lost.get_mpq_t(), kLeast);
  const Rational paid = to_rational(-value);
  return Bounds{paid * (1 - error) - lost, paid * (1 + 2 * error) + lost};
}

}  // namespace quantiplan::checking
