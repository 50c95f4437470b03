// Which of the policies that keep a promise is the one to follow (better_policies.hpp).
#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "finite/promise/coin.hpp"
#include "finite/promise/double_nodes.hpp"
#include "finite/promise/exact_nodes.hpp"
#include "finite/promise/weighted_pass.hpp"
#include "finite/solve/grid_choice.hpp"
#include "finite/solve/plain.hpp"
#include "finite/solve/rough_bracket.hpp"
#include "finite/solve/solver.hpp"
#include "numbers/mean_value.hpp"
#include "promise/distinct_targets.hpp"
#include "quantiplan/error.hpp"

namespace quantiplan {
namespace {

// In keys; where it is exact so is the mean of the result. A coin needs a policy of the passes.
class KnownMeans {
 public:
  KnownMeans(Rational unit, bool mixed) : unit_(std::move(unit)), is_wanted_(!mixed) {}
  // Results that share a mean do so here.
  [[nodiscard]] const Shared<Rational>& of(const Result& result) {
    static const Shared<Rational> kNone;
    if (!result.mean || !is_wanted_) return kNone;
    const Value& mean = *result.mean;
    Shared<Rational>& known = known_[&mean];
    if (!known) known = Rational((mean.exact ? *mean.exact : Rational(mean.nearest)) / unit_);
    return known;
  }

 private:
  Rational unit_;
  bool is_wanted_;
  std::map<const Value*, Shared<Rational>> known_;
};

// The gap of a coin is 0: it is to attain the bound.
Rational gap_of(const Wishes& wishes, bool exact) {
  if (wishes.mixed) return 0;
  return wishes.mean_gap.value_or(exact ? Rational(0) : Rational(1, 100));
}

// Of all nodes, p * P: found in some tenths of a second, or seconds, and a fifth of that for each pass.
constexpr std::uint64_t kSmallProducts = 1'000'000;
constexpr std::uint64_t kMostProducts = 20'000'000;
// Multiply-adds of a pass over the grid: some hundredths of a second.
constexpr double kRoundedPass = 2e7;
// The finest grid worth trying has so many levels between the least total and the greatest.
constexpr unsigned kFinestGrid = 20;

// The finest whose pass is small; nullopt if there is none, or the limits ended it.
std::optional<Grid> grid_for_bounds(const FiniteLayout& layout) {
  GridChoice choice(*layout.stages, &layout.limits);
  choice.weigh(*layout.stages, *layout.windows);
  const WealthScale& scale = layout.stages->scale();
  const Window window = layout.windows->start();
  Rational epsilon =
      scale.wealth(WealthKey{window.possible}) - scale.wealth(WealthKey{window.least});
  if (epsilon <= 0) return std::nullopt;
  mpq_div_2exp(epsilon.get_mpq_t(), epsilon.get_mpq_t(), kFinestGrid);
  for (unsigned k = 0; k < kFinestGrid && !layout.limits.ended(); ++k, epsilon *= 2) {
    Grid grid = choice.within(epsilon);
    if (choice.cost_of(grid) <= kRoundedPass) return grid;
  }
  return std::nullopt;
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
    is_too_large_ = at_any_cost;
    left_out_ = at_any_cost
                    ? "too much for rationals; expected --arithmetic double"
                    : "a pass for it has many products of rationals; --prefer mean asks for it";
  }
  return nodes;
}

// Over arrays, in doubles.
template <class N>
std::shared_ptr<PromisePasses> Solver<N>::weighted_pass(
    std::shared_ptr<const Expectation<double>> expectation,
    std::shared_ptr<const FreeWorth> goal,
    const std::vector<std::int64_t>& targets,
    bool at_any_cost) {
  auto pass = WeightedPass::prepare({layout_->stages,
                                     layout_->windows,
                                     std::move(expectation),
                                     find_kernel(layout_->options.kernel),
                                     targets,
                                     std::move(goal)},
                                    layout_->limits);
  if (pass == nullptr) return nullptr;
  const PassSize& size = pass->size();
  const bool fits =
      size.bytes < 1e18 && layout_->limits.would_fit(static_cast<std::uint64_t>(size.bytes));
  if (fits && (at_any_cost || size.multiply_adds <= kSmallPass)) return pass;
  is_too_large_ = !fits;
  left_out_ = fits
                  ? fmt::format("a pass for it has {:.2g} multiply-adds; --prefer mean asks for it",
                                size.multiply_adds)
                  : fmt::format(
                        "a pass for it needs {:.2g} bytes; expected a greater "
                        "--memory-limit, or a wider --epsilon",
                        size.bytes);
  return nullptr;
}

// Where exact levels of wealth are few and far apart, as under a discount, arrays over all keys between
// them would be nearly empty, or fit no memory.
template <class N>
std::shared_ptr<PromisePasses> Solver<N>::few_nodes(const std::vector<std::int64_t>& targets,
                                                    bool at_any_cost) {
  if constexpr (std::is_same_v<N, double>) {
    if (layout_->stages->scale().grid()) return nullptr;
    return double_nodes({layout_->stages,
                         layout_->windows,
                         expectation_,
                         targets,
                         at_any_cost ? kMostProducts : kSmallProducts},
                        layout_->limits);
  } else {
    return nullptr;
  }
}

template <class N>
std::shared_ptr<PromisePasses> Solver<N>::promise_passes(const std::vector<std::int64_t>& targets,
                                                         bool at_any_cost) {
  if (!find_expectation()) return nullptr;
  if constexpr (std::is_same_v<N, double>) {
    // Arrays that are not small may be nearly empty.
    if (auto pass = weighted_pass(expectation_, nullptr, targets, false)) return pass;
    if (layout_->limits.ended()) return nullptr;
    if (auto nodes = few_nodes(targets, at_any_cost)) {
      left_out_.clear();
      is_too_large_ = false;
      return nodes;
    }
    if (!at_any_cost || layout_->limits.ended()) return nullptr;
    auto pass = weighted_pass(expectation_, nullptr, targets, true);
    if (pass) left_out_.clear();
    return pass;
  } else {
    return node_passes(FreeWorth::of_mean(*expectation_), targets, at_any_cost);
  }
}

// Where the passes do not fit: the policies as they were found, and the bound of the problem with wealth
// rounded up. Whoever keeps the promise keeps it there, too, and has the same mean.
template <class N>
bool Solver<N>::bound_by_rounding(const Wishes& wishes,
                                  const std::vector<PromisedLevel>& promised,
                                  const Rational& gap) {
  const auto grid = grid_for_bounds(*layout_);
  if (!grid) return false;
  const auto rounded = std::make_shared<FiniteLayout>(layout_, *grid, Rounding::up);
  if (layout_->limits.ended() || !rounded->stages->has_keys() || !rounded->lay_out()) return false;
  Solver<double> up(rounded, plan_, false, work_);
  const WealthScale& scale = rounded->stages->scale();
  DistinctTargets<std::int64_t> levels;
  std::vector<Promise> promises;
  promises.reserve(promised.size());
  for (const PromisedLevel& each : promised) {
    const Rational least = wealth(each.level) - wishes.slack;
    promises.push_back({1 - each.question.tau,
                        each.question.side,
                        {},
                        levels.place(level_below(scale, {least, false}))});
  }
  const auto passes = up.promise_passes(levels.all(), true);
  if (passes == nullptr) return false;
  const auto found =
      search_promises({*passes, nullptr, gap, true}, promises, layout_->limits, work_);
  passes->end_search();
  const MeanShape shape = up.mean_shape(wishes.bounded_means, *passes);
  for (std::size_t i = 0; i < promised.size(); ++i) put_bound(found[i], shape, *promised[i].result);
  return true;
}

template <class N>
MeanShape Solver<N>::mean_shape(bool bounded, const PromisePasses& passes) const {
  const WealthScale& scale = layout_->stages->scale();
  return {scale.unit(), passes.is_exact(), bounded, scale.beyond_target() != 0};
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
  // Bounds are to hold for promises of levels that are lower by the slack, too.
  const std::int64_t slack = scale.ceiling(wishes.slack).value;
  KnownMeans known(scale.unit(), wishes.mixed);
  for (const PromisedLevel& each : promised) {
    promises.push_back({1 - each.question.tau,
                        each.question.side,
                        known.of(*each.result),
                        levels.place({each.level, each.level - slack})});
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
  const Rational gap = gap_of(wishes, !std::is_same_v<N, double>);
  if (passes == nullptr || (has_bounds && bounds == nullptr)) {
    const bool may_round = for_mean && above == nullptr && is_too_large_ && !scale.grid();
    if (may_round && bound_by_rounding(wishes, promised, gap)) left_out_.clear();
    return;
  }
  const PromiseSearch search{*passes, bounds.get(), gap, for_mean};
  const auto found = search_promises(search, promises, layout_->limits, work_);
  passes->end_search();
  if (for_mean && layout_->limits.ended()) {
    left_out_ =
        "the search for it was cut short, so its bound may be missing, or wider than it need be";
  }
  put_all_better(passes, found, wishes, promised);
  for (std::size_t i = 0; wishes.mixed && i < promised.size(); ++i) {
    if (const auto coin = coin_of(found[i], promises[i], scale.beyond_target() != 0))
      put_mixed(passes, *coin, mean_shape(wishes.bounded_means, *passes), promised[i]);
  }
}

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
  if (result.mean_bound->nearest >= result.mixed->mean.nearest) return;
  result.mean_bound.change([&](Value& bound) { bound.nearest = result.mixed->mean.nearest; });
}

template std::shared_ptr<PromisePasses> Solver<double>::node_passes(
    std::shared_ptr<const FreeWorth>, const std::vector<std::int64_t>&, bool);
template std::shared_ptr<PromisePasses> Solver<Rational>::node_passes(
    std::shared_ptr<const FreeWorth>, const std::vector<std::int64_t>&, bool);
template std::shared_ptr<PromisePasses> Solver<double>::weighted_pass(
    std::shared_ptr<const Expectation<double>>,
    std::shared_ptr<const FreeWorth>,
    const std::vector<std::int64_t>&,
    bool);
template std::shared_ptr<PromisePasses> Solver<double>::promise_passes(
    const std::vector<std::int64_t>&, bool);
template MeanShape Solver<double>::mean_shape(bool, const PromisePasses&) const;
template Rational Solver<double>::greatest_mean() const;
template void Solver<double>::prefer(const Wishes&, const std::vector<PromisedLevel>&, Solver*);
template void Solver<double>::put_mixed(const std::shared_ptr<PromisePasses>&,
                                        const Coin&,
                                        const MeanShape&,
                                        const PromisedLevel&);
template std::shared_ptr<PromisePasses> Solver<Rational>::promise_passes(
    const std::vector<std::int64_t>&, bool);
template MeanShape Solver<Rational>::mean_shape(bool, const PromisePasses&) const;
template Rational Solver<Rational>::greatest_mean() const;
template void Solver<Rational>::prefer(const Wishes&, const std::vector<PromisedLevel>&, Solver*);
template void Solver<Rational>::put_mixed(const std::shared_ptr<PromisePasses>&,
                                          const Coin&,
                                          const MeanShape&,
                                          const PromisedLevel&);
template std::shared_ptr<PromisePasses> Solver<double>::few_nodes(const std::vector<std::int64_t>&,
                                                                  bool);
template bool Solver<double>::bound_by_rounding(const Wishes&,
                                                const std::vector<PromisedLevel>&,
                                                const Rational&);
template bool Solver<Rational>::bound_by_rounding(const Wishes&,
                                                  const std::vector<PromisedLevel>&,
                                                  const Rational&);

}  // namespace quantiplan
