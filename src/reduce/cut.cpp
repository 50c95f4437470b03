#include "reduce/cut.hpp"

#include <algorithm>
#include <cmath>
#include <optional>

#include "numbers/directed.hpp"
#include "quantiplan/error.hpp"

namespace quantiplan {
namespace {

// gamma^steps times a tail, on the safe side of it.
Rational discounted(const Rational& gamma, std::uint64_t steps, double tail, bool down) {
  const bool smaller = (tail > 0) == down;
  // pow errs by less than a unit in the last place or two; exponent and base are exact.
  const double power =
      std::pow(smaller ? round_down(gamma) : round_up(gamma), static_cast<double>(steps));
  const Rational slack(smaller ? 1 - 0x1p-40 : 1 + 0x1p-40);
  return Rational(smaller ? power : power + 0x1p-1074) * slack * Rational(tail);
}

}  // namespace

Cut cut_at(const Model& model,
           const ResolvedSetting& setting,
           std::uint64_t steps,
           Tails tails,
           const Limits& limits) {
  Cut cut;
  cut.steps = steps;
  cut.here = states_at(model, setting, steps, limits);
  const TailRange range = tail_range(model, setting, tails, cut.here);
  cut.sure = discounted(setting.discount, steps, range.sure, true);
  cut.least = discounted(setting.discount, steps, range.least, true);
  cut.greatest = discounted(setting.discount, steps, range.greatest, false);
  cut.tails = std::move(tails);
  return cut;
}

Cut cut_of(const Model& model,
           const ResolvedSetting& setting,
           const Options& options,
           const Limits& limits) {
  Tails tails = tails_of(model, setting, limits);
  const Rational range = range_from_start(setting, tails);
  Rational epsilon = options.epsilon.value_or(Rational(range / 1000));
  if (epsilon <= 0) epsilon = 1;  // nothing can be collected
  const TailRange tail = tail_range(model, setting, tails, states_met(model, setting));
  const double widest = tail.greatest - tail.sure;
  const double wanted = std::log(to_nearest_double(epsilon) / 2 / std::max(widest, 1e-300)) /
                        std::log(to_nearest_double(setting.discount));
  constexpr double kMost = 1e9;
  if (!(wanted < kMost)) {
    throw Error(ErrorCode::refused,
                "discount",
                "so close to 1 that more than 10^9 steps matter to epsilon; expected a wider "
                "--epsilon, a smaller --discount, or none");
  }
  const auto steps = static_cast<std::uint64_t>(std::max(1.0, std::ceil(wanted)));
  Cut cut = cut_at(model, setting, steps, std::move(tails), limits);
  cut.epsilon = epsilon;
  return cut;
}

std::pair<Rational, Rational> returns_of(const Cut& cut, const InitialStates& initial) {
  std::optional<Rational> least;
  std::optional<Rational> greatest;
  for (const auto& [state, mu] : initial) {
    const Rational low(cut.tails.least[index(state)]);
    const Rational high(cut.tails.greatest[index(state)]);
    if (!least || low < *least) least = low;
    if (!greatest || high > *greatest) greatest = high;
  }
  return {*least, *greatest};
}

Rational shortened(const Rational& bound, const Rational& epsilon, bool down) {
  const int digits = static_cast<int>(std::ceil(3 - std::log10(to_nearest_double(epsilon))));
  Integer power;
  mpz_ui_pow_ui(power.get_mpz_t(), 10, static_cast<unsigned long>(std::abs(digits)));
  const Rational unit = digits >= 0 ? Rational(Integer(1), power) : Rational(power);
  const Rational steps = bound / unit;
  Integer whole;
  if (down) {
    mpz_fdiv_q(whole.get_mpz_t(), steps.get_num_mpz_t(), steps.get_den_mpz_t());
  } else {
    mpz_cdiv_q(whole.get_mpz_t(), steps.get_num_mpz_t(), steps.get_den_mpz_t());
  }
  return Rational(whole) * unit;
}

std::optional<Rational> open_wealth(const Utility& utility,
                                    const Rational& least,
                                    const Rational& greatest,
                                    const std::optional<Rational>& epsilon) {
  constexpr int kSamples = 64;
  constexpr double kSteepest = 1e9;
  if (least >= greatest) return std::nullopt;
  const Rational cell = (greatest - least) / kSamples;
  const Rational step = cell / 1024;
  const auto worth = [&](const Rational& x) { return utility.enclose(x).lower; };
  double steepest = 0;
  for (int i = 0; i <= kSamples; ++i) {
    // Off the round numbers, where tables have their steps.
    const Rational x = least + cell * i + step / 7;
    const double rise = worth(x + step) - worth(x);
    if (!std::isfinite(rise)) return std::nullopt;
    steepest = std::max(steepest, std::abs(rise) / step.get_d());
  }
  const double range = std::abs(worth(greatest) - worth(least));
  if (!std::isfinite(range) || range <= 0 || steepest <= 0) return std::nullopt;
  const Rational open = epsilon.value_or(Rational(range / 1000));
  return Rational(open / Rational(std::min(steepest, kSteepest)));
}

}  // namespace quantiplan
