// Which of the policies that keep a budget to follow: the one with the best chance of the goal
// (promise/goal_promises.hpp), put into results.
//
// Losses with a goal, exact weights, and few enough nodes for rationals (budget_nodes.hpp);
// elsewhere results stay what they are.
#pragma once

#include <memory>
#include <vector>

#include "infinite/layout.hpp"
#include "problem/quantile_problem.hpp"

namespace quantiplan {

struct BudgetProblem;

// Null if it is too large, or the limits ended it.
std::shared_ptr<const BudgetProblem> budget_problem(const WeightedLayout& layout, Limits& limits);

// A level that was promised: P(goal, C <= budget) >= 1 - tau, or > on the lower side.
struct PromisedBudget {
  Question question;
  Total level;                     // counted: minus the budget
  FoundQuantile* found = nullptr;  // holds a policy that keeps it
};

void prefer_arrivals(const std::shared_ptr<WeightedLayout>& layout,
                     const Wishes& wishes,
                     const std::vector<PromisedBudget>& promised,
                     Work& work);

}  // namespace quantiplan
