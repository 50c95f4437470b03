// The best chance of the goal that keeps a promise (promise/goal_promises.hpp).
//
// Where wealth is rounded, or something follows that only bounds are known of, the bound is that of
// whoever promises a level lower by as much: W >= q  =>  W^- >= q - slack.
#include <algorithm>

#include "finite/promise/coin.hpp"
#include "finite/promise/exact_nodes.hpp"
#include "finite/promise/weighted_pass.hpp"
#include "finite/solve/solver.hpp"
#include "promise/distinct_targets.hpp"
#include "promise/goal_promises.hpp"

namespace quantiplan {

// Small problems in rationals, others in doubles.
template <class N>
std::shared_ptr<PromisePasses> Solver<N>::goal_passes(std::shared_ptr<const FreeWorth> goal,
                                                      const std::vector<std::int64_t>& targets,
                                                      bool at_any_cost) {
  if constexpr (std::is_same_v<N, double>) {
    // Rationals grow with every step.
    constexpr std::uint64_t kFewProducts = 20'000;
    Limits& limits = layout_->limits;
    auto open = std::make_shared<Windows>(layout_->windows->down_to_least());
    if (auto few =
            exact_nodes({layout_->stages, std::move(open), goal, targets, kFewProducts}, limits))
      return few;
    if (limits.ended()) return nullptr;
    const auto expectation = expectation_of(*layout_->stages, *goal);
    std::shared_ptr<PromisePasses> found = weighted_pass(expectation, goal, targets, false);
    if (!found && !limits.ended()) found = node_passes(goal, targets, false);
    if (!found && !limits.ended()) found = weighted_pass(expectation, goal, targets, at_any_cost);
    if (found) left_out_.clear();
    return found;
  } else {
    return node_passes(std::move(goal), targets, at_any_cost);
  }
}

template <class N>
void Solver<N>::prefer_goal(const Wishes& wishes, const std::vector<PromisedLevel>& promised) {
  Limits& limits = layout_->limits;
  const WealthScale& scale = layout_->stages->scale();
  const bool at_any_cost = wishes.prefer != Prefer::automatic;
  const std::shared_ptr<const FreeWorth> goal =
      FreeWorth::of_goal(*layout_->stages, *wishes.goal, limits);
  if (goal == nullptr) return;
  DistinctTargets<std::int64_t> levels;
  std::vector<Promise> promises;
  for (const PromisedLevel& each : promised)
    promises.push_back({1 - each.question.tau, each.question.side, {}, levels.place(each.level)});
  const auto make = [&](WorthKind kind, const std::vector<std::size_t>& which) {
    std::vector<std::int64_t> targets;
    targets.reserve(which.size());
    for (const std::size_t i : which) targets.push_back(levels.all()[i]);
    return goal_passes(kind == WorthKind::goal ? goal : goal->arriving(), targets, at_any_cost);
  };
  const auto most = layout_->stages->template drawn<Rational>(
      [&](std::size_t slot) { return goal->at(0, slot)[0]; });
  const GoalSearch search{
      most, wishes.mean_gap.value_or(Rational(0)), wishes.prefer != Prefer::probability};
  const auto found = search_goal_promises<PromisePasses>(search, promises, make, limits, work_);
  const bool rounds = scale.beyond_target() != 0;
  std::vector<std::optional<Rational>> bounds;
  for (const auto& each : found) bounds.push_back(each.bound);
  if (search.goal_first && (rounds || wishes.slack != 0))
    bounds = goal_bounds(goal, search, promised, wishes.slack, at_any_cost);
  for (std::size_t i = 0; i < promised.size(); ++i) {
    Result& result = *promised[i].result;
    if (!found[i].kept) {
      // Too much to be searched, or cut short: no policy exceeds the greatest chance of all.
      if (at_any_cost && search.goal_first) {
        result.prefer = Prefer::mean;
        result.goal_probability_bound = Value::exactly(most);
      }
      continue;
    }
    const Value& probability = found[i].kept->at.probability;
    put_policy(layout_, rules_of(found[i].oracle, found[i].kept->aim), promised[i].level, result);
    result.probability = claimable(probability, rounds);
    const Rational& reached = found[i].goal_probability;
    const Rational& error = found[i].error;
    result.goal_probability = error == 0
                                  ? Value::exactly(reached)
                                  : Value::between(std::max<Rational>(0, reached - error),
                                                   std::min<Rational>(most, reached + error));
    if (!bounds[i]) continue;
    result.prefer = Prefer::mean;
    const bool is_exact = found[i].oracle->is_exact() || *bounds[i] >= most;
    const Rational bound = std::min(*bounds[i], most);
    result.goal_probability_bound = is_exact ? Value::exactly(bound) : Value::no_more_than(bound);
  }
}

// Of levels that are lower by what was rounded and by what follows. Without a pass for them no policy
// exceeds the greatest chance of all.
template <class N>
std::vector<std::optional<Rational>> Solver<N>::goal_bounds(
    const std::shared_ptr<const FreeWorth>& goal,
    const GoalSearch& search,
    const std::vector<PromisedLevel>& promised,
    const Rational& slack,
    bool at_any_cost) {
  const WealthScale& scale = layout_->stages->scale();
  DistinctTargets<std::int64_t> levels;
  std::vector<Promise> promises;
  promises.reserve(promised.size());
  const std::int64_t less = scale.ceiling(slack + scale.slack()).value;
  for (const PromisedLevel& each : promised)
    promises.push_back(
        {1 - each.question.tau, each.question.side, {}, levels.place(each.level - less)});
  std::vector<std::optional<Rational>> out(promised.size(), search.greatest);
  const auto passes = goal_passes(goal, levels.all(), at_any_cost);
  if (passes == nullptr) return out;
  const auto found =
      search_promises({*passes, nullptr, search.gap, true}, promises, layout_->limits, work_);
  for (std::size_t i = 0; i < out.size(); ++i)
    if (found[i].bound) out[i] = std::min(*found[i].bound, search.greatest);
  return out;
}

template std::shared_ptr<PromisePasses> Solver<double>::goal_passes(
    std::shared_ptr<const FreeWorth>, const std::vector<std::int64_t>&, bool);
template void Solver<double>::prefer_goal(const Wishes&, const std::vector<PromisedLevel>&);
template std::vector<std::optional<Rational>> Solver<double>::goal_bounds(
    const std::shared_ptr<const FreeWorth>&,
    const GoalSearch&,
    const std::vector<PromisedLevel>&,
    const Rational&,
    bool);
template std::shared_ptr<PromisePasses> Solver<Rational>::goal_passes(
    std::shared_ptr<const FreeWorth>, const std::vector<std::int64_t>&, bool);
template void Solver<Rational>::prefer_goal(const Wishes&, const std::vector<PromisedLevel>&);
template std::vector<std::optional<Rational>> Solver<Rational>::goal_bounds(
    const std::shared_ptr<const FreeWorth>&,
    const GoalSearch&,
    const std::vector<PromisedLevel>&,
    const Rational&,
    bool);

}  // namespace quantiplan
