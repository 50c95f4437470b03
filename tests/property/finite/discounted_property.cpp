// Discounting at an infinite horizon: brackets against exact chances. A discount of 1/k makes the unfolding
// finite, so that the chance of any one target is known exactly.
#include <gtest/gtest.h>

#include <map>

#include "harness/aimed_case.hpp"
#include "harness/comparisons.hpp"
#include "harness/random_model.hpp"
#include "oracles/discounted_play.hpp"
#include "oracles/unfolding.hpp"

namespace quantiplan::testing {
namespace {

class DiscountedCase {
 public:
  DiscountedCase(std::uint64_t case_seed, PlainModel plain_model)
      : seed(case_seed), plain(std::move(plain_model)), model(build(plain)) {}
  static bool fits(const PlainModel& plain) {
    return plain.is_infinite() && plain.discount != 1 && plain.discount.get_num() == 1;
  }

  std::uint64_t seed;
  PlainModel plain;
  Model model;

  // Greatest or least P(W >= w). Targets with a large denominator other than powers of k cost much.
  Rational at_least(Aim aim, const Total& wealth) {
    if (wealth.is_miss()) return 1;
    if (wealth == Total::plus_infinity()) return 0;
    const Rational y = wealth.is_finite() ? wealth.value() : Rational(tails_of(plain).least - 1);
    const auto [at, is_new] = known_.try_emplace({aim, y}, 0);
    if (is_new) at->second = chance(unfold(plain, y), aim);
    return at->second;
  }
  // The next multiple of k^-n, about 1/250.
  [[nodiscard]] Rational rounded(const Total& wealth, bool up) const {
    const Rational scale = plain.discount.get_den() == 2 ? Rational(256) : Rational(243);
    const Rational scaled = wealth.value() * scale;
    Integer whole;
    (up ? mpz_cdiv_q : mpz_fdiv_q)(
        whole.get_mpz_t(), scaled.get_num_mpz_t(), scaled.get_den_mpz_t());
    return Rational(whole) / scale;
  }
  [[nodiscard]] Query query(Aim aim) {
    Dice dice(seed ^ 0x646973636FU);
    Query query{{0, 1}, Sides::both, AimedCase::setting(aim), false};
    query.taus.emplace_back(static_cast<unsigned long>(dice.between(1, 96)), 97);
    for (const int y : {0, 1})
      if (dice.one_in(2)) query.taus.emplace_back(1 - at_least(aim, y));
    return query;
  }

 private:
  std::map<std::pair<Aim, Rational>, Rational> known_;
};

Options some_options(Dice& dice) {
  Options options;
  options.threads = dice.one_in(2) ? 1 : 3;
  options.time_limit_seconds = patience_seconds();
  if (dice.one_in(3)) options.epsilon = Rational(1, 20);
  if (dice.one_in(4)) options.engine = Engine::lattice;
  return options;
}

std::string discounted_name(const Options& options) {
  std::string name = options.engine == Engine::lattice ? "lattice" : "automatic";
  if (options.epsilon) name += ", epsilon " + shown(*options.epsilon);
  return name;
}

void require_bracket(DiscountedCase& c, Aim aim, const Result& result, const std::string& where) {
  require(result.status == Status::solved, where + "status " + std::string(to_text(result.status)));
  const auto enough = [&](const Total& w) {
    return suffices(c.at_least(aim, w), result.tau, result.side);
  };
  const Total low = result.quantile->is_finite() ? Total(c.rounded(*result.quantile, false))
                                                 : result.quantile->total();
  require(enough(low), where + "lower end " + shown(*result.quantile) + " is above the optimum");
  if (*result.upper == Total::plus_infinity()) return;
  Total above = Total::minus_infinity();
  if (result.upper->is_finite())
    above = Rational(c.rounded(*result.upper, true) + Rational(1, 1000));
  if (above.is_finite()) above = c.rounded(above, true);
  require(!enough(above), where + "upper end " + shown(*result.upper) + " is below the optimum");
}

QUANTIPLAN_PROPERTY_OF(DiscountedCase, DiscountedInfiniteBracketsHold, discounted_model, 0.1) {
  Dice dice(c.seed ^ 0x627261636B6574U);
  for (const Aim aim : kBothAims) {
    const Options options = some_options(dice);
    for (const Result& result : solve(c.model, c.query(aim), options).results) {
      const std::string where = place(discounted_name(options), result.tau, result.side);
      require(result.quantile.has_value() && result.upper.has_value(), where + "no bracket");
      require_bracket(c,
                      aim,
                      result,
                      name_of(aim) + " " + where + "[" + shown(*result.quantile) + ", " +
                          shown(*result.upper) + "]: ");
    }
  }
}

QUANTIPLAN_PROPERTY_OF(DiscountedCase, DiscountedInfiniteThresholdsHold, discounted_model, 0.1) {
  Dice dice(c.seed ^ 0x74687265U);
  const std::vector<Total> targets{0, 1, -1, Rational(1, 2), Total::minus_infinity(), 50, -50};
  for (const Aim aim : kBothAims) {
    const Options options = some_options(dice);
    const ThresholdAnswer answer = threshold(c.model, {targets, AimedCase::setting(aim)}, options);
    for (const ThresholdResult& result : answer.results) {
      const std::string where = name_of(aim) + ", target " + shown(result.target) + ": ";
      require(result.probability.has_value(), where + "no probability");
      const auto end = [](const Value& v) { return v.exact.value_or(Rational(v.nearest)); };
      const Rational low = end(*result.probability);
      const Rational high = end(result.upper.value_or(*result.probability));
      const Rational truth = c.at_least(aim, result.target);
      require(low <= truth && truth <= high,
              where + "[" + shown(low) + ", " + shown(high) + "] misses the truth " + shown(truth));
    }
  }
}

QUANTIPLAN_PROPERTY_OF(DiscountedCase,
                       DiscountedInfinitePoliciesKeepTheirWord,
                       discounted_model,
                       0.1) {
  Dice dice(c.seed ^ 0x706F6C69U);
  for (const Aim aim : kBothAims) {
    const Options options = some_options(dice);
    const Answer answer = solve(c.model, c.query(aim), options);
    for (const Result& result : answer.results) {
      if (!result.policy || !result.quantile->is_finite()) continue;
      const std::string where =
          name_of(aim) + " " + place(discounted_name(options), result.tau, result.side);
      const Policy policy = result.policy();
      if (aim == Aim::greatest) {
        const Rational most =
            play_discounted(c.plain, c.model, policy, result.quantile->value()).upper;
        require(suffices(most, result.tau, result.side),
                where + "the policy reaches " + shown(*result.quantile) + " with " + shown(most) +
                    " at most");
        if (!c.plain.goal.empty()) continue;  // evaluate() refuses these
        const Distribution law = evaluate(c.model, policy);
        const ProbabilityBracket found = law.at_least_bracket(*result.quantile);
        const ProbabilityBracket truth =
            play_discounted(c.plain, c.model, policy, result.quantile->value());
        require(found.lower <= truth.upper && truth.lower <= found.upper,
                where + "evaluate() has P(W >= " + shown(*result.quantile) + ") in [" +
                    shown(found.lower) + ", " + shown(found.upper) + "], must be in [" +
                    shown(truth.lower) + ", " + shown(truth.upper) + "]");
      } else if (result.upper->is_finite()) {
        const Rational above = result.upper->value() + Rational(1, 1'000'000);
        const Rational least = play_discounted(c.plain, c.model, policy, above).lower;
        require(!suffices(least, result.tau, result.side),
                where + "the adversary leaves " + shown(least) + " for more than " +
                    shown(*result.upper));
      }
    }
  }
}

QUANTIPLAN_PROPERTY_OF(DiscountedCase, DiscountedInfiniteChecksPass, discounted_model, 0.05) {
  Dice dice(c.seed ^ 0x636865U);
  for (const Aim aim : kBothAims) {
    Options options = some_options(dice);
    options.check = true;
    for (const Result& result : solve(c.model, c.query(aim), options).results) {
      require(result.check.has_value(),
              place(discounted_name(options), result.tau, result.side) + "no check");
      // Of misses on a grid nothing is claimed.
      const bool misses = result.quantile->is_miss() || result.upper->is_miss();
      if (misses && result.check->nothing_to_check) continue;
      require(result.check->passed,
              name_of(aim) + " " + place(discounted_name(options), result.tau, result.side) +
                  "check " + verdict(*result.check));
    }
  }
}

}  // namespace
}  // namespace quantiplan::testing
