// The means of a solver's policies, what the expectation-optimal policy attains beside them, and passes
// taken from another solver.
#include <algorithm>

#include "finite/mean_error.hpp"
#include "finite/means/mean_sweep.hpp"
#include "finite/means/node_means.hpp"
#include "finite/solve/solver.hpp"
#include "finite/tabulate.hpp"
#include "numbers/mean_value.hpp"

namespace quantiplan {

template <class N>
Shared<ExpectationComparison> Solver<N>::compare(const Question& question, std::int64_t level) {
  if (!comparison_) return std::nullopt;
  const Rational theta = 1 - question.tau;
  const ChoiceFilter only(expectation_->choices());
  const LevelRange range = locate(comparison_->curve, bound_, theta, question.side);
  const Located located = close_range(range, theta, question.side, [&](std::int64_t at) {
    return settle_at(*comparison_->windows, only, nullptr, at);
  });
  Shared<ExpectationComparison>& known =
      compared_[{located.range.lower, located.range.upper, level}];
  if (known) return known;
  ExpectationComparison out;
  out.mean = mean_value(layout_->stages->template drawn<N>(
      [&](std::size_t slot) { return expectation_->value(0, slot); }));
  if (located.range.lower == located.range.upper) out.quantile = wealth(located.range.lower);
  out.probability = certified(comparison_->curve.at(level));
  return known = std::move(out);
}

template <class N>
double Solver<N>::mean_error() const {
  if (!mean_error_) mean_error_ = error_of_means(*layout_->stages);
  return *mean_error_;
}

template <class N>
Value Solver<N>::mean_value(const N& mean_in_keys) const {
  const Rational& unit = layout_->stages->scale().unit();
  if constexpr (std::is_same_v<N, double>) {
    return mean_within(Rational(mean_in_keys) * unit, Rational(mean_error()) * unit);
  } else {
    return Value::exactly(mean_in_keys * unit);
  }
}

// On a grid near the finest hardly two episodes meet the same node: then there is no mean.
template <class N>
std::uint64_t Solver<N>::most_mean_nodes() const {
  constexpr std::uint64_t kMostRounded = 4'000'000;
  return layout_->whole ? kMostRounded : std::numeric_limits<std::uint64_t>::max();
}

// Means of the pass's own policy. Where few nodes are met they are cheapest one by one; a sweep
// over arrays bounds the cost where many are.
template <class N>
std::optional<std::vector<N>> Solver<N>::means_of(const std::vector<std::int64_t>& levels) {
  const std::uint64_t most = most_mean_nodes();
  const ResidualRule rule(ground_, pass_.decisions, nullptr);
  if constexpr (std::is_same_v<N, double>) {
    // A node costs about as much as 400 multiply-adds per outcome: at most a tenth of the pass.
    const std::uint64_t few = std::max<std::uint64_t>(
        2'000, work_.multiply_adds / (4'000 * (layout_->model.most_outcomes() + 1)));
    if (auto means = node_means(*ground_, *expectation_, rule, levels, few, layout_->limits))
      return means;
    // Without a pass the target is sure, and there are no decisions to sweep over. Where levels are
    // far apart, arrays would be mostly empty: then nodes after all.
    const double most_entries = 50.0 * static_cast<double>(work_.breakpoints) + 1e6;
    if (!pass_.decisions)
      return node_means(*ground_, *expectation_, rule, levels, most, layout_->limits);
    if (auto means = sweep_means(*ground_,
                                 *expectation_,
                                 *pass_.decisions,
                                 levels,
                                 most_entries,
                                 *find_kernel(layout_->options.kernel),
                                 layout_->limits)) {
      return means;
    }
  }
  return node_means(*ground_, *expectation_, rule, levels, most, layout_->limits);
}

template <class N>
void Solver<N>::set_means(std::vector<Result>& results, const std::vector<Located>& located) {
  const std::uint64_t most = most_mean_nodes();
  if (!find_expectation()) return;
  std::vector<std::size_t> of_pass;
  std::vector<std::int64_t> levels;
  for (std::size_t i = 0; i < results.size(); ++i) {
    if (!located[i].settled || !located[i].settled->points) {
      of_pass.push_back(i);
      levels.push_back(located[i].range.lower);
      continue;
    }
    // The policy of an exact solve is another than the pass's, and needs a mean of its own.
    const ResidualRule rule(ground_, pass_.decisions, located[i].settled->points);
    const auto mean =
        node_means(*ground_, *expectation_, rule, {located[i].range.lower}, most, layout_->limits);
    if (mean) results[i].mean = mean_value(mean->front());
  }
  if (levels.empty()) return;
  const auto means = means_of(levels);
  for (std::size_t k = 0; means && k < of_pass.size(); ++k) {
    results[of_pass[k]].mean = mean_value((*means)[k]);
  }
}

// Without expectations a free choice falls back on the sure one, which is as good for the target.
template <class N>
void Solver<N>::fill_free_choices() {
  const Stages& stages = *layout_->stages;
  ground_->expectation_choice.resize(stages.horizon());
  for (std::uint64_t t = 0; t < stages.horizon(); ++t) {
    for (std::size_t slot = 0; slot < stages.layer(t).size(); ++slot) {
      ground_->expectation_choice[t].push_back(layout_->windows->at(t, slot).sure_choice);
    }
  }
}

template <class N>
void Solver<N>::find_free_choices(const FiniteLayout& layout, Groundwork& ground, Limits& limits) {
  if (!ground.expectation_choice.empty()) return;
  const Expectation<N> found(*layout.stages, limits);
  if (!found.complete()) refuse_unfinished("policy");
  ground.expectation_choice = found.choices();
}

template <class N>
Later<Policy> Solver<N>::policy_of_curve() const {
  if (!pass_.decisions) return {};
  const std::int64_t possible = layout_->windows->start().possible;
  return [layout = layout_, ground = ground_, decisions = pass_.decisions, possible] {
    const LaterWork later(layout->options);
    Limits limits(later.options());
    find_free_choices(*layout, *ground, limits);
    auto policy = tabulate_everywhere(*ground, *decisions, {possible}, limits);
    if (!policy) refuse_unfinished("policy");
    return *std::move(policy);
  };
}

template <class N>
void Solver<N>::take_passes(const Solver& of_all, std::size_t slot) {
  took_passes_ = true;
  work_ = of_all.work_;
  pass_.status = of_all.pass_.status;
  pass_.curve = of_all.pass_.start_curves[slot];
  pass_.dense_layers = of_all.pass_.dense_layers;
  if (of_all.pass_.decisions)
    pass_.decisions = std::make_shared<Decisions>(of_all.pass_.decisions, slot);
  if (!compare_ || !of_all.comparison_ || !find_expectation()) return;
  comparison_ = Comparison{std::make_shared<Windows>(of_all.comparison_->windows->from_start(slot)),
                           of_all.comparison_->start_curves[slot],
                           {}};
  compared_.clear();
}

// Each by itself: the class is instantiated where the rest of it is defined.
template void Solver<double>::take_passes(const Solver&, std::size_t);
template void Solver<double>::fill_free_choices();
template void Solver<double>::find_free_choices(const FiniteLayout&, Groundwork&, Limits&);
template Later<Policy> Solver<double>::policy_of_curve() const;
template double Solver<double>::mean_error() const;
template Value Solver<double>::mean_value(const double&) const;
template std::uint64_t Solver<double>::most_mean_nodes() const;
template std::optional<std::vector<double>> Solver<double>::means_of(
    const std::vector<std::int64_t>&);
template void Solver<double>::set_means(std::vector<Result>&, const std::vector<Located>&);
template Shared<ExpectationComparison> Solver<double>::compare(const Question&, std::int64_t);
template void Solver<Rational>::take_passes(const Solver&, std::size_t);
template void Solver<Rational>::fill_free_choices();
template void Solver<Rational>::find_free_choices(const FiniteLayout&, Groundwork&, Limits&);
template Later<Policy> Solver<Rational>::policy_of_curve() const;
template Value Solver<Rational>::mean_value(const Rational&) const;
template std::uint64_t Solver<Rational>::most_mean_nodes() const;
template std::optional<std::vector<Rational>> Solver<Rational>::means_of(
    const std::vector<std::int64_t>&);
template void Solver<Rational>::set_means(std::vector<Result>&, const std::vector<Located>&);
template Shared<ExpectationComparison> Solver<Rational>::compare(const Question&, std::int64_t);

}  // namespace quantiplan
