#include "infinite/levels/weights.hpp"

#include <algorithm>

namespace quantiplan {
namespace {

// |r| of each reward that is met, by number id; the others are 0.
std::vector<Rational> sizes_met(const Moves& moves) {
  std::vector<Rational> sizes(moves.model.rewards().size());
  std::vector<bool> known(sizes.size(), false);
  for (const NumberId id : moves.reward) {
    if (known[index(id)]) continue;
    known[index(id)] = true;
    sizes[index(id)] = abs(moves.model.rewards().rational(id));
  }
  return sizes;
}

std::optional<Weights> in_units(const Moves& moves,
                                const std::vector<Rational>& sizes,
                                const Rational& unit,
                                Rounding rounding) {
  constexpr std::size_t kMostBits = 61;
  Weights out;
  out.unit = unit;
  std::vector<std::uint64_t> of_number(sizes.size(), 0);
  for (std::size_t i = 0; i < sizes.size(); ++i) {
    if (sizes[i] == 0) continue;
    const Rational steps = sizes[i] / unit;
    Integer whole;
    if (rounding == Rounding::down) {
      mpz_fdiv_q(whole.get_mpz_t(), steps.get_num_mpz_t(), steps.get_den_mpz_t());
    } else {
      mpz_cdiv_q(whole.get_mpz_t(), steps.get_num_mpz_t(), steps.get_den_mpz_t());
    }
    if (mpz_sizeinbase(whole.get_mpz_t(), 2) > kMostBits) return std::nullopt;
    if (steps.get_den() != 1) out.is_exact = false;
    of_number[i] = whole.get_ui();
  }
  out.distinct = of_number;
  out.distinct.push_back(0);
  std::ranges::sort(out.distinct);
  out.distinct.erase(std::unique(out.distinct.begin(), out.distinct.end()), out.distinct.end());
  out.of_arc.reserve(moves.reward.size());
  for (const NumberId id : moves.reward) {
    const auto found = std::ranges::lower_bound(out.distinct, of_number[index(id)]);
    out.of_arc.push_back(static_cast<std::uint32_t>(found - out.distinct.begin()));
  }
  return out;
}

}  // namespace

std::optional<Weights> exact_weights(const Moves& moves) {
  const std::vector<Rational> sizes = sizes_met(moves);
  // gcd of fractions: gcd of numerators over lcm of denominators.
  Integer numerator = 0;
  Integer denominator = 1;
  for (const Rational& size : sizes) {
    if (size == 0) continue;
    numerator = gcd(numerator, size.get_num());
    denominator = lcm(denominator, size.get_den());
    constexpr std::size_t kHopeless = 1 << 16;
    if (mpz_sizeinbase(denominator.get_mpz_t(), 2) > kHopeless) return std::nullopt;
  }
  const Rational unit = numerator == 0 ? Rational(1) : Rational(numerator, denominator);
  return in_units(moves, sizes, unit, Rounding::down);
}

std::optional<Weights> rounded_weights(const Moves& moves,
                                       const Rational& unit,
                                       Rounding rounding) {
  return in_units(moves, sizes_met(moves), unit, rounding);
}

Rational greatest_reward_size(const Moves& moves) {
  const std::vector<Rational> sizes = sizes_met(moves);
  return *std::ranges::max_element(sizes);
}

}  // namespace quantiplan
