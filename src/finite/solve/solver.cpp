#include "finite/solve/solver.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "finite/device/device_induction.hpp"
#include "finite/device/gpu_backend.hpp"
#include "finite/means/mean_sweep.hpp"
#include "finite/means/node_means.hpp"
#include "finite/target_search.hpp"
#include "quantiplan/error.hpp"

namespace quantiplan {
namespace {

// From this horizon on decisions may be recomputed from checkpoints, if they outgrow this many
// bytes and an eighth of the memory.
constexpr std::uint64_t kLongHorizon = 16;
constexpr std::uint64_t kDecisionBytes = 1U << 16U;

// Two neighbouring levels left open are a tie; more of them only bracket the optimum.
Certificate certificate_of(const LevelRange& range) {
  if (range.lower == range.upper) return Certificate::exact;
  return range.upper - range.lower == 1 ? Certificate::tie : Certificate::bracket;
}

}  // namespace

template <class N>
Solver<N>::Solver(std::shared_ptr<FiniteLayout> layout, const Plan& plan, bool compare, Work& work)
    : layout_(std::move(layout)),
      plan_(plan),
      compare_(compare),
      work_(work),
      ground_(std::make_shared<Groundwork>()),
      bound_(
          RoundingBound::of_backward_pass(layout_->stages->sums(), layout_->stages->most_terms())) {
  ground_->stages = layout_->stages;
  ground_->windows = layout_->windows;
}

template <class N>
Rational Solver<N>::wealth(std::int64_t level) const {
  return layout_->stages->scale().wealth({level});
}

template <class N>
Solver<N>::~Solver() {
  drop_record();
  layout_->limits.give_back(pass_.decision_bytes);
}

template <class N>
void Solver<N>::drop_record() {
  layout_->limits.give_back(std::exchange(pass_.record_bytes, 0));
}

template <class N>
PassInput<N> Solver<N>::pass_input(const Windows& windows,
                                   ChoiceFilter filter,
                                   bool decisions) const {
  static const Expectation<N> kNothing;
  PassInput<N> input{*layout_->stages,
                     windows,
                     decisions ? *expectation_ : kNothing,
                     filter,
                     decisions,
                     layout_->options.representation,
                     find_kernel(layout_->options.kernel)};
  // The paper's algorithm knows no sharing.
  input.share_rows = plan_.engine != Engine::paper;
  input.scratch = &layout_->scratch();
  input.make_backend = backend_maker(layout_->options.backend);
  input.drop = focus_.drop;
  input.probability_levels = focus_.probability_levels;
  input.each_start = focus_.each_start;
  if (filter.is_open() && needs_) input.needs = needs_.get();
  return input;
}

template <class N>
PassOutput<N> Solver<N>::run(const Windows& windows, ChoiceFilter filter, bool decisions) {
  PassInput<N> input = pass_input(windows, filter, decisions);
  if constexpr (std::is_same_v<N, double>) {
    if (filter.is_open()) input.record = focus_.record;
    // Rules that outgrow this are not worth keeping: a second pass is cheaper than the memory.
    const std::uint64_t horizon = layout_->stages->horizon();
    if (decisions && horizon >= kLongHorizon && focus_.record == nullptr) {
      input.most_decision_bytes =
          std::max<std::uint64_t>(kDecisionBytes, layout_->limits.limit() / 8);
      PassOutput<N> output = run_pass(input, layout_->limits, work_);
      return output.decisions_too_large ? run_in_blocks(input) : output;
    }
  }
  return run_pass(input, layout_->limits, work_);
}

// The pass again, keeping every n-th layer instead of the decisions; these are recomputed block by
// block when they are asked for. Nothing is dropped, so that both times give the same bits.
template <class N>
PassOutput<N> Solver<N>::run_in_blocks(PassInput<N> input) {
  if constexpr (std::is_same_v<N, double>) {
    const std::uint64_t horizon = layout_->stages->horizon();
    const auto block = static_cast<std::uint64_t>(std::ceil(std::sqrt(horizon)));
    auto record = std::make_shared<LayerRecord>(horizon, block);
    input.drop = focus_.drop = 0;
    input.record_decisions = false;
    input.record = record.get();
    PassOutput<N> output = run_pass(input, layout_->limits, work_);
    if (output.status != Status::solved) return output;
    // What the loading needs lives as long as the policy that may ask for it.
    const auto load = [input,
                       record,
                       horizon,
                       layout = layout_,
                       windows = layout_->windows,
                       expectation = expectation_,
                       needs = needs_](std::uint64_t first, std::uint64_t end) {
      // A solve that needs a block to settle a level would be lost with it.
      const LaterWork later(layout->options);
      const Options options =
          later.is_within_solve() ? without_deadline(layout->options) : later.options();
      Limits limits(options);
      Work work;
      PassScratch scratch;
      PassInput<N> part = input;
      part.scratch = &scratch;
      part.record = nullptr;
      part.record_decisions = true;
      part.most_decision_bytes = std::numeric_limits<std::uint64_t>::max();
      part.resume = end < horizon ? record.get() : nullptr;
      part.resume_at = end;
      part.stop = first;
      const PassOutput<N> found = run_pass(part, limits, work);
      if (found.status != Status::solved) refuse_unfinished("decisions");
      std::vector<Decisions::LayerRules> rules;
      for (std::uint64_t t = first; t < end; ++t) rules.push_back(found.decisions->take_layer(t));
      return rules;
    };
    output.decisions = std::make_shared<Decisions>(horizon, block, load);
    output.decision_bytes += std::exchange(output.record_bytes, 0);
    return output;
  } else {
    return run_pass(input, layout_->limits, work_);
  }
}

template <class N>
bool Solver<N>::find_expectation() {
  if (expectation_) return true;
  std::shared_ptr<const Expectation<N>> found;
  RankGroup* ranks = nullptr;
  if constexpr (std::is_same_v<N, double>) {
    ranks = layout_->limits.ranks();
    if (ranks == nullptr)
      found = expectation_by_device(
          *layout_->stages, layout_->options.backend, layout_->scratch(), layout_->limits);
  }
  if (!found)
    found = std::make_shared<Expectation<N>>(
        *layout_->stages, layout_->limits, ChoiceFilter(), Rewards::as_given, ranks);
  if (!found->complete()) return false;
  expectation_ = found;
  ground_->expectation_choice = expectation_->choices();
  return true;
}

template <class N>
bool Solver<N>::run_passes(const Focus& focus) {
  focus_ = focus;
  // Rounding of probabilities is part of the levels themselves.
  if (focus_.probability_levels > 0) bound_ = RoundingBound::after(0, 0);
  if (focus_.decisions && !find_expectation()) return false;
  if (focus_.targets) {
    const auto found = std::make_shared<Needs>(
        *layout_->stages, *layout_->windows, *focus_.targets, layout_->limits);
    if (!found->complete()) return false;
    needs_ = found;
  }
  pass_ = run(*layout_->windows, ChoiceFilter(), focus_.decisions);
  needs_.reset();
  if (pass_.status != Status::solved) return false;
  if (compare_) run_comparison();
  return true;
}

// What the expectation-optimal policy attains: the same pass with one choice per time and state.
template <class N>
void Solver<N>::run_comparison() {
  if (!find_expectation()) return;
  const ChoiceFilter only(expectation_->choices());
  auto windows = std::make_shared<Windows>(*layout_->stages, only, layout_->limits);
  if (!windows->complete()) return;
  try {
    PassOutput<N> alone = run(*windows, only, false);
    if (alone.status == Status::solved) {
      comparison_ = Comparison{windows, std::move(alone.curve), std::move(alone.start_curves)};
      compared_.clear();
    }
  } catch (const Error& error) {
    // The answer itself is there: it must not be lost because the comparison does not fit.
    if (error.code() != ErrorCode::refused) throw;
  }
}

template <class N>
std::optional<Settled> Solver<N>::settle_at(const Windows& windows,
                                            const ChoiceFilter& filter,
                                            const Decisions* hints,
                                            std::int64_t level) {
  if (!find_expectation()) return std::nullopt;
  if constexpr (std::is_same_v<N, double>) {
    const SettleInput input{
        *layout_->stages, windows, *expectation_, filter, hints, focus_.most_exact_nodes};
    return settle(input, {level}, layout_->limits, work_);
  } else {
    return std::nullopt;
  }
}

template <class N>
Located Solver<N>::level_of(const Question& question) {
  if (plan_.engine == Engine::paper) return search(question);
  const Rational theta = 1 - question.tau;
  // Certainty and possibility are questions about the graph.
  const Window window = layout_->windows->start();
  if (theta == 1) return {{window.sure, window.sure}, std::nullopt};
  if (theta == 0 && layout_->whole) return {{window.possible, window.possible}, std::nullopt};
  const LevelRange range = locate(pass_.curve, bound_, theta, question.side);
  // Values that were dropped are no hints, nor those of rounded probabilities.
  const Decisions* hints =
      focus_.drop > 0 || focus_.probability_levels > 0 ? nullptr : pass_.decisions.get();
  return close_range(range, theta, question.side, [&](std::int64_t level) {
    const auto known = settled_.find(level);
    if (known != settled_.end()) return std::optional(known->second);
    auto settled = settle_at(*layout_->windows, ChoiceFilter(), hints, level);
    if (settled) settled_.emplace(level, *settled);
    return settled;
  });
}

// The paper's way: a whole backward pass for every target the binary search tries.
template <class N>
Located Solver<N>::search(const Question& question) {
  const Rational theta = 1 - question.tau;
  const Window window = layout_->windows->start();
  Located located;
  // Above the sure level no probability is 1: a question about the graph.
  const std::int64_t upper = theta == 1 ? window.sure + 1 : window.possible + 1;
  const SearchResult found =
      search_target(window.sure, upper, focus_.search_gap, [&](std::int64_t target) {
        // The pass made at the start serves the first target tried.
        const PassOutput<N> output =
            first_target_tried_ ? run(*layout_->windows, ChoiceFilter(), true) : pass_;
        // What the search tries and drops is not held: only the first pass's decisions live on.
        if (first_target_tried_) layout_->limits.give_back(output.decision_bytes);
        first_target_tried_ = true;
        if (output.status != Status::solved) return TargetTest::unknown;
        const N probability = output.curve.at(target);
        if constexpr (std::is_same_v<N, double>) {
          if (bound_.certainly_misses(probability, theta, question.side))
            return TargetTest::does_not_count;
          if (bound_.certainly_reaches(probability, theta, question.side)) {
            located.settled.reset();
            return TargetTest::counts;
          }
          auto settled =
              settle_at(*layout_->windows, ChoiceFilter(), output.decisions.get(), target);
          if (!settled) return TargetTest::unknown;
          if (!reaches(settled->probability, theta, question.side))
            return TargetTest::does_not_count;
          located.settled = std::move(settled);
          return TargetTest::counts;
        } else {
          return reaches(probability, theta, question.side) ? TargetTest::counts
                                                            : TargetTest::does_not_count;
        }
      });
  located.range = {found.lower, found.upper - 1};
  return located;
}

// What a probability of a curve says of the truth, rounding errors taken into account.
template <class N>
Value Solver<N>::certified(const N& computed) const {
  if constexpr (std::is_same_v<N, double>) {
    if (rounds_probabilities()) return Value::at_least(bound_.least(computed));
    return Value::between(bound_.least(computed), bound_.most(computed));
  } else {
    return Value::exactly(computed);
  }
}

template <class N>
void Solver<N>::attach_policy(Result& result, const Located& located) {
  if (!took_passes_ && ground_->expectation_choice.empty()) fill_free_choices();
  AimedRules rules{ground_, pass_.decisions, located.settled ? located.settled->points : nullptr};
  const auto make = [rules, layout = layout_, ground = ground_](Limits& limits) {
    find_free_choices(*layout, *ground, limits);
    return rules;
  };
  put_policy(layout_, make, located.range.lower, result);
}

template <class N>
Result Solver<N>::result_of(const Question& question, const Located& located) {
  const auto [lower, upper] = located.range;
  Result result;
  result.tau = question.tau;
  result.side = question.side;
  result.quantile = wealth(lower);
  result.upper = wealth(upper);
  result.certificate = certificate_of(located.range);
  if (lower == upper) {
    result.status = Status::solved;
  } else {
    // Only a limit leaves levels open.
    result.status = layout_->limits.ended() ? layout_->limits.status() : Status::limit_reached;
  }
  result.probability = probability_at(located);
  attach_policy(result, located);
  return result;
}

template <class N>
Value Solver<N>::probability_at(const Located& located) const {
  if (located.range.lower <= layout_->windows->start().sure) return Value::exactly(1);
  if (const auto& settled = located.settled) {
    return settled->is_bound ? Value::at_least(settled->probability)
                             : Value::exactly(settled->probability);
  }
  return certified(pass_.curve.at(located.range.lower));
}

template <class N>
FrontierQuantile Solver<N>::quantile(const Question& question) {
  const Located located = level_of(question);
  return {question.tau,
          question.side,
          certificate_of(located.range),
          wealth(located.range.lower),
          wealth(located.range.upper)};
}

template class Solver<double>;
template class Solver<Rational>;

}  // namespace quantiplan
