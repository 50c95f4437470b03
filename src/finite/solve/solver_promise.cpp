// Which of the policies that keep a promise is the one to follow (better_policies.hpp).
#include <fmt/format.h>

#include <algorithm>

#include "finite/promise/exact_nodes.hpp"
#include "finite/promise/weighted_pass.hpp"
#include "finite/solve/solver.hpp"
#include "promise/goal_promises.hpp"
#include "quantiplan/error.hpp"

namespace quantiplan {
namespace {

// The policy of an aim, remade when it is asked for.
MakeRules rules_of(const std::shared_ptr<PromisePasses>& passes, const Aim& aim) {
  return [passes, aim](Limits& limits) {
    auto rules = passes->rules(aim, limits);
    if (!rules) refuse_unfinished("policy");
    return *std::move(rules);
  };
}

// In keys; where it is exact so is the mean of the result.
std::optional<Rational> known_mean(const Result& result, const Rational& unit) {
  if (!result.mean) return std::nullopt;
  return Rational((result.mean->exact ? *result.mean->exact : Rational(result.mean->nearest)) /
                  unit);
}

// Where the greatest probability is known exactly, no less will do for whoever prefers it.
bool is_as_probable(const Wishes& wishes, const Result& result, const Value& probability) {
  if (wishes.prefer != Prefer::probability || !result.probability || !result.probability->exact)
    return true;
  return probability.exact && *probability.exact >= *result.probability->exact;
}

Rational gap_of(const Wishes& wishes, bool exact) {
  return wishes.mean_gap.value_or(exact ? Rational(0) : Rational(1, 100));
}

}  // namespace

template <class N>
std::shared_ptr<PromisePasses> Solver<N>::node_passes(std::shared_ptr<const FreeWorth> free,
                                                      const std::vector<std::int64_t>& targets,
                                                      bool at_any_cost) {
  auto nodes = exact_nodes({instance_->stages,
                            std::make_shared<Windows>(instance_->windows->down_to_least()),
                            std::move(free),
                            targets,
                            at_any_cost ? kMostExactProducts : kSmallExactPass},
                           instance_->limits);
  if (nodes == nullptr && !instance_->limits.ended()) {
    left_out_ = at_any_cost
                    ? "too much for rationals; expected --arithmetic double"
                    : "a pass for it has many products of rationals; --prefer mean asks for it";
  }
  return nodes;
}

template <class N>
std::shared_ptr<PromisePasses> Solver<N>::promise_passes(const std::vector<std::int64_t>& targets,
                                                         bool at_any_cost) {
  if (!find_expectation()) return nullptr;
  if constexpr (std::is_same_v<N, double>) {
    auto pass = WeightedPass::prepare({instance_->stages,
                                       instance_->windows,
                                       expectation_,
                                       find_kernel(instance_->options.kernel),
                                       targets},
                                      instance_->limits);
    if (pass == nullptr) return nullptr;
    const PassSize& size = pass->size();
    const bool fits =
        size.bytes < 1e18 && instance_->limits.would_fit(static_cast<std::uint64_t>(size.bytes));
    if (fits && (at_any_cost || size.multiply_adds <= kSmallPass)) return pass;
    left_out_ =
        fits ? fmt::format("a pass for it has {:.2g} multiply-adds; --prefer mean asks for it",
                           size.multiply_adds)
             : fmt::format(
                   "a pass for it needs {:.2g} bytes; expected a greater "
                   "--memory-limit, or a wider --epsilon",
                   size.bytes);
    return nullptr;
  } else {
    return node_passes(FreeWorth::of_mean(*expectation_), targets, at_any_cost);
  }
}

template <class N>
void Solver<N>::prefer(const Wishes& wishes,
                       const std::vector<PromisedLevel>& promised,
                       Solver* above) {
  if (!wants_better_policies(wishes) || instance_->limits.ended()) return;
  if (wishes.goal) {
    prefer_goal(wishes, promised);
    return;
  }
  const bool at_any_cost = wishes.prefer != Prefer::automatic;
  const Rational& unit = instance_->stages->scale().unit();
  const std::int64_t slack = instance_->stages->scale().ceiling(wishes.slack).value;
  std::vector<std::int64_t> targets;
  std::vector<std::int64_t> lowered;  // whoever reaches less here may keep the promise all the same
  std::vector<Promise> promises;
  for (const PromisedLevel& each : promised) {
    targets.push_back(each.level);
    lowered.push_back(each.level - slack);
    promises.push_back({1 - each.question.tau, each.question.side, known_mean(*each.result, unit)});
  }
  Solver* bounding = above == nullptr && slack > 0 ? this : above;
  const auto passes = promise_passes(targets, at_any_cost);
  const auto bounds =
      bounding != nullptr ? bounding->promise_passes(lowered, at_any_cost) : nullptr;
  if (wishes.prefer == Prefer::probability) left_out_.clear();
  if (passes == nullptr || (bounding != nullptr && bounds == nullptr)) return;
  const PromiseSearch search{*passes,
                             bounds.get(),
                             gap_of(wishes, !std::is_same_v<N, double>),
                             wishes.prefer != Prefer::probability};
  const auto found = search_promises(search, promises, instance_->limits, work_);
  passes->end_search();
  if (wishes.prefer != Prefer::probability && instance_->limits.ended()) {
    left_out_ = "the search for it was cut short, so the bound is wider than it need be";
  }
  for (std::size_t i = 0; i < promised.size(); ++i)
    put_better(passes, found[i], wishes, promised[i]);
}

// With a goal (promise/goal_promises.hpp).
template <class N>
void Solver<N>::prefer_goal(const Wishes& wishes, const std::vector<PromisedLevel>& promised) {
  Limits& limits = instance_->limits;
  if (instance_->stages->scale().grid()) return;
  const bool at_any_cost = wishes.prefer != Prefer::automatic;
  const std::shared_ptr<const FreeWorth> goal =
      FreeWorth::of_goal(*instance_->stages, *wishes.goal, limits);
  if (goal == nullptr) return;
  std::vector<Promise> promises;
  for (const PromisedLevel& each : promised)
    promises.push_back({1 - each.question.tau, each.question.side, std::nullopt});
  const auto make = [&](WorthKind kind, const std::vector<std::size_t>& which) {
    std::vector<std::int64_t> targets;
    for (const std::size_t i : which) targets.push_back(promised[i].level);
    return node_passes(kind == WorthKind::goal ? goal : goal->arriving(), targets, at_any_cost);
  };
  const GoalSearch search{goal->at(0, 0)[0],
                          wishes.mean_gap.value_or(Rational(0)),
                          wishes.prefer != Prefer::probability};
  const auto found = search_goal_promises<PromisePasses>(search, promises, make, limits, work_);
  for (std::size_t i = 0; i < promised.size(); ++i) {
    if (!found[i].kept) continue;
    Result& result = *promised[i].result;
    put_policy(instance_, rules_of(found[i].oracle, found[i].kept->aim), promised[i].level, result);
    result.probability = found[i].kept->at.probability;
    if (!found[i].bound) continue;
    result.prefer = Prefer::mean;
    result.goal_probability_bound = Value::exactly(*found[i].bound);
  }
}

template <class N>
void Solver<N>::put_better(const std::shared_ptr<PromisePasses>& passes,
                           const PromiseFound& found,
                           const Wishes& wishes,
                           const PromisedLevel& promised) {
  Result& result = *promised.result;
  const Rational& unit = instance_->stages->scale().unit();
  constexpr bool kExact = !std::is_same_v<N, double>;
  if (found.kept && is_as_probable(wishes, result, found.kept->at.probability)) {
    put_policy(instance_, rules_of(passes, found.kept->aim), promised.level, result);
    const Value& probability = found.kept->at.probability;
    const bool rounds = instance_->stages->scale().beyond_target() != 0;
    result.probability = rounds ? Value::at_least(probability.least()) : probability;
    const Rational mean = found.kept->at.mean * unit;
    if (kExact)
      result.mean = Value::exactly(mean);
    else if (wishes.bounded_means)
      result.mean = Value::no_less_than(mean - found.kept->at.mean_error * unit);
    else
      result.mean = Value{to_nearest_double(mean)};
  }
  if (wishes.prefer == Prefer::probability || !found.bound) return;
  result.prefer = Prefer::mean;
  if (!result.mean) return;
  Rational bound = *found.bound * unit;
  // What is shown of the mean is rounded, and so may lie beyond its bound by a hair.
  if (!kExact) bound = std::max<Rational>(bound, Rational(result.mean->nearest));
  result.mean_bound = kExact ? Value::exactly(bound) : Value::no_more_than(bound);
  if (found.weight) result.mean_weight = Rational(*found.weight * unit);
}

template std::shared_ptr<PromisePasses> Solver<double>::node_passes(
    std::shared_ptr<const FreeWorth>, const std::vector<std::int64_t>&, bool);
template void Solver<double>::prefer_goal(const Wishes&, const std::vector<PromisedLevel>&);
template std::shared_ptr<PromisePasses> Solver<Rational>::node_passes(
    std::shared_ptr<const FreeWorth>, const std::vector<std::int64_t>&, bool);
template void Solver<Rational>::prefer_goal(const Wishes&, const std::vector<PromisedLevel>&);
template std::shared_ptr<PromisePasses> Solver<double>::promise_passes(
    const std::vector<std::int64_t>&, bool);
template void Solver<double>::prefer(const Wishes&, const std::vector<PromisedLevel>&, Solver*);
template void Solver<double>::put_better(const std::shared_ptr<PromisePasses>&,
                                         const PromiseFound&,
                                         const Wishes&,
                                         const PromisedLevel&);
template std::shared_ptr<PromisePasses> Solver<Rational>::promise_passes(
    const std::vector<std::int64_t>&, bool);
template void Solver<Rational>::prefer(const Wishes&, const std::vector<PromisedLevel>&, Solver*);
template void Solver<Rational>::put_better(const std::shared_ptr<PromisePasses>&,
                                           const PromiseFound&,
                                           const Wishes&,
                                           const PromisedLevel&);

}  // namespace quantiplan
