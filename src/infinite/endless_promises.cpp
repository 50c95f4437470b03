#include "infinite/endless_promises.hpp"

#include <utility>

#include "infinite/promise/arrival_worth.hpp"
#include "infinite/promise/budget_nodes.hpp"
#include "promise/goal_promises.hpp"
#include "promise/wanted.hpp"

namespace quantiplan {
namespace {

// In units; nullopt if it has more than 62 bits.
std::optional<std::uint64_t> budget_of(const WeightedGround& ground, const Total& level) {
  const Rational units = -level.value() / ground.weights.unit;
  if (units.get_den() != 1 || units < 0 || mpz_sizeinbase(units.get_num_mpz_t(), 2) > 62)
    return std::nullopt;
  return units.get_num().get_ui();
}

void put_budget_policy(const std::shared_ptr<WeightedGround>& ground,
                       const GoalPromise<BudgetNodes>& goal,
                       std::uint64_t budget,
                       const PromisedBudget& promised) {
  Result& result = promised.found->result;
  result.policy =
      [ground, nodes = goal.oracle, aim = goal.kept->aim, budget, level = promised.level.value()] {
        const LaterWork later(ground->ground->options);
        Limits limits(later.options());
        auto rules = nodes->rules(aim, budget, limits);
        if (!rules) refuse_unfinished("policy");
        Policy policy;
        policy.setting = ground->ground->setting;
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

std::shared_ptr<const BudgetProblem> budget_problem(const WeightedGround& ground, Limits& limits) {
  const Moves& moves = ground.ground->moves;
  const BestArrivals* best = ground.ground->arrivals(limits);
  if (best == nullptr) return nullptr;
  auto free = arrival_worths(moves, ground.weights, *best, limits);
  if (!free) return nullptr;
  return std::make_shared<BudgetProblem>(BudgetProblem{
      moves, ground.weights, *best, *std::move(free), least_costs(moves, ground.weights)});
}

void prefer_arrivals(const std::shared_ptr<WeightedGround>& ground,
                     const Wishes& wishes,
                     const std::vector<PromisedBudget>& promised,
                     Work& work) {
  Limits& limits = ground->ground->limits;
  if (promised.empty() || limits.ended()) return;
  std::vector<std::uint64_t> budgets;
  std::vector<Promise> promises;
  for (const PromisedBudget& each : promised) {
    const auto budget = budget_of(*ground, each.level);
    if (!budget) return;
    budgets.push_back(*budget);
    promises.push_back({1 - each.question.tau, each.question.side, std::nullopt});
  }
  const auto problem = budget_problem(*ground, limits);
  if (problem == nullptr) return;
  const std::uint64_t most_products =
      wishes.prefer == Prefer::automatic ? kSmallExactPass : kMostExactProducts;
  const auto make = [&](WorthKind kind, const std::vector<std::size_t>& which) {
    std::vector<std::uint64_t> own;
    for (const std::size_t i : which) own.push_back(budgets[i]);
    return BudgetNodes::make(problem, kind, own, most_products, limits);
  };
  const GoalSearch goal{problem->free[0][0],
                        wishes.mean_gap.value_or(Rational(0)),
                        wishes.prefer != Prefer::probability};
  const auto found = search_goal_promises<BudgetNodes>(goal, promises, make, limits, work);
  for (std::size_t i = 0; i < promised.size(); ++i) {
    if (found[i].kept) put_budget_policy(ground, found[i], budgets[i], promised[i]);
  }
}

}  // namespace quantiplan
