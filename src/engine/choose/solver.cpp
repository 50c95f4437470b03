#include "solver.hpp"

#include <algorithm>

#include "forward.hpp"
#include "quantiplan/error.hpp"
#include "target_search.hpp"

namespace quantiplan {
namespace {

Value value_of(double v) { return {v, std::nullopt}; }
Value value_of(const Rational& v) { return {to_nearest_double(v), v}; }

Value probability_of(double v) { return {std::min(v, 1.0), std::nullopt}; }
Value probability_of(const Rational& v) { return value_of(v); }

}  // namespace

template <class N>
Solver<N>::Solver(std::shared_ptr<Instance> instance, const Plan& plan, Work& work)
    : instance_(std::move(instance)),
      plan_(plan),
      work_(work),
      ground_(std::make_shared<Groundwork>()),
      bound_(RoundingBound::of_backward_pass(instance_->stages->horizon(),
                                             instance_->model.most_outcomes())) {
  ground_->stages = instance_->stages;
  ground_->windows = instance_->windows;
}

template <class N>
Rational Solver<N>::wealth(std::int64_t level) const {
  return instance_->stages->scale().wealth({level});
}

template <class N>
PassOutput<N> Solver<N>::run(const Windows& windows, ChoiceFilter filter, bool decisions, bool means) {
  const PassInput<N> input{*instance_->stages,
                           windows,
                           *expectation_,
                           filter,
                           decisions,
                           means,
                           instance_->options.representation,
                           find_kernel(instance_->options.kernel)};
  return run_pass(input, instance_->limits, work_);
}

template <class N>
bool Solver<N>::run_passes() {
  expectation_.emplace(*instance_->stages, instance_->limits);
  if (!expectation_->complete()) return false;
  ground_->expectation_choice = expectation_->choices();
  pass_ = run(*instance_->windows, ChoiceFilter(), true, true);
  if (pass_.status != Status::solved) return false;
  // What the expectation-optimal policy attains: the same pass with one choice per time and state.
  const ChoiceFilter only(expectation_->choices());
  auto windows = std::make_shared<Windows>(*instance_->stages, only, instance_->limits);
  if (!windows->complete()) return true;
  PassOutput<N> alone = run(*windows, only, false, false);
  if (alone.status == Status::solved) comparison_ = Comparison{windows, std::move(alone.curve)};
  return true;
}

template <class N>
std::optional<Settled> Solver<N>::settle_at(const Windows& windows, const ChoiceFilter& filter,
                                            const Decisions* hints, std::int64_t level) {
  if constexpr (std::is_same_v<N, double>) {
    const SettleInput input{*instance_->stages, windows, *expectation_, filter, hints};
    return settle(input, {level}, instance_->limits, work_);
  } else {
    return std::nullopt;
  }
}

template <class N>
Located Solver<N>::level_of(const Question& question) {
  if (plan_.paper) return search(question);
  const Rational theta = 1 - question.tau;
  const LevelRange range = locate(pass_.curve, bound_, theta, question.side);
  return close_range(range, theta, question.side, [&](std::int64_t level) {
    const auto known = settled_.find(level);
    if (known != settled_.end()) return std::optional(known->second);
    auto settled = settle_at(*instance_->windows, ChoiceFilter(), pass_.decisions.get(), level);
    if (settled) settled_.emplace(level, *settled);
    return settled;
  });
}

// The paper's way: a whole backward pass for every target the binary search tries.
template <class N>
Located Solver<N>::search(const Question& question) {
  const Rational theta = 1 - question.tau;
  const Window& window = instance_->windows->at(0, 0);
  Located located;
  // Above the sure level no probability is 1: a question about the graph.
  const std::int64_t upper = theta == 1 ? window.sure + 1 : window.possible + 1;
  const SearchResult found = search_target(window.sure, upper, [&](std::int64_t target) {
    // The pass made at the start, which recorded the means too, serves the first target tried.
    const PassOutput<N> output = first_target_tried_
                                     ? run(*instance_->windows, ChoiceFilter(), true, false)
                                     : pass_;
    first_target_tried_ = true;
    if (output.status != Status::solved) return Verdict::unknown;
    const N probability = output.curve.at(target);
    if constexpr (std::is_same_v<N, double>) {
      if (bound_.certainly_misses(probability, theta, question.side)) return Verdict::does_not_count;
      located.settled.reset();
      if (bound_.certainly_reaches(probability, theta, question.side)) return Verdict::counts;
      auto settled =
          settle_at(*instance_->windows, ChoiceFilter(), output.decisions.get(), target);
      if (!settled) return Verdict::unknown;
      if (!reaches(settled->probability, theta, question.side)) return Verdict::does_not_count;
      located.settled = std::move(settled);
      return Verdict::counts;
    } else {
      return reaches(probability, theta, question.side) ? Verdict::counts : Verdict::does_not_count;
    }
  });
  located.range = {found.lower, found.upper - 1};
  return located;
}

template <class N>
std::optional<ExpectationComparison> Solver<N>::compare(const Question& question, std::int64_t level) {
  if (!comparison_) return std::nullopt;
  const Rational theta = 1 - question.tau;
  const ChoiceFilter only(expectation_->choices());
  const LevelRange range = locate(comparison_->curve, bound_, theta, question.side);
  const Located located = close_range(range, theta, question.side, [&](std::int64_t at) {
    return settle_at(*comparison_->windows, only, nullptr, at);
  });
  ExpectationComparison out;
  const N mean = expectation_->value(0, 0);
  if constexpr (std::is_same_v<N, double>) {
    out.mean = value_of(mean * to_nearest_double(instance_->stages->scale().unit()));
  } else {
    out.mean = value_of(Rational(mean * instance_->stages->scale().unit()));
  }
  if (located.range.lower == located.range.upper) out.quantile = wealth(located.range.lower);
  out.probability = probability_of(comparison_->curve.at(level));
  return out;
}

template <class N>
void Solver<N>::attach_policy(Result& result, std::int64_t level,
                              const std::shared_ptr<const SettledPoints>& points) {
  auto strategy = std::make_shared<ResidualStrategy>(ground_, WealthKey{level}, pass_.decisions, points);
  const auto instance = instance_;
  result.distribution = [instance, strategy]() {
    const Options options = unhurried(instance->options);
    Limits limits(options);
    return *distribution_of(*instance->stages, *strategy, options.arithmetic, limits);
  };
  const PolicyClaim claim{result.tau, result.side, *result.quantile, result.probability->nearest,
                          result.probability->exact};
  result.policy = [instance, strategy, claim]() {
    const Options options = unhurried(instance->options);
    Limits limits(options);
    Policy policy = *tabulate(*instance->stages, *strategy, limits);
    policy.claim = claim;
    return policy;
  };
}

template <class N>
void Solver<N>::set_mean(Result& result, std::int64_t level, const Located& located) {
  if (located.settled && located.settled->points) {
    // The policy of the exact solve is another than the pass's: run it.
    result.mean = result.distribution().mean;
    return;
  }
  const N mean = pass_.curve.mean_at(level);
  if constexpr (std::is_same_v<N, double>) {
    result.mean = value_of(mean * to_nearest_double(instance_->stages->scale().unit()));
  } else {
    result.mean = value_of(Rational(mean * instance_->stages->scale().unit()));
  }
}

template <class N>
Result Solver<N>::answer(const Question& question) {
  const Located located = level_of(question);
  const auto [lower, upper] = located.range;
  Result result;
  result.tau = question.tau;
  result.side = question.side;
  result.quantile = wealth(lower);
  result.upper = wealth(upper);
  if (lower == upper) {
    result.status = Status::solved;
    result.certificate = Certificate::exact;
  } else {
    // Only a limit leaves levels open.
    result.status = instance_->limits.ended() ? instance_->limits.status() : Status::limit_reached;
    result.certificate = plan_.paper ? Certificate::bracket : Certificate::tie;
  }
  if (lower <= instance_->windows->at(0, 0).sure) {
    result.probability = value_of(Rational(1));
  } else if (located.settled) {
    result.probability = value_of(located.settled->probability);
  } else {
    result.probability = probability_of(pass_.curve.at(lower));
  }
  attach_policy(result, lower, located.settled ? located.settled->points : nullptr);
  set_mean(result, lower, located);
  result.expectation_policy = compare(question, lower);
  return result;
}

template <class N>
FrontierQuantile Solver<N>::quantile(const Question& question) {
  const Located located = level_of(question);
  const bool exact = located.range.lower == located.range.upper;
  return {question.tau, question.side, exact ? Certificate::exact : Certificate::tie,
          wealth(located.range.lower), wealth(located.range.upper)};
}

template <class N>
Result Solver<N>::partial(const Question& question) {
  const Window& window = instance_->windows->at(0, 0);
  Result result;
  result.tau = question.tau;
  result.side = question.side;
  result.status = instance_->limits.status();
  result.quantile = wealth(window.sure);
  // Certainty asks for the sure level; anything less may reach up to the greatest possible one.
  const bool surely = question.tau == 0 || window.sure == window.possible;
  result.upper = surely ? result.quantile : wealth(window.possible);
  result.certificate = surely ? Certificate::exact : Certificate::bracket;
  result.probability = value_of(Rational(1));
  // Without expectations a free choice falls back on the sure one, which is as good for the target.
  if (ground_->expectation_choice.empty()) {
    const Stages& stages = *instance_->stages;
    ground_->expectation_choice.resize(stages.horizon());
    for (std::uint64_t t = 0; t < stages.horizon(); ++t) {
      for (std::size_t slot = 0; slot < stages.layer(t).size(); ++slot) {
        ground_->expectation_choice[t].push_back(instance_->windows->at(t, slot).sure_choice);
      }
    }
  }
  attach_policy(result, window.sure, nullptr);
  return result;
}

template class Solver<double>;
template class Solver<Rational>;

}  // namespace quantiplan
