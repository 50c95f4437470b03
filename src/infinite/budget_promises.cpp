#include "infinite/budget_promises.hpp"

#include <utility>

#include "infinite/promise/arrival_worth.hpp"
#include "infinite/promise/budget_nodes.hpp"
#include "promise/distinct_targets.hpp"
#include "promise/goal_promises.hpp"
#include "promise/wanted.hpp"

namespace quantiplan {
namespace {

// In units; nullopt if it has more than 62 bits.
std::optional<std::uint64_t> budget_of(const WeightedLayout& layout, const Total& level) {
  const Rational units = -level.value() / layout.weights.unit;
  if (units.get_den() != 1 || units < 0 || mpz_sizeinbase(units.get_num_mpz_t(), 2) > 62)
    return std::nullopt;
  return units.get_num().get_ui();
}

void put_budget_policy(const std::shared_ptr<WeightedLayout>& layout,
                       const GoalPromise<BudgetNodes>& goal,
                       std::uint64_t budget,
                       const PromisedBudget& promised) {
  Result& result = promised.found->result;
  result.policy =
      [layout, nodes = goal.oracle, aim = goal.kept->aim, budget, level = promised.level.value()] {
        const LaterWork later(layout->layout->options);
        Limits limits(later.options());
        auto rules = nodes->rules(aim, budget, limits);
        if (!rules) refuse_unfinished("policy");
        Policy policy;
        policy.setting = layout->layout->setting;
        policy.target = level;
        policy.rules = *std::move(rules);
        return policy;
      };
  result.probability = goal.kept->at.probability;
  promised.found->own = result.probability;
  result.goal_probability = Value::exactly(goal.goal_probability);
  if (!goal.bound) return;
  result.prefer = Prefer::mean;
  result.goal_probability_bound = Value::exactly(*goal.bound);
}

}  // namespace

std::shared_ptr<const BudgetProblem> budget_problem(const WeightedLayout& layout, Limits& limits) {
  const Moves& moves = layout.layout->moves;
  const BestArrivals* best = layout.layout->arrivals(limits);
  if (best == nullptr) return nullptr;
  auto free = arrival_worths(moves, layout.weights, *best, limits);
  if (!free) return nullptr;
  return std::make_shared<BudgetProblem>(BudgetProblem{
      moves, layout.weights, *best, *std::move(free), least_costs(moves, layout.weights)});
}

void prefer_arrivals(const std::shared_ptr<WeightedLayout>& layout,
                     const Wishes& wishes,
                     const std::vector<PromisedBudget>& promised,
                     Work& work) {
  Limits& limits = layout->layout->limits;
  if (promised.empty() || limits.ended()) return;
  DistinctTargets<std::uint64_t> budgets;
  std::vector<Promise> promises;
  for (const PromisedBudget& each : promised) {
    const auto budget = budget_of(*layout, each.level);
    if (!budget) return;
    promises.push_back(
        {1 - each.question.tau, each.question.side, std::nullopt, budgets.place(*budget)});
  }
  const auto problem = budget_problem(*layout, limits);
  if (problem == nullptr) return;
  const std::uint64_t most_products =
      wishes.prefer == Prefer::automatic ? kSmallExactPass : kMostExactProducts;
  const auto make = [&](WorthKind kind, const std::vector<std::size_t>& targets) {
    std::vector<std::uint64_t> own;
    own.reserve(targets.size());
    for (const std::size_t i : targets) own.push_back(budgets.all()[i]);
    return BudgetNodes::make(problem, kind, own, most_products, limits);
  };
  const GoalSearch goal{problem->free[0][0],
                        wishes.mean_gap.value_or(Rational(0)),
                        wishes.prefer != Prefer::probability};
  const auto found = search_goal_promises<BudgetNodes>(goal, promises, make, limits, work);
  for (std::size_t i = 0; i < promised.size(); ++i) {
    if (found[i].kept)
      put_budget_policy(layout, found[i], budgets.all()[promises[i].target], promised[i]);
  }
}

}  // namespace quantiplan
