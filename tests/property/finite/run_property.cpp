// Every history of a tiny model, played with a Run: their distribution is the one that evaluate()
// gives, and chances told on the way are those of the histories that follow.
#include <gtest/gtest.h>

#include <algorithm>
#include <functional>

#include "harness/aimed_case.hpp"
#include "harness/configurations.hpp"
#include "harness/random_model.hpp"
#include "preferences/preference_case.hpp"
#include "preferences/preference_random.hpp"
#include "quantiplan/run.hpp"
#include "quantiplan/solve.hpp"

namespace quantiplan::testing {
namespace {

// All histories from where a run stands. `wealth_of(run, rewards)` says what one came to.
template <class WealthOf>
class Histories {
 public:
  Histories(const Model& model, WealthOf wealth_of) : model_(model), wealth_of_(wealth_of) {}

  // What follows `run`, and its chance, required to be right up to a few steps from the start.
  Law play(const Run& run, const std::string& where) {
    Law law;
    if (run.is_over()) {
      law[wealth_of_(run, rewards_)] = 1;
    } else {
      Run acting = run;
      for (const Outcome& o : model_.outcomes(acting.act())) {
        Run next = acting;
        next.observe(model_.reward(o), o.next);
        rewards_.push_back(model_.reward(o));
        for (const auto& [wealth, p] : play(next, where)) law[wealth] += model_.probability(o) * p;
        rewards_.pop_back();
      }
    }
    if (run.time() <= 1 || run.is_over()) require_chance_of(run, law, where);
    return law;
  }

  // P(the promise is kept), in a law of whole histories.
  std::function<Rational(const Law&)> kept;

 private:
  void require_chance_of(const Run& run, const Law& law, const std::string& where) const {
    if (!kept) return;
    const auto found = run.chance(exact_options());
    require(found.has_value(), where + "no chance");
    const Rational expected = kept(law);
    require(found->least() <= expected && expected <= found->greatest(),
            where + "the chance at time " + std::to_string(run.time()) + " is " +
                shown(found->nearest) + ", must be " + shown(expected));
  }

  const Model& model_;
  WealthOf wealth_of_;
  std::vector<Rational> rewards_;
};

void require_same_law(const Distribution& found, const Law& law, const std::string& where) {
  if (found.slack == 0 && !found.sample) {
    require(found.atoms.size() == law.size(), where + "evaluate() has other totals");
    std::size_t i = 0;
    for (const auto& [wealth, p] : law) {
      const Atom& atom = found.atoms[i++];
      // Laws know classes by their positions.
      const Total level =
          atom.wealth.is_class() ? Total(Rational(atom.wealth.position())) : atom.wealth.total();
      require(level == wealth && atom.probability.exact == p,
              where + "evaluate() has " + shown(level) + " with " +
                  shown(atom.probability.nearest) + ", runs " + shown(wealth) + " with " +
                  shown(p));
    }
    return;
  }
  for (const auto& [wealth, unused] : law) {
    const ProbabilityBracket p = found.at_least_bracket(wealth);
    require(p.lower <= at_least(law, wealth) && at_least(law, wealth) <= p.upper,
            where + "evaluate() errs at " + shown(wealth));
  }
}

void require_histories(AimedCase& c, Aim aim, const Policy& policy, const std::string& where) {
  const auto wealth_of = [&](const Run& run, const std::vector<Rational>& rewards) {
    if (!c.plain.goal.empty() && !c.plain.is_goal(index(run.state()))) return Total::miss();
    Rational sum = 0;
    for (std::size_t t = rewards.size(); t-- > 0;)
      sum = (c.plain.cost ? Rational(-rewards[t]) : rewards[t]) + c.plain.discount * sum;
    return Total(sum);
  };
  Histories histories(c.model, wealth_of);
  if (policy.claim) {
    const PolicyClaim& claim = *policy.claim;
    histories.kept = [&](const Law& law) -> Rational {
      if (aim == Aim::least && claim.kind == PolicyClaim::Kind::quantile)
        return at_most(law, claim.upper.value_or(claim.quantile));
      return at_least(law, claim.quantile);
    };
  }
  const Law law = histories.play(start(c.model, policy), where);
  require_same_law(evaluate(c.model, policy, exact_options()), law, where);
}

void require_all_histories(AimedCase& c) {
  if (c.plain.is_infinite()) return;
  Dice dice(c.seed ^ 0x72756EU);
  for (const Aim aim : kBothAims) {
    const Answer answer = solve(c.model, c.query(aim));
    const Result& result = dice.pick(answer.results);
    const std::string where = name_of(aim) + ", tau " + shown(result.tau) + " " +
                              std::string(to_text(result.side)) + ": ";
    if (result.policy) require_histories(c, aim, result.policy(), where);
    const ThresholdAnswer chances =
        threshold(c.model, {.targets = c.targets(aim), .setting = AimedCase::setting(aim)});
    const ThresholdResult& chance = dice.pick(chances.results);
    const std::string target = name_of(aim) + ", target " + shown(chance.target) + ": ";
    if (chance.policy) require_histories(c, aim, chance.policy(), target);
  }
  if (c.plain.goal.empty())
    require_histories(c, Aim::greatest, expectation_policy(c.model, {}), "expectation: ");
}

QUANTIPLAN_PROPERTY_OF(AimedCase, RunsGiveTheDistribution, goal_model, 0.15) {
  require_all_histories(c);
}

QUANTIPLAN_PROPERTY_OF(AimedCase, RunsOnGridsGiveTheDistribution, awkward_model, 0.05) {
  require_all_histories(c);
}

QUANTIPLAN_PREFERENCE(RunsByWealthGiveTheDistribution, tiny_preference, 0.1) {
  Dice dice(c.seed ^ 0x72756EU);
  const Answer answer = solve(c.model, c.query());
  const Result& result = dice.pick(answer.results);
  const Policy policy = result.policy();
  // Classes by their positions in the distribution, found by their texts.
  const Distribution found = evaluate(c.model, policy, exact_options());
  const auto position = [&](const std::string& text) -> Total {
    for (std::size_t at = 1; at <= found.classes->size(); ++at)
      if (found.classes->text(at) == text) return Rational(at);
    throw Violation("no class " + text);
  };
  // The builder lists vectors in an order of its own.
  const auto of_oracle = [&](const Rational& reward) -> Rational {
    if (!c.preference.wealth.has_vectors()) return reward;
    const auto& vectors = c.preference.wealth.vectors;
    const auto& vector = c.model.wealth().vectors.at(reward.get_num().get_ui());
    return std::ranges::find(vectors, vector) - vectors.begin();
  };
  const auto wealth_of = [&](const Run&, const std::vector<Rational>& rewards) {
    Holding wealth = c.oracle.judge().start();
    for (const Rational& reward : rewards)
      wealth = c.oracle.judge().after(wealth, of_oracle(reward));
    return position(c.oracle.text(c.oracle.position(wealth)));
  };
  Histories histories(c.model, wealth_of);
  histories.kept = [&](const Law& law) { return at_least(law, position(*policy.claim->level)); };
  require_same_law(found, histories.play(start(c.model, policy), "classes: "), "classes: ");
}

}  // namespace
}  // namespace quantiplan::testing
