// Policies keep their word, survive the file format, and false claims about them are refuted.
#include <gtest/gtest.h>

#include "harness/comparisons.hpp"
#include "harness/configurations.hpp"
#include "harness/harness.hpp"
#include "harness/random_model.hpp"
#include "oracles/follow.hpp"
#include "quantiplan/formats.hpp"
#include "quantiplan/solve.hpp"

namespace quantiplan::testing {
namespace {

// Some results of some configurations: policies cost more than numbers.
std::vector<std::pair<std::string, Result>> some_results(const Case& c, std::size_t of_each) {
  Dice dice(c.seed ^ 0x706F6C696379U);
  std::vector<std::pair<std::string, Result>> some;
  for (const Configuration& configuration : some_configurations(c.seed)) {
    const Answer answer = solve(c.model, c.query(), configuration.options);
    for (std::size_t i = 0; i < of_each; ++i) {
      const Result& result = dice.pick(answer.results);
      some.emplace_back(place(configuration.name, result.tau, result.side), result);
    }
  }
  return some;
}

// Where the target is met whatever is done, or out of reach, the expectation decides.
void require_sense_where_free(const Case& c, const Visit& visit, const std::string& where) {
  const std::uint64_t to_go = c.plain.horizon - visit.time;
  const Extremes& ahead = c.outlook.at(to_go, visit.state);
  if (visit.residual > ahead.least && visit.residual <= ahead.greatest) return;
  const Rational worth = c.outlook.worth(to_go, visit.state, visit.choice);
  const Rational size = std::max(Rational(abs(ahead.least)), Rational(abs(ahead.greatest)));
  require(ahead.expectation - worth <= certified_error(c) * size,
          where + "a reckless action at time " + std::to_string(visit.time) + ", state " +
              std::to_string(visit.state) + ", residual " + shown(visit.residual));
}

QUANTIPLAN_PROPERTY(PoliciesKeepTheirWord, tiny_model, 0.4) {
  for (const auto& [where, result] : some_results(c, 3)) {
    const Policy policy = result.policy();
    const Optimum best = c.expected(result.tau, result.side);
    const auto sense = [&, &at = where](const Visit& v) { require_sense_where_free(c, v, at); };
    const Law law = follow(c.plain, c.model, policy, sense);
    require(quantile(law, result.tau, result.side) == best.quantile,
            where + "the policy's own quantile is " +
                shown(quantile(law, result.tau, result.side)) + ", must be " +
                shown(best.quantile));
    // Far from theta, actions closer than rounding can tell are as good as each other.
    const Rational reached = at_least(law, best.quantile);
    require(result.probability->exact
                ? reached == best.probability
                : best.probability - reached <= certified_error(c) * best.probability,
            where + "the policy reaches the quantile with " + shown(reached) + ", must be " +
                shown(best.probability));
    require_law(c, evaluate(c.model, policy), law, where + "evaluate()");
    require_law(c, result.distribution(), law, where + "distribution()");
    require(result.mean.has_value(), where + "no mean");
    require_mean(c, *result.mean, law, where + "mean");

    require(policy.claim.has_value(), where + "no claim");
    require(policy.claim->tau == result.tau && policy.claim->side == result.side &&
                policy.claim->quantile == result.quantile,
            where + "the claim is about something else");
    const CheckReport report = check(c.model, policy, *policy.claim);
    require(report.passed && report.optimality_checked, where + "check " + verdict(report));
  }
}

QUANTIPLAN_PROPERTY(PoliciesSurviveTheirFile, tiny_model, 0.1) {
  for (const auto& [where, result] : some_results(c, 1)) {
    const Policy policy = result.policy();
    const std::string text = format_policy(policy, c.model);
    const Policy again = parse_policy(text, c.model, "again");
    require(follow(c.plain, c.model, again) == follow(c.plain, c.model, policy),
            std::string(where).append("another policy comes back from\n").append(text));
    require(again.claim.has_value(), where + "the claim is lost");
    const CheckReport report = check(c.model, again, *again.claim);
    require(report.passed, where + "check of the policy read back " + verdict(report));
    require(format_policy(again, c.model) == text, where + "the second writing differs");
  }
}

// True if the claim still holds for the policy, or fails by less than a claimed double can tell.
bool claim_may_hold(Case& c, const Policy& policy, const PolicyClaim& claim) {
  Law law;
  try {
    law = follow(c.plain, c.model, policy);
  } catch (const std::runtime_error&) {
    return false;  // it comes to places it has no rule for
  }
  if (quantile(law, claim.tau, claim.side) < claim.quantile) return false;
  const Rational best = c.expected(claim.tau, claim.side).probability;
  return best - at_least(law, claim.quantile) <= 2 * certified_error(c);
}

// An action replaced by another, at a place the policy comes to.
void require_worse_is_refuted(Case& c, const Policy& policy, const std::string& where) {
  std::vector<Visit> visits;
  follow(c.plain, c.model, policy, [&](const Visit& v) { visits.push_back(v); });
  for (const Visit& visit : visits) {
    for (const Choice other : c.model.choices(policy.rules[visit.rule].state)) {
      Policy tampered = policy;
      tampered.rules[visit.rule].runs[visit.run].choice = other;
      if (claim_may_hold(c, tampered, *policy.claim)) continue;
      const CheckReport report = check(c.model, tampered, *policy.claim);
      require(!report.passed, where + "a worse action was not noticed; check " + verdict(report));
    }
  }
}

QUANTIPLAN_PROPERTY(FalseClaimsAreRefuted, tiny_model, 0.2) {
  const auto refuted =
      [&](const Policy& policy, const PolicyClaim& claim, const std::string& what) {
        const CheckReport report = check(c.model, policy, claim);
        require(!report.passed, what + " was not noticed; check " + verdict(report));
      };
  for (const auto& [where, result] : some_results(c, 1)) {
    const Policy policy = result.policy();
    PolicyClaim claim = *policy.claim;
    for (const Rational& off : {Rational(1, 100), Rational(1), Rational(-1, 100), Rational(-1)}) {
      claim.quantile = Rational(result.quantile->value() + off);
      refuted(policy, claim, where + "a quantile off by " + shown(off));
    }
    claim = *policy.claim;
    claim.exact_probability.reset();
    claim.probability = claim.probability > 0.5 ? claim.probability * 0.999 : 0.75;
    refuted(policy, claim, where + "a wrong probability");
    claim = *policy.claim;
    const Rational right = c.expected(claim.tau, claim.side).probability;
    claim.probability = to_nearest_double(right);
    claim.exact_probability = right - Rational(0x1p-900);
    refuted(policy, claim, where + "a wrong exact probability");
    claim.exact_probability = right;
    require(check(c.model, policy, claim).passed, where + "the right exact probability is refuted");
    require_worse_is_refuted(c, policy, where);
  }
}

}  // namespace
}  // namespace quantiplan::testing
