// Policies that carry a grid index: evaluated, simulated, checked and written down.
#include <gtest/gtest.h>

#include <cmath>

#include "harness/bracket_runs.hpp"
#include "harness/comparisons.hpp"
#include "harness/harness.hpp"
#include "harness/random_model.hpp"
#include "oracles/follow.hpp"
#include "quantiplan/formats.hpp"
#include "quantiplan/solve.hpp"

namespace quantiplan::testing {
namespace {

// One result of each rounding engine, with its policy's true law.
struct Played {
  std::string where;
  Result result;
  Policy policy;
  Law law;
};
std::vector<Played> some_played(const Case& c) {
  Dice dice(c.seed ^ 0x67726964U);
  std::vector<Played> all;
  for (const Engine engine : rounding_engines()) {
    const BracketRun run = some_run(c, engine, dice);
    const Answer answer = solve(c.model, some_query(c, dice), run.options);
    const Result& result = dice.pick(answer.results);
    Policy policy = result.policy();
    Law law = follow(c.plain, c.model, policy);
    all.push_back(
        {place(run.name, result.tau, result.side), result, std::move(policy), std::move(law)});
  }
  return all;
}

void require_holds(const Case& c,
                   const Distribution& found,
                   const Law& law,
                   const std::string& what) {
  std::vector<Total> thresholds;
  for (const auto& [wealth, p] : law) {
    thresholds.push_back(wealth);
    thresholds.emplace_back(Rational(wealth.value() + Rational(1, 1'000'000)));
    thresholds.emplace_back(Rational(wealth.value() - found.slack));
  }
  for (const Atom& atom : found.atoms) thresholds.push_back(atom.wealth);
  for (const Total& wealth : thresholds) {
    const ProbabilityBracket bracket = found.at_least_bracket(wealth);
    const Rational truth = at_least(law, wealth);
    require(bracket.lower <= truth && truth <= bracket.upper,
            what + " at " + shown(wealth) + ": " + shown(truth) + " is not in [" +
                shown(bracket.lower) + ", " + shown(bracket.upper) + "]");
  }
  for (const Question& q : questions(c.query())) {
    const QuantileOfDistribution bracket = found.quantile(q.tau, q.side);
    const Total truth = quantile(law, q.tau, q.side);
    require(bracket.lower <= truth && truth <= bracket.upper,
            place(what, q.tau, q.side) + shown(truth) + " is not in [" + shown(bracket.lower) +
                ", " + shown(bracket.upper) + "]");
  }
}

QUANTIPLAN_PROPERTY(EvaluationsOfGridPoliciesHoldTheirLaw, awkward_model, 0.1) {
  for (const Played& played : some_played(c)) {
    const Distribution found = evaluate(c.model, played.policy);
    require(!found.sample, played.where + "evaluate() simulated a policy with a finite grid");
    require_holds(c, found, played.law, played.where + "evaluate()");
    require_holds(c, played.result.distribution(), played.law, played.where + "distribution()");
  }
}

QUANTIPLAN_PROPERTY(GridPoliciesPassTheCheckAndSurviveTheirFile, awkward_model, 0.05) {
  for (const Played& played : some_played(c)) {
    const CheckReport report = check(c.model, played.policy, played.policy.claim.value());
    require(report.passed, played.where + "check " + verdict(report));
    const std::string text = format_policy(played.policy, c.model);
    const Policy again = parse_policy(text, c.model, "again");
    require(follow(c.plain, c.model, again) == played.law,
            std::string(played.where).append("another policy comes back from\n").append(text));
    require(format_policy(again, c.model) == text, played.where + "the second writing differs");
  }
}

// Hoeffding: a share of n episodes is further than sqrt(ln(2/delta) / 2n) from its probability with
// probability delta at most; delta = 1e-9, and the seeds are fixed.
QUANTIPLAN_PROPERTY(SimulatedSharesAgreeWithTheCertificate, awkward_model, 0.02) {
  constexpr std::uint64_t kEpisodes = 2'000;
  const double band = std::sqrt(std::log(2 / 1e-9) / (2.0 * kEpisodes));
  for (const Played& played : some_played(c)) {
    const auto episodes = simulate(c.model, played.policy, {kEpisodes, c.seed});
    require(episodes.size() == kEpisodes, played.where + "episodes are missing");
    std::uint64_t reached = 0;
    for (const Episode& episode : episodes) {
      require(played.law.contains(episode.wealth),
              played.where + "no history has the total " + shown(episode.wealth));
      if (episode.wealth >= *played.result.quantile) ++reached;
    }
    const double share = static_cast<double>(reached) / kEpisodes;
    require(share >= played.result.probability->nearest - band,
            played.where + "the lower end is reached in a share of " + shown(share) +
                " only, certified are " + shown(played.result.probability->nearest));
    const double truth = to_nearest_double(at_least(played.law, *played.result.quantile));
    require(std::abs(share - truth) <= band,
            played.where + "share " + shown(share) + " instead of " + shown(truth));
  }
}

}  // namespace
}  // namespace quantiplan::testing
