#include "api/expectations.hpp"

#include <algorithm>
#include <cmath>
#include <functional>

#include "quantiplan/error.hpp"

namespace quantiplan {
namespace {

// Work of all questions together that is not noticed, in products; rationals count for a hundred.
constexpr std::uint64_t kMostWork = 20'000'000;

// Nullopt if there is none, it is too large, or a limit is met.
std::optional<Distribution> law_of(QuantileProblem& problem, const Later<Policy>& make) {
  try {
    auto law = problem.computed_law(make());
    if (law && law->sample) law.reset();
    return law;
  } catch (const Error& error) {
    if (error.code() != ErrorCode::refused) throw;
    return std::nullopt;
  }
}

struct Figures {
  std::optional<Value> mean;
  std::optional<GoalFigures> goal;
};

Figures figures_of(const Distribution& law, bool has_goal) {
  Figures out;
  if (!std::isnan(law.mean.nearest)) out.mean = law.mean;
  if (has_goal) out.goal = goal_figures(law);
  return out;
}

ExpectationComparison comparison_of(const Result& result, const Distribution& law, bool has_goal) {
  const Figures figures = figures_of(law, has_goal);
  ExpectationComparison out;
  out.mean = figures.mean.value_or(Value{std::nan("")});
  const QuantileOfDistribution own = law.quantile(result.tau, result.side);
  out.quantile = own.lower;
  if (own.upper != own.lower) out.upper = own.upper;
  out.probability = law.at_least(*result.quantile);
  if (figures.goal) {
    out.goal_probability = figures.goal->probability;
    out.goal_mean = figures.goal->mean;
  }
  return out;
}

}  // namespace

std::optional<GoalFigures> goal_figures(const Distribution& law) {
  if (law.sample) return std::nullopt;
  const ProbabilityBracket reached = law.at_least_bracket(Total::minus_infinity());
  GoalFigures out{Value::between(reached.lower, reached.upper), std::nullopt};
  if (!std::isnan(law.mean.nearest)) {
    out.mean = law.mean;
    return out;
  }
  out.mean = law.goal_mean;
  // What the rest adds is not known.
  if (out.mean || law.slack != 0 || law.rest) return out;
  Value sum{0, Rational(0)};
  for (const Atom& atom : law.atoms) {
    if (!atom.wealth.is_finite()) continue;
    sum.nearest += to_nearest_double(atom.wealth.value()) * atom.probability.nearest;
    if (!atom.probability.exact) sum.exact.reset();
    if (sum.exact) *sum.exact += atom.wealth.value() * *atom.probability.exact;
  }
  if (sum.exact) sum.nearest = to_nearest_double(*sum.exact);
  out.mean = std::move(sum);
  return out;
}

void add_criterion_means(QuantileProblem& problem, FoundQuantiles& found) {
  const Work& work = found.work;
  if (work.multiply_adds + 100 * work.exact_nodes > kMostWork / (1 + found.results.size())) return;
  for (FoundQuantile& each : found.results) {
    Result& result = each.result;
    if (!result.policy || result.mean || result.status != Status::solved) continue;
    if (const auto law = law_of(problem, result.policy)) result.mean = figures_of(*law, false).mean;
  }
}

void add_expectations(QuantileProblem& problem,
                      const ResolvedSetting& setting,
                      FoundQuantiles& found) {
  const bool has_goal = !setting.goal.empty();
  const bool is_infinite = setting.is_infinite() && setting.discount == 1;
  if (!has_goal && !is_infinite) return;
  const Work& work = found.work;
  if (work.multiply_adds + 100 * work.exact_nodes > kMostWork / (1 + found.results.size())) return;
  // Where the time was up before, none is left for this.
  const bool ended = std::ranges::any_of(found.results, [](const FoundQuantile& each) {
    const Status status = each.result.status;
    return status != Status::solved && status != Status::unsettled;
  });
  if (ended) return;
  std::optional<Distribution> best;
  if (!setting.adversarial) best = law_of(problem, [&] { return problem.expectation_policy(); });
  for (FoundQuantile& each : found.results) {
    Result& result = each.result;
    if (!result.policy || !result.quantile || result.mean) continue;
    if (const auto law = law_of(problem, result.policy)) {
      const Figures figures = figures_of(*law, has_goal);
      result.mean = figures.mean;
      if (figures.goal) {
        // What the search knows exactly no law tells better, least of all one that is cut off.
        if (!result.goal_probability || !result.goal_probability->exact)
          result.goal_probability = figures.goal->probability;
        result.goal_mean = figures.goal->mean;
      }
    }
    if (best) result.expectation_policy = comparison_of(result, *best, has_goal);
  }
}

}  // namespace quantiplan
