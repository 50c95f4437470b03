// Max, min and monotone automata at the infinite horizon, against the product's own solution.
#include <gtest/gtest.h>

#include "harness/comparisons.hpp"
#include "harness/random_model.hpp"
#include "preferences/preference_case.hpp"
#include "preferences/preference_product.hpp"
#include "preferences/preference_random.hpp"
#include "quantiplan/formats.hpp"
#include "quantiplan/solve.hpp"

namespace quantiplan::testing {
namespace {

class InfinitePreferenceCase {
 public:
  static bool fits(const PreferenceModel& preference) {
    if (!preference.plain.is_infinite()) return false;
    const InfinitePreference truth(preference);
    return !truth.rises() || !truth.falls();
  }
  InfinitePreferenceCase(std::uint64_t case_seed, const PreferenceModel& model_of_case)
      : seed(case_seed), preference(model_of_case), model(build(preference)), truth(preference) {
    Dice dice(seed ^ 0x746175U);
    taus = {0, 1, Rational(static_cast<unsigned long>(dice.between(1, 96)), 97)};
    for (const CurveStep& step : truth.steps()) taus.emplace_back(1 - step.probability);
    std::sort(taus.begin(), taus.end());
    taus.erase(std::unique(taus.begin(), taus.end()), taus.end());
  }
  [[nodiscard]] Query query() const { return {taus, Sides::both, {}, false}; }
  [[nodiscard]] std::size_t position_of(const Level& level) const {
    return truth.position(level.class_text());
  }

  std::uint64_t seed;
  PreferenceModel preference;
  Model model;
  InfinitePreference truth;
  std::vector<Rational> taus;
};

std::vector<PreferenceRun> infinite_runs() {
  std::vector<PreferenceRun> runs;
  for (const Arithmetic arithmetic :
       {Arithmetic::automatic, Arithmetic::floating, Arithmetic::exact}) {
    Options options;
    options.arithmetic = arithmetic;
    options.time_limit_seconds = 60;
    runs.push_back({arithmetic == Arithmetic::exact      ? "infinite exact"
                    : arithmetic == Arithmetic::floating ? "infinite floating"
                                                         : "infinite automatic",
                    options});
  }
  return runs;
}

QUANTIPLAN_PREFERENCE_OF(InfinitePreferenceCase,
                         InfinitePreferenceQuantilesAreTheOracles,
                         infinite_preference,
                         0.2) {
  for (const PreferenceRun& run : infinite_runs()) {
    const Answer answer = solve(c.model, c.query(), run.options);
    for (const Result& result : answer.results) {
      const std::string where = place(run, result.tau, result.side);
      const Optimum expected = c.truth.optimum(result.tau, result.side);
      const std::size_t best = expected.quantile.value().get_num().get_ui();
      require(result.status == Status::solved && result.certificate == Certificate::exact,
              where + "not solved exactly");
      require(
          c.position_of(*result.quantile) == best,
          where + "quantile " + result.quantile->class_text() + ", must be " + c.truth.text(best));
      if (c.truth.declared_rank(best))
        require(result.quantile->rank() == *c.truth.declared_rank(best), where + "another rank");
      require_chance(*result.probability, expected.probability, where + "the probability");
    }
  }
}

QUANTIPLAN_PREFERENCE_OF(InfinitePreferenceCase,
                         InfinitePreferencePoliciesKeepTheirWord,
                         infinite_preference,
                         0.1) {
  for (const PreferenceRun& run : infinite_runs()) {
    const Answer answer = solve(c.model, c.query(), run.options);
    for (const Result& result : answer.results) {
      const std::string where = place(run, result.tau, result.side);
      const Policy policy = result.policy();
      require(disorder(policy).empty(), where + disorder(policy));
      const std::size_t level = c.position_of(*result.quantile);
      const Rational attained = c.truth.at_least(level, c.model, policy);
      require(suffices(attained, result.tau, result.side),
              where + "the policy attains only " + shown(attained));
      require_chance(*result.probability, attained, where + "the probability of the policy");
      const std::string text = format_policy(policy, c.model);
      const Policy read = parse_policy(text, c.model, "written");
      require(format_policy(read, c.model) == text, where + "the policy read is written otherwise");
      require(c.truth.at_least(level, c.model, read) == attained,
              where + "the policy read plays otherwise");
      const CheckReport report = check(c.model, policy, policy.claim.value());
      require(report.passed, where + "check " + verdict(report));
      const Distribution law = evaluate(c.model, policy);
      for (const Atom& atom : law.atoms)
        require_chance(law.at_least(atom.wealth),
                       c.truth.at_least(c.position_of(atom.wealth), c.model, policy),
                       where + "the evaluation, P(at least " + atom.wealth.class_text() + ")");
    }
  }
}

QUANTIPLAN_PREFERENCE_OF(InfinitePreferenceCase,
                         InfinitePreferenceFrontiersAreTheOracles,
                         infinite_preference,
                         0.1) {
  const std::vector<CurveStep> expected = c.truth.steps();
  for (const PreferenceRun& run : infinite_runs()) {
    const Frontier found = frontier(c.model, c.query(), run.options);
    require(found.steps.size() == expected.size(),
            run.name + ": the curve has " + std::to_string(found.steps.size()) +
                " steps, must have " + std::to_string(expected.size()));
    for (std::size_t i = 0; i < expected.size(); ++i) {
      const std::string name = c.truth.text(expected[i].wealth.get_num().get_ui());
      require(Rational(c.position_of(found.steps[i].wealth)) == expected[i].wealth,
              run.name + ": the curve lacks " + name);
      require_chance(
          found.steps[i].probability, expected[i].probability, run.name + ": the curve at " + name);
    }
  }
}

QUANTIPLAN_PREFERENCE_OF(InfinitePreferenceCase,
                         FalseInfinitePreferenceClaimsAreRefuted,
                         infinite_preference,
                         0.1) {
  Options options;
  options.arithmetic = Arithmetic::exact;
  for (const Result& result : solve(c.model, c.query(), options).results) {
    const Policy policy = result.policy();
    const PolicyClaim& claim = policy.claim.value();
    const auto require_refuted = [&](const Policy& p, const PolicyClaim& wrong, const auto& what) {
      const CheckReport report = check(c.model, p, wrong);
      require(!report.passed,
              place(PreferenceRun{"false", {}}, result.tau, result.side) + what +
                  " was not noticed; check " + verdict(report));
    };
    const std::size_t level = c.truth.position(claim.level.value());
    for (std::size_t i = 1; i <= c.truth.class_count(); ++i) {
      if (i == level) continue;
      PolicyClaim wrong = claim;
      wrong.level = c.truth.text(i);
      wrong.exact_probability = c.truth.at_least(i, c.model, policy);
      wrong.probability = to_nearest_double(*wrong.exact_probability);
      require_refuted(policy, wrong, "class " + *wrong.level);
    }
    PolicyClaim wrong = claim;
    wrong.exact_probability = *claim.exact_probability - Rational(0x1p-900);
    require_refuted(policy, wrong, "a wrong exact probability");
    for (std::size_t i = 0; i < policy.rules.size(); ++i) {
      for (std::size_t j = 0; j < policy.rules[i].runs.size(); ++j) {
        for (const Choice other : c.model.choices(policy.rules[i].state)) {
          Policy tampered = policy;
          tampered.rules[i].runs[j].choice = other;
          if (c.truth.at_least(level, c.model, tampered) == claim.exact_probability) continue;
          require_refuted(tampered, claim, "a worse action");
        }
      }
    }
  }
}

// A long finite horizon comes near, from the right side.
QUANTIPLAN_PREFERENCE_OF(InfinitePreferenceCase,
                         LongHorizonsTendToTheInfiniteOne,
                         infinite_preference,
                         0.03) {
  Query query = c.query();
  query.setting.horizon = 400;
  const Frontier found = frontier(c.model, query);
  const Rational near(1, 100), rounding(1, 1'000'000'000);
  for (const FrontierStep& step : found.steps) {
    const std::size_t level = c.position_of(step.wealth);
    if (level == 0) continue;  // a wealth that is only final when time runs out
    const Rational limit = c.truth.at_least(level);
    const Rational finite(step.probability.nearest);
    const std::string what = c.truth.text(level) + " has " + shown(step.probability.nearest) +
                             " in 400 steps and " + shown(limit) + " for ever";
    require(c.truth.falls() || finite <= limit + rounding, what);
    require(c.truth.rises() || finite >= limit - rounding, what);
    require(abs(finite - limit) <= near, what);
  }
}

class WaveringCase {
 public:
  static bool fits(const PreferenceModel& preference) {
    if (!preference.plain.is_infinite()) return false;
    const InfinitePreference truth(preference);
    return truth.rises() && truth.falls();
  }
  WaveringCase(std::uint64_t /*seed*/, const PreferenceModel& model_of_case)
      : model(build(model_of_case)) {}
  Model model;
};

PreferenceModel wavering(std::uint64_t seed) {
  PreferenceModel model = tiny_preference(9 * seed + 7 + seed % 2);  // an automaton or a table
  model.plain.horizon = kInfiniteHorizon;
  return model;
}

QUANTIPLAN_PREFERENCE_OF(WaveringCase, RanksThatRiseAndFallAreRefused, wavering, 0.1) {
  try {
    static_cast<void>(solve(c.model, {{Rational(1, 2)}, Sides::both, {}, false}));
  } catch (const Error& e) {
    require(e.code() == ErrorCode::refused || e.code() == ErrorCode::bad_request,
            std::string("refused as something else: ") + e.what());
    return;
  }
  throw Violation("a rank that rises and falls was given a final class");
}

PreferenceModel infinite_of_any_kind(std::uint64_t seed) {
  PreferenceModel model = tiny_preference(9 * seed + 2 + seed % 5);  // product to weighted counts
  model.plain.horizon = kInfiniteHorizon;
  return model;
}

class OtherInfiniteCase : public WaveringCase {
 public:
  using WaveringCase::WaveringCase;
  static bool fits(const PreferenceModel& preference) {
    const WealthKind kind = preference.wealth.kind;
    return preference.plain.is_infinite() && kind >= WealthKind::product &&
           kind <= WealthKind::weighted_counts;
  }
};

QUANTIPLAN_PREFERENCE_OF(OtherInfiniteCase,
                         OtherStructuresAreRefusedWithoutEnd,
                         infinite_of_any_kind,
                         0.02) {
  try {
    static_cast<void>(solve(c.model, {{Rational(1, 2)}, Sides::both, {}, false}));
  } catch (const Error& e) {
    require(e.code() == ErrorCode::refused || e.code() == ErrorCode::bad_request,
            std::string("refused as something else: ") + e.what());
    return;
  }
  throw Violation("a structure without an infinite horizon was solved");
}

QUANTIPLAN_PREFERENCE_OF(InfinitePreferenceCase,
                         InfinitePreferenceThresholdsAreTheOracles,
                         infinite_preference,
                         0.1) {
  ThresholdQuery query;
  for (std::size_t k = 1; k <= c.truth.class_count(); ++k) query.levels.push_back(c.truth.text(k));
  for (PreferenceRun run : infinite_runs()) {
    run.options.check = true;
    const ThresholdAnswer answer = threshold(c.model, query, run.options);
    for (std::size_t k = 1; k <= query.levels.size(); ++k) {
      const ThresholdResult& result = answer.results[k - 1];
      const std::string where = run.name + ": P(at least " + query.levels[k - 1] + ") ";
      const Rational expected = c.truth.at_least(k);
      require(result.status == Status::solved, where + "is not solved");
      require(result.probability->least() <= expected &&
                  result.upper.value_or(*result.probability).greatest() >= expected,
              where + "must be " + shown(expected));
      require_chance(*result.probability, expected, where);
      require(result.check && result.check->passed, where + "is not confirmed");
    }
  }
}

}  // namespace
}  // namespace quantiplan::testing
