// The expectation-optimal policy, against exact backward induction.
#include <gtest/gtest.h>

#include "harness/comparisons.hpp"
#include "harness/configurations.hpp"
#include "harness/harness.hpp"
#include "harness/random_model.hpp"
#include "oracles/follow.hpp"
#include "quantiplan/solve.hpp"

namespace quantiplan::testing {
namespace {

// Choices closer than rounding can tell count as equals, unless the arithmetic is exact.
void require_best(const Case& c, const Visit& v, bool exact) {
  const std::uint64_t to_go = c.plain.horizon - v.time;
  const Extremes& ahead = c.outlook.at(to_go, v.state);
  std::size_t first = 0;
  while (c.outlook.worth(to_go, v.state, first) != ahead.expectation) ++first;
  const Rational size = std::max(Rational(abs(ahead.least)), Rational(abs(ahead.greatest)));
  const Rational lost = ahead.expectation - c.outlook.worth(to_go, v.state, v.choice);
  require(exact ? v.choice == first : v.choice <= first && lost <= certified_error(c) * size,
          "time " + std::to_string(v.time) + ", state " + std::to_string(v.state) + ": choice " +
              std::to_string(v.choice) + ", must be " + std::to_string(first));
}

QUANTIPLAN_PROPERTY(TheExpectationPolicyIsOptimalAndTheFirstOfEquals, tiny_model, 0.25) {
  for (const Arithmetic arithmetic : {Arithmetic::exact, Arithmetic::floating}) {
    Options options;
    options.arithmetic = arithmetic;
    const bool exact = arithmetic == Arithmetic::exact;
    const Policy policy = expectation_policy(c.model, {}, options);
    const Law law =
        follow(c.plain, c.model, policy, [&](const Visit& v) { require_best(c, v, exact); });
    const Rational best = c.outlook.at(c.plain.horizon, c.plain.initial).expectation;
    require(!exact || mean(law) == best, "mean is " + shown(mean(law)));
    require_law(c, evaluate(c.model, policy, options), law, "evaluate()");
  }
}

QUANTIPLAN_PROPERTY(TheComparisonShowsTheExpectationPolicy, tiny_model, 0.2) {
  for (const Configuration& configuration : some_configurations(c.seed)) {
    const Law law =
        follow(c.plain, c.model, expectation_policy(c.model, {}, configuration.options));
    for (const Result& result : solve(c.model, c.query(), configuration.options).results) {
      const std::string where = place(configuration.name, result.tau, result.side);
      require(result.expectation_policy.has_value(), where + "no comparison");
      const ExpectationComparison& other = *result.expectation_policy;
      require_mean(c, other.mean, law, where + "mean of the expectation policy");
      require(other.quantile == quantile(law, result.tau, result.side),
              where + "quantile of the expectation policy is " +
                  (other.quantile ? shown(*other.quantile) : "absent") + ", must be " +
                  shown(quantile(law, result.tau, result.side)));
      require_probability(c,
                          other.probability,
                          at_least(law, *result.quantile),
                          where + "probability of the expectation policy");
    }
  }
}

QUANTIPLAN_PROPERTY(QuantilesOfADistributionFollowTheirDefinition, tiny_model, 0.1) {
  const Policy policy = expectation_policy(c.model, {});
  const Law law = follow(c.plain, c.model, policy);
  const Distribution found = evaluate(c.model, policy);
  for (const auto& [wealth, p] : law) c.taus.emplace_back(at_most(law, wealth));
  for (const Question& q : questions(c.query())) {
    const QuantileOfDistribution answer = found.quantile(q.tau, q.side);
    const Total truth = quantile(law, q.tau, q.side);
    require(answer.lower <= truth && truth <= answer.upper,
            place("evaluate()", q.tau, q.side) + "the bracket misses " + shown(truth));
    if (found.relative_error == 0)
      require(answer.lower == answer.upper, place("evaluate()", q.tau, q.side) + "not exact");
  }
}

}  // namespace
}  // namespace quantiplan::testing
