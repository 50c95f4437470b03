// Entropic risk, EVaR and nested CVaR against every policy there is.
#include <gtest/gtest.h>

#include <algorithm>
#include <optional>
#include <utility>
#include <vector>

#include "harness/aimed_case.hpp"
#include "harness/harness.hpp"
#include "harness/random_model.hpp"
#include "markov/markov_optimum.hpp"
#include "numbers/enclosure.hpp"
#include "oracles/brute_force.hpp"
#include "quantiplan/measures.hpp"
#include "quantiplan/solve.hpp"

namespace quantiplan::testing {
namespace {

// More policies than this are not enumerated.
constexpr std::size_t kMostPolicies = 100;
constexpr mpfr_prec_t kBits = 300;

Distribution distribution_of(const Law& law) {
  Distribution d;
  for (const auto& [wealth, p] : law) d.atoms.push_back({wealth, Value::exactly(p)});
  return d;
}

// The formula as it stands, wealth counted from the least.
Enclosure entropic_by_definition(const Law& law, const Rational& beta) {
  const Rational& least = law.begin()->first.value();
  Enclosure sum(Rational(0), kBits);
  for (const auto& [wealth, p] : law)
    sum += Enclosure(p, kBits) * exp(Enclosure(Rational(-beta * (wealth.value() - least)), kBits));
  return Enclosure(least, kBits) - log(sum) / Enclosure(beta, kBits);
}

// The mean of the worst share tau, by definition.
Rational cvar_by_definition(const std::vector<std::pair<Rational, Rational>>& sorted,
                            const Rational& tau) {
  if (tau == 0) return sorted.front().first;
  Rational left = tau;
  Rational sum = 0;
  for (const auto& [value, p] : sorted) {
    const Rational taken = std::min(left, p);
    sum += taken * value;
    left -= taken;
  }
  return sum / tau;
}

Rational nested_by_definition(const PlainModel& plain, const Rational& tau) {
  std::vector<Rational> values(plain.states.size());
  for (std::uint64_t step = 0; step < plain.horizon; ++step) {
    std::vector<Rational> next(plain.states.size());
    for (std::size_t state = 0; state < plain.states.size(); ++state) {
      std::optional<Rational> best;
      for (const PlainChoice& choice : plain.states[state].choices) {
        std::vector<std::pair<Rational, Rational>> outcomes;
        for (const PlainOutcome& o : choice.outcomes)
          outcomes.emplace_back(plain.counted(o) + plain.discount * values[o.next], o.probability);
        std::ranges::sort(outcomes);
        const Rational value = cvar_by_definition(outcomes, tau);
        if (!best || value > *best) best = value;
      }
      next[state] = best.value_or(0);
    }
    values = std::move(next);
  }
  return values[plain.initial];
}

bool is_any_missed(const Law& law) { return law.begin()->first.is_miss(); }

const std::vector<Rational>& some_taus() {
  static const std::vector<Rational> taus = {Rational(1, 20), Rational(1, 2), Rational(9, 10)};
  return taus;
}

// What is said of a bracket, and of the policy that belongs to its lower end.
void require_optimum(const MarkovOptimum& found,
                     const Rational& least,
                     const Rational& greatest,
                     const Rational& epsilon,
                     const std::string& where) {
  require(found.status == Status::solved, where + "is not solved");
  require(
      found.lower <= Total(greatest) && found.upper >= Total(least),
      where + shown(least) + " is not in [" + shown(found.lower) + ", " + shown(found.upper) + "]");
  require(found.upper.value() - found.lower.value() <= epsilon, where + "is wider than epsilon");
}

void require_policy(const Model& model,
                    const MarkovOptimum& found,
                    const MeasureQuery& query,
                    const std::string& where) {
  const auto own = measure(evaluate(model, found.policy()), query);
  require(own[0].value && own[0].value->upper >= found.lower,
          where + "its policy has " + shown(own[0].value->upper) + ", not " + shown(found.lower));
}

void check_entropic(const Model& model, const std::vector<Law>& laws, const Rational& epsilon) {
  const ResolvedSetting setting = resolve(model, {});
  for (const Rational& beta : {Rational(1, 1000), Rational(1, 10), Rational(2)}) {
    const std::string where = "entropic " + shown(beta) + ": ";
    std::optional<Rational> least;
    Rational greatest;
    for (const Law& law : laws) {
      if (is_any_missed(law)) continue;
      const Enclosure value = entropic_by_definition(law, beta);
      greatest = least ? std::max(greatest, value.upper_exactly()) : value.upper_exactly();
      least = least ? std::max(*least, value.lower_exactly()) : value.lower_exactly();
    }
    const MarkovOptimum found = entropic_optimum(model, setting, beta, epsilon, {});
    require(found.lower.is_miss() == !least, where + "another opinion on misses");
    if (!least) continue;
    require_optimum(found, *least, greatest, epsilon, where);
    require_policy(model, found, {{Measure::entropic}, {}, {beta}}, where);
  }
}

void check_evar(const Model& model, const std::vector<Law>& laws, const Rational& epsilon) {
  const ResolvedSetting setting = resolve(model, {});
  for (const Rational& tau : some_taus()) {
    const std::string where = "evar " + shown(tau) + ": ";
    const MeasureQuery query{{Measure::evar, Measure::cvar, Measure::worst_case}, {tau}, {}};
    std::optional<Rational> least;
    Rational greatest;
    Rational cvar;
    Rational worst;
    for (const Law& law : laws) {
      if (is_any_missed(law)) continue;
      const auto values = measure(distribution_of(law), query);
      const Rational low = values[0].value->lower.value();
      const Rational high = values[0].value->upper.value();
      const Rational mean_of_worst = values[1].value->lower.value();
      const Rational at_worst = values[2].value->lower.value();
      greatest = least ? std::max(greatest, high) : high;
      cvar = least ? std::max(cvar, mean_of_worst) : mean_of_worst;
      worst = least ? std::max(worst, at_worst) : at_worst;
      least = least ? std::max(*least, low) : low;
    }
    const MarkovOptimum found = evar_optimum(model, setting, tau, epsilon, {});
    require(found.lower.is_miss() == !least, where + "another opinion on misses");
    if (!least) continue;
    require_optimum(found, *least, greatest, epsilon, where);
    require(found.upper >= Total(worst), where + "below the best worst case");
    require(found.lower <= Total(cvar), where + "above the best CVaR");
    require_policy(model, found, {{Measure::evar}, {tau}, {}}, where);
  }
}

// A thousandth of what is at stake, or less.
Rational width_for(const std::vector<Law>& laws) {
  std::optional<Rational> low;
  Rational high;
  for (const Law& law : laws) {
    for (const auto& [wealth, p] : law) {
      if (!wealth.is_finite()) continue;
      high = low ? std::max(high, wealth.value()) : wealth.value();
      low = low ? std::min(*low, wealth.value()) : wealth.value();
    }
  }
  return low && high > *low ? Rational((high - *low) / 1000) : Rational(1, 1000);
}

void check_all_policies(const PlainModel& plain, const Model& model) {
  const auto laws = all_laws(plain, kMostPolicies);
  if (!laws) return;
  const Rational epsilon = width_for(*laws);
  check_entropic(model, *laws, epsilon);
  check_evar(model, *laws, epsilon);
}

QUANTIPLAN_PROPERTY(WealthFreeCriteriaAreTheBestOfAllPolicies, tiny_model, 0.3) {
  check_all_policies(c.plain, c.model);
}

QUANTIPLAN_PROPERTY(WealthFreeCriteriaOfDiscountedTotals, awkward_model, 0.3) {
  check_all_policies(c.plain, c.model);
}

QUANTIPLAN_PROPERTY_OF(AimedCase, WealthFreeCriteriaWithGoals, goal_model, 0.2) {
  if (!c.plain.is_infinite()) check_all_policies(c.plain, c.model);
}

QUANTIPLAN_PROPERTY(NestedCvarIsItsRecursion, awkward_model, 0.5) {
  const ResolvedSetting setting = resolve(c.model, {});
  for (const Rational& tau : {Rational(0), Rational(1, 20), Rational(1, 2), Rational(1)}) {
    const Rational truth = nested_by_definition(c.plain, tau);
    for (const Arithmetic arithmetic : {Arithmetic::exact, Arithmetic::floating}) {
      Options options;
      options.arithmetic = arithmetic;
      const MarkovOptimum found = nested_cvar_optimum(c.model, setting, tau, std::nullopt, options);
      const std::string where = "nested " + shown(tau) + ": ";
      require(found.lower <= Total(truth) && Total(truth) <= found.upper,
              where + shown(truth) + " is not in [" + shown(found.lower) + ", " +
                  shown(found.upper) + "]");
      if (arithmetic == Arithmetic::exact)
        require(found.lower == found.upper, where + "not exact in rationals");
    }
  }
}

// What a horizon of 80 steps leaves out is below 2^-79 of the range: brackets of the two overlap.
TEST(WealthFreeCriteria, WithoutEndAreThoseOfManySteps) {
  const auto seeds = case_count(0.05);
  for (std::uint64_t seed = 0; seed < seeds; ++seed) {
    PlainModel plain = discounted_model(seed);
    if (!plain.goal.empty()) continue;
    const Model infinite = build(plain);
    plain.horizon = 80;
    const Model lengthy = build(plain);
    const auto expect_overlap = [&](const MarkovOptimum& a, const MarkovOptimum& b) {
      const Rational left_out = Number("1e-18").rational();
      EXPECT_EQ(a.status, Status::solved) << seed;
      EXPECT_LE(a.lower.value(), b.upper.value() + left_out) << seed;
      EXPECT_GE(a.upper.value(), b.lower.value() - left_out) << seed;
    };
    const ResolvedSetting for_ever = resolve(infinite, {});
    const ResolvedSetting long_time = resolve(lengthy, {});
    const Rational epsilon(1, 10000);
    for (const Rational& beta : {Rational(1, 100), Rational(1), Rational(20)}) {
      expect_overlap(entropic_optimum(infinite, for_ever, beta, epsilon, {}),
                     entropic_optimum(lengthy, long_time, beta, epsilon, {}));
    }
    for (const Rational& tau : some_taus()) {
      expect_overlap(nested_cvar_optimum(infinite, for_ever, tau, epsilon, {}),
                     nested_cvar_optimum(lengthy, long_time, tau, epsilon, {}));
      expect_overlap(evar_optimum(infinite, for_ever, tau, Rational(1, 100), {}),
                     evar_optimum(lengthy, long_time, tau, Rational(1, 100), {}));
    }
  }
}

}  // namespace
}  // namespace quantiplan::testing
