// Models whose states have twins, with their choices shuffled and their outcomes spread over twins,
// solved as they are and reduced: the same answers, and policies that keep what they promise on the
// model itself.
#include <gtest/gtest.h>

#include <set>

#include "harness/comparisons.hpp"
#include "harness/harness.hpp"
#include "harness/random_model.hpp"
#include "harness/twins.hpp"
#include "quantiplan/error.hpp"
#include "quantiplan/formats.hpp"
#include "quantiplan/solve.hpp"

namespace quantiplan::testing {
namespace {

// Some outcomes take a way of one or two steps more, and collect their reward on it.
PlainModel with_ways(Dice& dice, const PlainModel& plain) {
  PlainModel out = plain;
  for (std::size_t i = 0; i < plain.states.size(); ++i) {
    for (PlainChoice& choice : out.states[i].choices) {
      for (std::size_t k = 0; k < choice.outcomes.size(); ++k) {
        for (std::size_t steps = dice.below(3); steps > 0; --steps) {
          PlainOutcome& o = choice.outcomes[k];
          const Rational later = dice.one_in(3)   ? Rational(0)
                                 : dice.one_in(2) ? o.reward
                                                  : Rational(o.reward / 2);
          const PlainOutcome way{o.next, 1, later};
          o.reward -= later;
          o.next = out.states.size();
          out.states.push_back({{{{way}}}});
        }
      }
    }
  }
  return out;
}

struct TwinCase {
  static bool fits(const PlainModel& plain) { return plain.states.size() <= 8; }
  TwinCase(std::uint64_t seed, const PlainModel& plain)
      : dice(seed),
        states(plain.states.size()),
        twins(with_twins(dice, plain)),
        model(build(twins)) {
    query.taus = {0, Rational(1, 10), Rational(1, 2), Rational(3, 4), 1};
    query.sides = Sides::both;
    query.prefer = Prefer::probability;
    query.setting.adversarial = dice.one_in(3);
    if (dice.one_in(2)) {
      // Drawn between twins, who are one and the same, and sometimes another.
      std::vector<std::pair<std::string, Rational>> names{
          {state_name(plain.initial), Rational(1, 4)},
          {state_name(states + plain.initial), Rational(1, 4)}};
      const std::size_t other = dice.below(states);
      if (other == plain.initial)
        names[0].second = Rational(3, 4);
      else
        names.emplace_back(state_name(states + other), Rational(1, 2));
      query.setting.initial = InitialNames(names);
    }
  }

  Dice dice;
  std::size_t states;
  PlainModel twins;
  Model model;
  Query query;
};

std::optional<Answer> answer_of(const TwinCase& c, Options options, Reduce reduce) {
  options.reduce = reduce;
  options.check = reduce != Reduce::none;
  try {
    return solve(c.model, c.query, options);
  } catch (const Error& error) {
    if (error.code() != ErrorCode::refused) throw;
    return std::nullopt;
  }
}

void require_same(const Value& a, const Value& b, const std::string& where) {
  if (a.exact && b.exact) require(*a.exact == *b.exact, where + "another probability");
  require(a.least() <= b.greatest() && b.least() <= a.greatest(),
          where + "bounds exclude each other");
}

void require_same(const TwinCase& c,
                  const Result& whole,
                  const Result& reduced,
                  bool is_exact,
                  const std::string& where) {
  require(*whole.quantile <= *reduced.upper && *reduced.quantile <= *whole.upper,
          where + "brackets exclude each other");
  if (is_exact || whole.certificate == Certificate::exact) {
    require(whole.certificate == reduced.certificate && whole.status == reduced.status,
            where + "another certificate");
    require(whole.quantile == reduced.quantile && whole.upper == reduced.upper,
            where + "another quantile: " + shown(*reduced.quantile) + " instead of " +
                shown(*whole.quantile));
    require(whole.attained == reduced.attained, where + "attained by one of them only");
    if (whole.probability && reduced.probability)
      require_same(*whole.probability, *reduced.probability, where);
  }
  if (is_exact && whole.mean && reduced.mean && whole.mean->exact && reduced.mean->exact &&
      c.twins.goal.empty() && !c.twins.is_infinite() && !c.query.setting.adversarial)
    require(*whole.mean->exact == *reduced.mean->exact, where + "another mean");
  if (!reduced.policy) return;
  const Policy policy = reduced.policy();
  const Policy read = parse_policy(format_policy(policy, c.model), c.model, "policy");
  if (!c.query.setting.adversarial && reduced.status == Status::solved) {
    const Value own = evaluate(c.model, read, {}).at_least(*reduced.quantile);
    if (reduced.attained)
      require(suffices(own.greatest(), reduced.tau, reduced.side), where + "promise is not kept");
  }
  if (reduced.check && !reduced.check->nothing_to_check && !reduced.check->ended_early)
    require(reduced.check->passed, where + "check " + verdict(*reduced.check));
}

void require_same_answers(const TwinCase& c, Arithmetic arithmetic, Reduce reduce) {
  Options options;
  options.arithmetic = arithmetic;
  const auto whole = answer_of(c, options, Reduce::none);
  const auto reduced = answer_of(c, options, reduce);
  require(whole.has_value() == reduced.has_value(), "one of them was refused");
  if (!whole) return;
  for (std::size_t i = 0; i < whole->results.size(); ++i) {
    const Result& result = whole->results[i];
    require_same(c,
                 result,
                 reduced->results[i],
                 arithmetic == Arithmetic::exact,
                 place("reduced", result.tau, result.side));
  }
  if (const auto& reduction = reduced->engine.reduction)
    require(reduction->solved_as <= c.states, "twins are apart");
}

void require_same_curves(const TwinCase& c, Reduce reduce) {
  Options options;
  options.arithmetic = Arithmetic::exact;
  options.reduce = Reduce::none;
  Query query = c.query;
  const Frontier whole = frontier(c.model, query, options);
  options.reduce = reduce;
  const Frontier reduced = frontier(c.model, query, options);
  require(whole.steps.size() == reduced.steps.size(), "other steps");
  for (std::size_t i = 0; i < whole.steps.size(); ++i) {
    require(whole.steps[i].wealth == reduced.steps[i].wealth, "a step is elsewhere");
    require_same(whole.steps[i].probability, reduced.steps[i].probability, "curve: ");
  }
  ThresholdQuery targets;
  targets.setting = query.setting;
  for (const FrontierStep& step : whole.steps) targets.targets.push_back(step.wealth);
  if (targets.targets.empty()) return;
  const ThresholdAnswer found = threshold(c.model, targets, options);
  for (std::size_t i = 0; i < whole.steps.size(); ++i) {
    require_same(whole.steps[i].probability, *found.results[i].probability, "threshold: ");
    if (!found.results[i].policy || c.query.setting.adversarial) continue;
    const Value own =
        evaluate(c.model, found.results[i].policy(), {}).at_least(whole.steps[i].wealth);
    require(own.greatest() >= whole.steps[i].probability.least(), "policy of a threshold");
  }
}

QUANTIPLAN_PROPERTY_OF(TwinCase, TwinsAreOneOverFewSteps, tiny_model, 0.2) {
  require_same_answers(c, Arithmetic::exact, Reduce::bisimulation);
  require_same_answers(c, Arithmetic::floating, Reduce::bisimulation);
  require_same_curves(c, Reduce::bisimulation);
}

QUANTIPLAN_PROPERTY_OF(TwinCase, TwinsAreOneOnTheWayToAGoal, goal_model, 0.2) {
  // With a discount and a goal, totals are rounded.
  const bool has_discount = c.twins.discount != 1;
  require_same_answers(
      c, has_discount ? Arithmetic::automatic : Arithmetic::exact, Reduce::bisimulation);
  require_same_answers(c, Arithmetic::floating, Reduce::bisimulation);
}

QUANTIPLAN_PROPERTY_OF(TwinCase, TwinsAreOneOnGrids, awkward_model, 0.1) {
  require_same_answers(c, Arithmetic::automatic, Reduce::bisimulation);
}

QUANTIPLAN_PROPERTY_OF(TwinCase, TwinsAreOneWithoutEnd, infinite_model, 0.03) {
  require_same_answers(c, Arithmetic::exact, Reduce::bisimulation);
  require_same_curves(c, Reduce::bisimulation);
}

QUANTIPLAN_PROPERTY_OF(TwinCase, TwinsAreOneLevelByLevel, infinite_model, 0.1) {
  require_same_answers(c, Arithmetic::automatic, Reduce::bisimulation);
  require_same_answers(c, Arithmetic::floating, Reduce::bisimulation);
}

// The same model with longer ways.
struct WayCase : TwinCase {
  static bool fits(const PlainModel& plain) { return TwinCase::fits(plain) && plain.is_infinite(); }
  WayCase(std::uint64_t seed, const PlainModel& plain)
      : TwinCase(seed, plain), longer(seed + 1), model_of_ways(build(with_ways(longer, twins))) {
    twins = take_apart(model_of_ways);
    states = twins.states.size();
    model = model_of_ways;
  }
  Dice longer;
  Model model_of_ways;
};

QUANTIPLAN_PROPERTY_OF(WayCase, WaysOnArePassedOver, infinite_model, 0.1) {
  require_same_answers(c, Arithmetic::automatic, Reduce::chains);
  require_same_answers(c, Arithmetic::floating, Reduce::chains);
}

QUANTIPLAN_PROPERTY_OF(WayCase, WaysOnArePassedOverExactly, infinite_model, 0.02) {
  require_same_answers(c, Arithmetic::exact, Reduce::chains);
  require_same_curves(c, Reduce::chains);
}

QUANTIPLAN_PROPERTY_OF(TwinCase, TwinsAreOneWithoutCycles, acyclic_model, 0.1) {
  require_same_answers(c, Arithmetic::exact, Reduce::bisimulation);
}

QUANTIPLAN_PROPERTY_OF(TwinCase, TwinsAreRefusedTogether, mixed_model, 0.1) {
  require_same_answers(c, Arithmetic::exact, Reduce::bisimulation);
}

QUANTIPLAN_PROPERTY_OF(TwinCase, TwinsAreOneWithADiscount, discounted_model, 0.1) {
  require_same_answers(c, Arithmetic::automatic, Reduce::bisimulation);
}

}  // namespace
}  // namespace quantiplan::testing
