// Brackets of every rounding engine: they hold the optimum, and their policies keep their word.
#include <gtest/gtest.h>

#include "harness/bracket_runs.hpp"
#include "harness/comparisons.hpp"
#include "harness/harness.hpp"
#include "harness/random_model.hpp"
#include "oracles/follow.hpp"
#include "quantiplan/solve.hpp"

namespace quantiplan::testing {
namespace {

void require_bracket(Case& c, const Answer& answer, const Result& result, const std::string& at) {
  const Total best = c.expected(result.tau, result.side).quantile;
  require(result.quantile && result.upper, at + "no bracket");
  require(*result.quantile <= best,
          at + "lower end " + shown(*result.quantile) + " above the optimum " + shown(best));
  require(best <= *result.upper,
          at + "upper end " + shown(*result.upper) + " below the optimum " + shown(best));
  const bool is_point = *result.quantile == *result.upper;
  // Ends that meet are exact only if the probability is, too.
  require(result.certificate == Certificate::bracket ||
              (is_point && result.certificate == Certificate::exact),
          at + "certificate is " + std::string(to_text(result.certificate)));
  if (result.status == Status::solved)
    require(is_point || result.upper->value() - result.quantile->value() <= answer.epsilon.value(),
            at + "solved, but the bracket is wider than epsilon");
}

// No |total| is greater than this.
Rational size_of(const Case& c) {
  Rational greatest = 0;
  for (const PlainState& state : c.plain.states)
    for (const PlainChoice& choice : state.choices)
      for (const PlainOutcome& o : choice.outcomes)
        greatest = std::max(greatest, Rational(abs(o.reward)));
  return greatest * Rational(c.plain.horizon);
}

// Only a grid finer than 62 bits allow, or probabilities finer than the most levels, may end a run
// that has no limits.
void require_status(const Case& c,
                    const Options& options,
                    const Result& result,
                    const std::string& at) {
  const bool may_fail =
      options.engine == Engine::levels ||
      (options.epsilon && *options.epsilon * Rational(Integer(1) << 40) < size_of(c));
  require(result.status == Status::solved || (may_fail && result.status == Status::unsettled),
          at + "status is " + std::string(to_text(result.status)));
}

void require_policy(const Case& c, const Result& result, const std::string& at) {
  const Policy policy = result.policy();
  const Law law = follow(c.plain, c.model, policy);
  const Rational reached = at_least(law, *result.quantile);
  const Rational theta = 1 - result.tau;
  require(result.side == Side::upper ? reached >= theta : reached > theta,
          at + "the policy reaches the lower end with " + shown(reached) + " only");
  require_label(*result.probability, reached, at + "probability");
  require(policy.claim.has_value(), at + "no claim");
  require(policy.claim->quantile == *result.quantile &&
              policy.claim->upper.value_or(*result.quantile) == *result.upper,
          at + "the claim is about something else");
}

void require_answer(Case& c, const BracketRun& run, const Query& query, Dice& dice) {
  const Answer answer = solve(c.model, query, run.options);
  const std::vector<Question> asked = questions(query);
  require(answer.results.size() == asked.size(), run.name + ": results are missing");
  if (answer.epsilon && run.options.epsilon)
    require(*answer.epsilon == *run.options.epsilon, run.name + ": another epsilon");
  if (answer.epsilon && !run.options.epsilon &&
      range_of(c) * Rational(Integer(1) << 40) > size_of(c))
    require(*answer.epsilon * 1000 <= range_of(c), run.name + ": the default epsilon is too wide");
  for (std::size_t i = 0; i < asked.size(); ++i) {
    const Result& result = answer.results[i];
    const std::string at = place(run.name, result.tau, result.side);
    require(result.tau == asked[i].tau && result.side == asked[i].side, at + "out of order");
    require_bracket(c, answer, result, at);
    require_status(c, run.options, result, at);
    if (asked.size() < 4 || dice.one_in(4)) require_policy(c, result, at);
  }
}

QUANTIPLAN_PROPERTY(BracketsHoldTheOptimum, awkward_model, 0.2) {
  Dice dice(c.seed ^ 0x627261636B6574U);
  for (const Engine engine : rounding_engines()) {
    const BracketRun run = some_run(c, engine, dice);
    require_answer(c, run, some_query(c, dice), dice);
  }
}

}  // namespace
}  // namespace quantiplan::testing
