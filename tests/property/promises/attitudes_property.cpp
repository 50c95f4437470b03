// Attitudes to the future self, against their definitions on every history.
#include <gtest/gtest.h>

#include <algorithm>

#include "harness/comparisons.hpp"
#include "harness/harness.hpp"
#include "harness/random_model.hpp"
#include "oracles/follow.hpp"
#include "promises/attitude_oracle.hpp"
#include "quantiplan/attitude.hpp"
#include "quantiplan/solve.hpp"

namespace quantiplan::testing {
namespace {

const std::vector<Attitude>& asked_attitudes() {
  static const std::vector<Attitude> all{Attitude::resolute(),
                                         Attitude::replan(),
                                         Attitude::subgame_perfect(),
                                         Attitude::recursive(),
                                         Attitude::within(Rational(0)),
                                         Attitude::within(Rational(1, 2)),
                                         Attitude::within(Rational(2)),
                                         Attitude::within(std::nullopt)};
  return all;
}

std::string at(const AttitudeResult& result) {
  return to_text(result.attitude) + ", tau " + shown(result.tau) + " " +
         std::string(to_text(result.side)) + ": ";
}

// A few of the taus, others for other models: every one takes all attitudes.
Query few_taus(const Case& c) {
  Query query = c.query();
  Dice dice(c.seed);
  query.taus.clear();
  for (int i = 0; i < 3; ++i) query.taus.push_back(dice.pick(c.taus));
  std::ranges::sort(query.taus);
  query.taus.erase(std::unique(query.taus.begin(), query.taus.end()), query.taus.end());
  return query;
}

// What is said of the policy is what following it shows; brackets where wealth was rounded.
Law require_own_words(Case& c, const AttitudeResult& result, AttitudeOracle& oracle) {
  const std::string where = at(result);
  require(result.status == Status::solved && result.left_out.empty(), where + result.left_out);
  const Policy policy = result.policy();
  Law law = follow(c.plain, c.model, policy);
  const Total own = quantile(law, result.tau, result.side);
  const Total& lower = result.quantile->lower;
  require(lower <= own && own <= result.quantile->upper,
          where + "the quantile is " + shown(own) + ", not in [" + shown(lower) + ", " +
              shown(result.quantile->upper) + "]");
  require_label(*result.probability, at_least(law, lower), where + "probability");
  require_mean(c, *result.mean, law, where + "mean");
  const Rational regret = oracle.regret(c.model, policy);
  require(result.regret->least >= 0, where + "a negative regret");
  require(result.regret->least <= regret && regret <= result.regret->most,
          where + "regret is " + shown(regret) + ", not in [" + shown(result.regret->least) + ", " +
              shown(result.regret->most) + "]");
  return law;
}

// Where levels are exact, so is all that is said, and it is what the definition says.
void require_definition(const AttitudeResult& result, const Law& law, AttitudeOracle& oracle) {
  const std::string where = at(result);
  require(result.quantile->lower == result.quantile->upper, where + "the quantile is open");
  require(result.regret->least == result.regret->most, where + "the regret is open");
  const auto require_same = [&](const MarkovTruth& truth) {
    require(law == truth.law.back()[oracle.initial()], where + "another law");
  };
  switch (result.attitude.kind()) {
    case Attitude::Kind::replan:
      return require_same(oracle.replan());
    case Attitude::Kind::subgame_perfect:
      return require_same(oracle.subgame_perfect());
    case Attitude::Kind::recursive:
      require_same(oracle.recursive());
      return require(*result.nested == oracle.nested(), where + "nested quantile");
    default:
      break;
  }
  const Optimum best = oracle.within(result.attitude.delta());
  require(result.quantile->lower == best.quantile, where + "must be " + shown(best.quantile));
  require(at_least(law, best.quantile) == best.probability,
          where + "P must be " + shown(best.probability));
}

// Resolute and within:inf are the optimum; a wider tolerance gives the first self no less, and the
// narrowest no less than replanning.
void require_order(Case& c, const std::vector<const AttitudeResult*>& of_question) {
  const auto level = [&](std::size_t i) { return of_question[i]->quantile->lower; };
  const AttitudeResult& first = *of_question[0];
  const Optimum best = c.expected(first.tau, first.side);
  require(level(0) == best.quantile, at(first) + "not the optimum");
  require(level(7) == level(0), at(first) + "within:inf differs");
  for (std::size_t i = 4; i < 7; ++i)
    require(level(i) <= level(i + 1), at(*of_question[i]) + "more than with a wider tolerance");
  require(level(1) <= level(4), at(first) + "replanning has more than within:0");
  for (std::size_t i = 1; i < 7; ++i)
    require(level(i) <= level(0), at(*of_question[i]) + "more than the optimum");
}

void require_attitudes(Case& c) {
  const std::size_t count = asked_attitudes().size();
  const AttitudeAnswer answer = attitudes(c.model, asked_attitudes(), few_taus(c));
  std::vector<const AttitudeResult*> of_question;
  std::optional<AttitudeOracle> oracle;
  for (const AttitudeResult& result : answer.results) {
    if (of_question.empty()) oracle.emplace(c.plain, result.tau, result.side);
    const Law law = require_own_words(c, result, *oracle);
    of_question.push_back(&result);
    if (answer.slack == 0) require_definition(result, law, *oracle);
    if (of_question.size() < count) continue;
    if (answer.slack == 0) require_order(c, of_question);
    of_question.clear();
  }
}

QUANTIPLAN_PROPERTY(AttitudesFollowTheirDefinitions, tiny_model, 0.1) { require_attitudes(c); }
QUANTIPLAN_PROPERTY(AttitudesOfAwkwardRewardsAreBracketed, awkward_model, 0.05) {
  require_attitudes(c);
}
QUANTIPLAN_PROPERTY(AttitudesOfLargerModelsFollowTheirDefinitions, larger_model, 0.001) {
  require_attitudes(c);
}

// Results of the same questions on a model that was made another one.
std::vector<AttitudeResult> of_other(const Case& c, const PlainModel& plain) {
  return attitudes(build(plain), asked_attitudes(), few_taus(c)).results;
}

QUANTIPLAN_PROPERTY(AttitudesDoNotSeeTheOrderOfOutcomes, tiny_model, 0.05) {
  PlainModel turned = c.plain;
  for (PlainState& state : turned.states)
    for (PlainChoice& choice : state.choices) std::ranges::reverse(choice.outcomes);
  const std::vector<AttitudeResult> others = of_other(c, turned);
  const std::vector<AttitudeResult> own = of_other(c, c.plain);
  for (std::size_t i = 0; i < own.size(); ++i) {
    const std::string where = at(own[i]);
    require(own[i].quantile->lower == others[i].quantile->lower, where + "quantile");
    require(own[i].probability->exact == others[i].probability->exact, where + "probability");
    require(own[i].mean->exact == others[i].mean->exact, where + "mean");
    require(own[i].regret->least == others[i].regret->least, where + "regret");
  }
}

// Distinct rewards leave no ties but those of choices with one law.
QUANTIPLAN_PROPERTY(AttitudesDoNotSeeTheOrderOfChoices, tiny_model, 0.05) {
  PlainModel plain = c.plain;
  Integer power = 1;
  for (PlainState& state : plain.states)
    for (PlainChoice& choice : state.choices)
      for (PlainOutcome& o : choice.outcomes) o.reward = Rational(power *= 3);
  if (power > Integer("1000000000000")) return;
  PlainModel turned = plain;
  for (PlainState& state : turned.states) std::ranges::reverse(state.choices);
  const std::vector<AttitudeResult> others = of_other(c, turned);
  const std::vector<AttitudeResult> own = of_other(c, plain);
  for (std::size_t i = 0; i < own.size(); ++i) {
    const std::string where = at(own[i]);
    require(own[i].quantile->lower == others[i].quantile->lower, where + "quantile");
    require(own[i].probability->exact == others[i].probability->exact, where + "probability");
  }
}

QUANTIPLAN_PROPERTY(AttitudesScaleAndShiftWithRewards, tiny_model, 0.05) {
  const Rational factor(3, 2);
  const bool is_infinite_play = std::ranges::none_of(
      c.plain.states, [](const PlainState& state) { return state.choices.empty(); });
  const Rational more = is_infinite_play ? Rational(7, 2) : Rational(0);
  PlainModel other = c.plain;
  for (PlainState& state : other.states)
    for (PlainChoice& choice : state.choices)
      for (PlainOutcome& o : choice.outcomes) o.reward = factor * o.reward + more;
  Rational shift = 0;
  Rational power = 1;
  for (std::uint64_t t = 0; t < c.plain.horizon; ++t, power *= c.plain.discount)
    shift += power * more;
  const std::vector<AttitudeResult> others = of_other(c, other);
  const std::vector<AttitudeResult> own = of_other(c, c.plain);
  for (std::size_t i = 0; i < own.size(); ++i) {
    if (own[i].attitude.delta() && *own[i].attitude.delta() != 0) continue;
    const std::string where = at(own[i]);
    require(Total(factor * own[i].quantile->lower.value() + shift) == others[i].quantile->lower,
            where + "quantile");
    require(own[i].probability->exact == others[i].probability->exact, where + "probability");
    require(factor * own[i].regret->least == others[i].regret->least, where + "regret");
  }
}

}  // namespace
}  // namespace quantiplan::testing
