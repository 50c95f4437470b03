// Several initial states in one call, against each of them by itself: the same answers and curves, and
// policies that begin where they should and keep what they promise.
#include <gtest/gtest.h>

#include "harness/comparisons.hpp"
#include "harness/harness.hpp"
#include "harness/random_model.hpp"
#include "quantiplan/each_start.hpp"
#include "quantiplan/error.hpp"
#include "quantiplan/formats.hpp"

namespace quantiplan::testing {
namespace {

// The reward of the setting is counted as the model says: costs, goals, infinite horizons.
struct EachStartCase {
  static bool fits(const PlainModel&) { return true; }
  EachStartCase(std::uint64_t seed, const PlainModel& plain) : dice(seed), model(build(plain)) {
    for (std::uint32_t s = 0; s < model.state_count(); ++s)
      if (s == plain.initial || !dice.one_in(3)) starts.push_back(State{s});
    query.taus = {0, Rational(1, 10), Rational(1, 2), Rational(3, 4), 1};
    query.sides = Sides::both;
    query.compare = dice.one_in(2);
    query.prefer = dice.one_in(2) ? Prefer::probability : Prefer::automatic;
    query.setting.adversarial = dice.one_in(4);
    options.reduce = dice.one_in(2) ? Reduce::none : Reduce::bisimulation;
    const bool is_small = model.state_count() <= 5;
    if (!is_small) query.prefer = Prefer::probability;
    if (is_small && dice.one_in(2)) options.arithmetic = Arithmetic::exact;
  }
  EachStartCase(const EachStartCase&) = delete;
  EachStartCase& operator=(const EachStartCase&) = delete;

  [[nodiscard]] Setting from(State start) const {
    Setting setting = query.setting;
    setting.initial = InitialNames(std::string(model.state_name(start)));
    return setting;
  }

  Dice dice;
  Model model;
  std::vector<State> starts;
  Query query;
  Options options;
};

void require_alike(const Value& found, const Value& expected, const std::string& where) {
  require(found.exact == expected.exact, where + " is not as exact, or another");
  require(found.least() <= expected.greatest() && expected.least() <= found.greatest(),
          where + " is another");
}

void require_own_policy(EachStartCase& c,
                        State start,
                        const Result& result,
                        const std::string& where) {
  const Policy policy = result.policy();
  require(policy.setting.initial == InitialStates(start), where + " begins elsewhere");
  const Policy read = parse_policy(format_policy(policy, c.model), c.model, "policy");
  const Distribution law = evaluate(c.model, read, {});
  if (c.query.setting.adversarial || !result.quantile->is_finite()) return;
  const Value own = law.at_least(*result.quantile);
  const Rational theta = 1 - result.tau;
  const bool keeps = result.side == Side::lower ? own.greatest() > theta : own.greatest() >= theta;
  require(keeps, where + " does not keep its promise");
}

void require_own_answers(EachStartCase& c) {
  std::size_t taken = 0;
  solve_each(c.model, c.starts, c.query, c.options, [&](std::size_t i, const Answer& answer) {
    require(i == taken++, "out of order");
    Query query = c.query;
    query.setting = c.from(c.starts[i]);
    const Answer expected = solve(c.model, query, c.options);
    require(answer.model.initial.drawn == expected.model.initial.drawn, "found for another state");
    for (std::size_t k = 0; k < expected.results.size(); ++k) {
      const Result& own = answer.results[k];
      const Result& one = expected.results[k];
      const std::string where =
          place(std::string(c.model.state_name(c.starts[i])), one.tau, one.side);
      require(own.status == one.status && own.certificate == one.certificate, where + "status");
      require(own.quantile == one.quantile && own.upper == one.upper, where + "quantile");
      require(own.probability.has_value() == one.probability.has_value(), where + "probability");
      if (one.probability) require_alike(*own.probability, *one.probability, where + "probability");
      require(static_cast<bool>(own.policy) == static_cast<bool>(one.policy), where + "policy");
      if (own.policy) require_own_policy(c, c.starts[i], own, where + "policy");
    }
  });
  require(taken == c.starts.size(), "some states have no answer");
}

void require_own_chances(EachStartCase& c) {
  ThresholdQuery query;
  query.setting = c.query.setting;
  for (int k = 0; k < 3; ++k)
    query.targets.emplace_back(Rational(static_cast<long>(c.dice.below(9)) - 4));
  const auto take = [&](std::size_t i, const ThresholdAnswer& answer) {
    ThresholdQuery alone = query;
    alone.setting = c.from(c.starts[i]);
    const ThresholdAnswer expected = threshold(c.model, alone, c.options);
    for (std::size_t k = 0; k < query.targets.size(); ++k) {
      const std::string where = "threshold " + std::string(c.model.state_name(c.starts[i]));
      require(answer.results[k].certificate == expected.results[k].certificate, where);
      require_alike(*answer.results[k].probability, *expected.results[k].probability, where);
      if (!answer.results[k].policy) continue;
      require(answer.results[k].policy().setting.initial == InitialStates(c.starts[i]),
              where + " begins elsewhere");
    }
  };
  threshold_each(c.model, c.starts, query, c.options, take);
}

void require_own_curves(EachStartCase& c) {
  const auto take = [&](std::size_t i, const Frontier& curve) {
    Query alone = c.query;
    alone.setting = c.from(c.starts[i]);
    const Frontier expected = frontier(c.model, alone, c.options);
    const std::string where = "curve of " + std::string(c.model.state_name(c.starts[i]));
    require(curve.steps.size() == expected.steps.size(), where + ": steps");
    for (std::size_t k = 0; k < curve.steps.size(); ++k) {
      require(curve.steps[k].wealth == expected.steps[k].wealth, where + ": a level");
      require_alike(curve.steps[k].probability, expected.steps[k].probability, where);
    }
    for (std::size_t k = 0; k < curve.quantiles.size(); ++k)
      require(curve.quantiles[k].quantile == expected.quantiles[k].quantile, where + ": quantile");
  };
  frontier_each(c.model, c.starts, c.query, c.options, take);
}

void require_all(EachStartCase& c) {
  try {
    require_own_answers(c);
    require_own_chances(c);
    require_own_curves(c);
  } catch (const Error& error) {
    if (error.code() != ErrorCode::refused) throw;  // then each of them is
  }
}

QUANTIPLAN_PROPERTY_OF(EachStartCase, EachStartOfAPlainModelHasItsOwnAnswer, tiny_model, 0.3) {
  require_all(c);
}
QUANTIPLAN_PROPERTY_OF(EachStartCase, EachStartOfALargerModelHasItsOwnAnswer, larger_model, 0.01) {
  require_all(c);
}
QUANTIPLAN_PROPERTY_OF(EachStartCase, EachStartWithGoalsHasItsOwnAnswer, goal_model, 0.2) {
  require_all(c);
}
QUANTIPLAN_PROPERTY_OF(EachStartCase, EachStartWithoutEndHasItsOwnAnswer, infinite_model, 0.2) {
  require_all(c);
}
QUANTIPLAN_PROPERTY_OF(EachStartCase, EachStartIsBracketedByItself, awkward_model, 0.1) {
  require_all(c);
}

}  // namespace
}  // namespace quantiplan::testing
