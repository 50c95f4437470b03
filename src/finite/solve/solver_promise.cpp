// Which of the policies that keep a promise is the one to follow (better_policies.hpp).
#include <fmt/format.h>

#include <algorithm>

#include "finite/promise/coin.hpp"
#include "finite/promise/exact_nodes.hpp"
#include "finite/promise/weighted_pass.hpp"
#include "finite/solve/rough_bracket.hpp"
#include "finite/solve/solver.hpp"
#include "numbers/mean_value.hpp"
#include "promise/distinct_targets.hpp"
#include "promise/goal_promises.hpp"
#include "quantiplan/error.hpp"

namespace quantiplan {
namespace {

// In keys; where it is exact so is the mean of the result. A coin needs a policy of the passes.
std::optional<Rational> known_mean(const Result& result, const Rational& unit, bool mixed) {
  if (!result.mean || mixed) return std::nullopt;
  return Rational((result.mean->exact ? *result.mean->exact : Rational(result.mean->nearest)) /
                  unit);
}

// Where the greatest probability is known exactly, no less will do for whoever prefers it.
bool is_as_probable(const Wishes& wishes, const Result& result, const Value& probability) {
  if (wishes.prefer != Prefer::probability || !result.probability || !result.probability->exact)
    return true;
  return probability.exact && *probability.exact >= *result.probability->exact;
}

// The gap of a coin is 0: it is to attain the bound.
Rational gap_of(const Wishes& wishes, bool exact) {
  if (wishes.mixed) return 0;
  return wishes.mean_gap.value_or(exact ? Rational(0) : Rational(1, 100));
}

}  // namespace

template <class N>
std::shared_ptr<PromisePasses> Solver<N>::node_passes(std::shared_ptr<const FreeWorth> free,
                                                      const std::vector<std::int64_t>& targets,
                                                      bool at_any_cost) {
  auto nodes = exact_nodes({layout_->stages,
                            std::make_shared<Windows>(layout_->windows->down_to_least()),
                            std::move(free),
                            targets,
                            at_any_cost ? kMostExactProducts : kSmallExactPass},
                           layout_->limits);
  if (nodes == nullptr && !layout_->limits.ended()) {
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
    auto pass = WeightedPass::prepare({layout_->stages,
                                       layout_->windows,
                                       expectation_,
                                       find_kernel(layout_->options.kernel),
                                       targets},
                                      layout_->limits);
    if (pass == nullptr) return nullptr;
    const PassSize& size = pass->size();
    const bool fits =
        size.bytes < 1e18 && layout_->limits.would_fit(static_cast<std::uint64_t>(size.bytes));
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
MeanShape Solver<N>::mean_shape(bool bounded) const {
  const WealthScale& scale = layout_->stages->scale();
  return {scale.unit(), !std::is_same_v<N, double>, bounded, scale.beyond_target() != 0};
}

template <class N>
Rational Solver<N>::greatest_mean() const {
  if constexpr (std::is_same_v<N, Rational>) {
    if (expectation_)
      return layout_->stages->template drawn<N>([&](std::size_t slot) {
        return expectation_->value(0, slot);
      }) * layout_->stages->scale().unit();
  }
  const PossibleRange range(layout_->model, layout_->setting);
  const bool rounds = layout_->stages->scale().beyond_target() != 0;
  return rounds ? range.greatest
                : std::min<Rational>(range.greatest, wealth(layout_->windows->start().possible));
}

template <class N>
void Solver<N>::prefer(const Wishes& wishes,
                       const std::vector<PromisedLevel>& promised,
                       Solver* above) {
  if (!wants_better_policies(wishes) || layout_->limits.ended()) return;
  if (wishes.goal) {
    prefer_goal(wishes, promised);
    return;
  }
  const bool at_any_cost = wishes.prefer != Prefer::automatic || wishes.mixed;
  const WealthScale& scale = layout_->stages->scale();
  // Levels, and less: whoever reaches that here may keep the promise all the same.
  DistinctTargets<std::pair<std::int64_t, std::int64_t>> levels;
  std::vector<Promise> promises;
  promises.reserve(promised.size());
  for (const PromisedLevel& each : promised) {
    promises.push_back({1 - each.question.tau,
                        each.question.side,
                        known_mean(*each.result, scale.unit(), wishes.mixed),
                        levels.place({each.level, each.level - scale.ceiling(each.slack).value})});
  }
  std::vector<std::int64_t> targets;
  std::vector<std::int64_t> lower;
  for (const auto& [level, less] : levels.all()) {
    targets.push_back(level);
    lower.push_back(less);
  }
  const auto passes = promise_passes(targets, at_any_cost);
  const bool for_mean = wishes.prefer != Prefer::probability || wishes.mixed;
  const bool has_bounds = above != nullptr || (for_mean && lower != targets);
  Solver& bounding = above != nullptr ? *above : *this;
  const auto bounds = has_bounds ? bounding.promise_passes(lower, at_any_cost) : nullptr;
  if (!for_mean) left_out_.clear();
  if (passes == nullptr || (has_bounds && bounds == nullptr)) return;
  const PromiseSearch search{
      *passes, bounds.get(), gap_of(wishes, !std::is_same_v<N, double>), for_mean};
  const auto found = search_promises(search, promises, layout_->limits, work_);
  passes->end_search();
  if (for_mean && layout_->limits.ended()) {
    left_out_ =
        "the search for it was cut short, so its bound may be missing, or wider than it need be";
  }
  for (std::size_t i = 0; i < promised.size(); ++i) {
    put_better(passes, found[i], wishes, promised[i]);
    if (!wishes.mixed) continue;
    if (const auto coin = coin_of(found[i], promises[i], scale.beyond_target() != 0))
      put_mixed(passes, *coin, mean_shape(wishes.bounded_means), promised[i]);
  }
}

// With a goal (promise/goal_promises.hpp).
template <class N>
void Solver<N>::prefer_goal(const Wishes& wishes, const std::vector<PromisedLevel>& promised) {
  Limits& limits = layout_->limits;
  const bool rounds = layout_->stages->scale().beyond_target() != 0;
  const bool at_any_cost = wishes.prefer != Prefer::automatic;
  const std::shared_ptr<const FreeWorth> goal =
      FreeWorth::of_goal(*layout_->stages, *wishes.goal, limits);
  if (goal == nullptr) return;
  DistinctTargets<std::int64_t> levels;
  std::vector<Promise> promises;
  promises.reserve(promised.size());
  for (const PromisedLevel& each : promised)
    promises.push_back(
        {1 - each.question.tau, each.question.side, std::nullopt, levels.place(each.level)});
  const auto make = [&](WorthKind kind, const std::vector<std::size_t>& which) {
    std::vector<std::int64_t> targets;
    targets.reserve(which.size());
    for (const std::size_t i : which) targets.push_back(levels.all()[i]);
    return node_passes(kind == WorthKind::goal ? goal : goal->arriving(), targets, at_any_cost);
  };
  const auto most = layout_->stages->template drawn<Rational>(
      [&](std::size_t slot) { return goal->at(0, slot)[0]; });
  const GoalSearch search{
      most, wishes.mean_gap.value_or(Rational(0)), wishes.prefer != Prefer::probability};
  const auto found = search_goal_promises<PromisePasses>(search, promises, make, limits, work_);
  for (std::size_t i = 0; i < promised.size(); ++i) {
    if (!found[i].kept) continue;
    Result& result = *promised[i].result;
    put_policy(layout_, rules_of(found[i].oracle, found[i].kept->aim), promised[i].level, result);
    result.probability = claimable(found[i].kept->at.probability, rounds);
    if (!found[i].bound) continue;
    result.prefer = Prefer::mean;
    // A bound among those who keep the promise of rounded wealth holds for them alone.
    result.goal_probability_bound = Value::exactly(rounds ? search.greatest : *found[i].bound);
  }
}

template <class N>
void Solver<N>::put_better(const std::shared_ptr<PromisePasses>& passes,
                           const PromiseFound& found,
                           const Wishes& wishes,
                           const PromisedLevel& promised) {
  Result& result = *promised.result;
  const MeanShape shape = mean_shape(wishes.bounded_means);
  if (found.kept && is_as_probable(wishes, result, found.kept->at.probability)) {
    const Prospect& at = found.kept->at;
    put_policy(layout_, rules_of(passes, found.kept->aim), promised.level, result);
    result.probability = shape.probability(at.probability);
    result.mean = shape.mean(at.mean, at.mean_error);
  }
  if (wishes.prefer == Prefer::probability || !found.bound) return;
  if (!result.mean) return;
  result.prefer = Prefer::mean;
  result.mean_bound = shape.bound(*found.bound, *result.mean);
  if (auto& most = result.mean->most) *most = std::min(*most, result.mean_bound->nearest);
  if (found.weight) result.mean_weight = Rational(*found.weight * shape.unit);
}

// Each part claims its own probability, from which that of the mixture follows.
template <class N>
void Solver<N>::put_mixed(const std::shared_ptr<PromisePasses>& passes,
                          const Coin& coin,
                          const MeanShape& shape,
                          const PromisedLevel& promised) {
  Result& result = *promised.result;
  std::vector<MixtureMaker> parts;
  MeanEnds mean;  // as they follow from what the parts claim
  const auto add = [&](const PointOfHull& point, const Rational& weight) {
    Result part;
    put_policy(layout_, rules_of(passes, point.aim), promised.level, part);
    const Value probability = claimable(point.at.probability, shape.rounds);
    const Value own = shape.mean(point.at.mean, point.at.mean_error);
    parts.push_back({weight, part.policy, claim_of_part(wealth(promised.level), probability, own)});
    const MeanEnds ends = ends_of(own);
    mean.low += weight * ends.low;
    mean.high += weight * ends.high;
  };
  add(coin.first, coin.chance);
  if (coin.second) add(*coin.second, 1 - coin.chance);
  // Doubles may have settled what decides in rationals.
  const bool is_exact = !shape.rounds && coin.first.at.probability.exact &&
                        (!coin.second || coin.second->at.probability.exact);
  result.mixed =
      Mixed{coin.chance,
            is_exact ? Value::exactly(coin.probability) : Value::at_least(coin.probability),
            shape.is_exact     ? Value::exactly(mean.low)
            : shape.is_bounded ? Value::no_less_than(mean.low)
                               : mean_between(mean),
            mixture_of(std::move(parts)),
            std::nullopt};
  // In doubles the coin may attain what the bound says, and a hair more as it is shown.
  if (!result.mean_bound || result.mean_bound->exact) return;
  result.mean_bound->nearest = std::max(result.mean_bound->nearest, result.mixed->mean.nearest);
}

template std::shared_ptr<PromisePasses> Solver<double>::node_passes(
    std::shared_ptr<const FreeWorth>, const std::vector<std::int64_t>&, bool);
template void Solver<double>::prefer_goal(const Wishes&, const std::vector<PromisedLevel>&);
template std::shared_ptr<PromisePasses> Solver<Rational>::node_passes(
    std::shared_ptr<const FreeWorth>, const std::vector<std::int64_t>&, bool);
template void Solver<Rational>::prefer_goal(const Wishes&, const std::vector<PromisedLevel>&);
template std::shared_ptr<PromisePasses> Solver<double>::promise_passes(
    const std::vector<std::int64_t>&, bool);
template MeanShape Solver<double>::mean_shape(bool) const;
template Rational Solver<double>::greatest_mean() const;
template void Solver<double>::prefer(const Wishes&, const std::vector<PromisedLevel>&, Solver*);
template void Solver<double>::put_mixed(const std::shared_ptr<PromisePasses>&,
                                        const Coin&,
                                        const MeanShape&,
                                        const PromisedLevel&);
template void Solver<double>::put_better(const std::shared_ptr<PromisePasses>&,
                                         const PromiseFound&,
                                         const Wishes&,
                                         const PromisedLevel&);
template std::shared_ptr<PromisePasses> Solver<Rational>::promise_passes(
    const std::vector<std::int64_t>&, bool);
template MeanShape Solver<Rational>::mean_shape(bool) const;
template Rational Solver<Rational>::greatest_mean() const;
template void Solver<Rational>::prefer(const Wishes&, const std::vector<PromisedLevel>&, Solver*);
template void Solver<Rational>::put_mixed(const std::shared_ptr<PromisePasses>&,
                                          const Coin&,
                                          const MeanShape&,
                                          const PromisedLevel&);
template void Solver<Rational>::put_better(const std::shared_ptr<PromisePasses>&,
                                           const PromiseFound&,
                                           const Wishes&,
                                           const PromisedLevel&);

}  // namespace quantiplan
