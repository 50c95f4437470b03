#include "finite/tradeoff/plain_tradeoff.hpp"

#include <algorithm>
#include <iterator>

#include "finite/promise/hull.hpp"
#include "finite/solve/better_policies.hpp"
#include "finite/solve/brackets.hpp"
#include "finite/solve/finite_layout.hpp"
#include "finite/solve/plain.hpp"
#include "finite/solve/plan.hpp"
#include "finite/solve/solver.hpp"
#include "finite/tradeoff/level_rows.hpp"
#include "finite/tradeoff/met_totals.hpp"
#include "quantiplan/error.hpp"

namespace quantiplan {
namespace {

// Passes are not made in parts: half a problem says nothing.
[[noreturn]] void refuse_as_too_large() {
  throw Error(ErrorCode::refused,
              "tradeoff",
              "one pass over the problem is too large; expected a larger --memory-limit, a shorter "
              "horizon, or doubles instead of --exact");
}

// From the quantile of the mean-optimal policy, or where that is open the sure level, to `top`.
template <class N>
std::vector<std::int64_t> levels_upto(Solver<N>& solver,
                                      const Question& question,
                                      std::int64_t top) {
  const FiniteLayout& layout = *solver.layout();
  const auto other = solver.compare(question, top);
  std::int64_t first = layout.windows->start().sure;
  if (other && other->quantile)
    first = layout.stages->scale().ceiling(other->quantile->value()).value;
  first = std::min(first, top);
  std::vector<std::int64_t> levels{first};
  const Curve<N>& curve = solver.curve();
  if (curve.sure > first && curve.sure < top) levels.push_back(curve.sure);
  for (const std::int64_t level : curve.upto) {
    if (level > levels.back() && level < top) levels.push_back(level);
  }
  if (top > first) levels.push_back(top);
  // A level that is no step of the curve is promised as surely as the next step, and may cost less.
  const auto met = met_totals(*layout.stages, *layout.windows, {first, top}, layout.limits);
  if (!met) return levels;
  std::vector<std::int64_t> all;
  std::ranges::set_union(levels, *met, std::back_inserter(all));
  return all;
}

// False if the passes for it are too large, unless the limits ended the call.
template <class N>
bool price_levels(Solver<N>& solver,
                  Solver<N>* above,
                  const TradeoffQuestion& asked,
                  Tradeoff& out) {
  const Question& question = *asked.promise;
  const Located best = solver.level_of(question);
  const std::vector<std::int64_t> all = levels_upto(solver, question, best.range.lower);
  const std::vector<std::int64_t> levels = thinned(all, asked.most_points);
  out.levels = all.size();
  // At the top a policy is known already; its mean is no certified bound.
  std::vector<Result> results{solver.result_of(question, best)};
  if (!asked.bounded_means) solver.set_means(results, {best});
  results.insert(results.begin(), levels.size() - 1, Result{});
  std::vector<PromisedLevel> promised;
  for (std::size_t i = 0; i < levels.size(); ++i)
    promised.push_back({question, levels[i], &results[i]});
  Wishes wishes{false, Prefer::mean, asked.mean_gap, asked.bounded_means, asked.slack};
  solver.prefer(wishes, promised, above);
  if (solver.is_too_large()) return false;
  if (solver.layout()->limits.ended())
    put_widest_bound(solver.greatest_mean(), wishes, results.back());
  const bool rounds = solver.layout()->stages->scale().beyond_target() != 0;
  for (std::size_t i = 0; i < levels.size(); ++i) {
    const Result& result = results[i];
    if (!result.policy || !result.mean || !result.mean_bound) continue;
    out.points.push_back(
        {solver.wealth(levels[i]),
         rounds ? Value::at_least(result.probability->least()) : *result.probability,
         *result.mean,
         *result.mean_bound,
         result.policy});
  }
  if (out.points.empty() && !solver.layout()->limits.ended()) return false;
  nest(out.points);
  drop_free(out.points);
  if (all.size() == levels.size()) out.levels = out.points.size();
  return true;
}

// The level of a target, as far as it matters where it is: what is beyond all totals is one and the
// same.
template <class N>
std::int64_t within_totals(const Solver<N>& solver, std::int64_t level) {
  const Window window = solver.layout()->windows->start();
  return std::clamp(level, window.least, window.possible + 1);
}

// False as above.
template <class N>
bool price_probabilities(Solver<N>& solver,
                         Solver<N>* above,
                         const TradeoffQuestion& asked,
                         Tradeoff& out) {
  const auto& layout = solver.layout();
  const WealthScale& scale = layout->stages->scale();
  const std::int64_t level = within_totals(solver, key_of(scale, {asked.target, false}));
  const auto passes = solver.promise_passes({level}, true);
  Solver<N>& bounding = above != nullptr ? *above : solver;
  const std::int64_t lower = within_totals(
      bounding,
      level_below(bounding.layout()->stages->scale(), {asked.target - asked.slack, false}));
  const bool has_bounds = above != nullptr || lower != level;
  const auto bounds = has_bounds ? bounding.promise_passes({lower}, true) : nullptr;
  if (passes == nullptr || (has_bounds && bounds == nullptr)) return layout->limits.ended();
  const bool is_exact = !std::is_same_v<N, double>;
  const Rational gap = asked.mean_gap.value_or(is_exact ? Rational(0) : Rational(1, 100));
  const Hull hull =
      trace_hull({*passes, bounds.get(), gap, asked.most_points}, layout->limits, out.work);
  passes->end_search();
  const MeanShape shape = solver.mean_shape(asked.bounded_means, *passes);
  for (const Vertex& vertex : hull.vertices) {
    const Prospect& at = vertex.point.at;
    Result result;
    put_policy(layout, rules_of(passes, vertex.point.aim), level, result);
    const Value mean = shape.mean(at.mean, at.mean_error);
    out.points.push_back({asked.target,
                          shape.probability(at.probability),
                          mean,
                          shape.bound(vertex.bound, mean),
                          result.policy});
  }
  if (hull.above) {
    const Rational most = *hull.above * scale.unit();
    out.above = passes->is_exact() ? Value::exactly(most) : Value::no_more_than(most);
  }
  return true;
}

template <class N>
bool price(Solver<N>& solver, Solver<N>* above, const TradeoffQuestion& asked, Tradeoff& out) {
  const bool fits = asked.promise ? price_levels(solver, above, asked, out)
                                  : price_probabilities(solver, above, asked, out);
  const Limits& limits = solver.layout()->limits;
  out.status = limits.ended() ? limits.status() : Status::solved;
  return fits;
}

template <class N>
bool price_exactly(const std::shared_ptr<FiniteLayout>& layout,
                   const Plan& plan,
                   const TradeoffQuestion& asked,
                   Tradeoff& out) {
  Solver<N> solver(layout, plan, asked.promise.has_value(), out.work);
  const bool is_ready = asked.promise ? solver.run_passes() : solver.find_expectation();
  out.engine =
      engine_report(layout->options, plan, solver.dense_layers(), layout->stages->horizon());
  out.status = layout->limits.status();
  return !is_ready || price<N>(solver, nullptr, asked, out);
}

void price_on_grid(const std::shared_ptr<FiniteLayout>& layout,
                   Plan plan,
                   const TradeoffQuestion& asked,
                   Tradeoff& out) {
  // All levels come from one grid, as those of a whole curve do.
  plan.engine = Engine::lattice;
  std::vector<Question> questions;
  if (asked.promise) questions.push_back(*asked.promise);
  Brackets brackets(layout, plan, questions, false, out.work);
  brackets.run_whole(asked.promise.has_value());
  out.engine = bracket_report(layout->options, plan, brackets.summary());
  out.status = brackets.status();
  if (!brackets.down() || !brackets.up()) return;
  Solver<double>& down = *brackets.down();
  if (asked.promise) down.run_comparison();
  const bool rounds = down.layout()->stages->scale().beyond_target() != 0;
  if (!price<double>(down, rounds ? brackets.up().get() : nullptr, asked, out))
    refuse_as_too_large();
  if (out.status == Status::solved && asked.promise) out.status = brackets.status();
}

}  // namespace

Tradeoff tradeoff_plain(const Model& model,
                        const ResolvedSetting& setting,
                        const TradeoffQuestion& question,
                        const Options& options) {
  Tradeoff out;
  const bool gives_every_level = options.engine == Engine::automatic ||
                                 options.engine == Engine::steps ||
                                 options.engine == Engine::lattice;
  if (!gives_every_level) {
    throw Error(ErrorCode::refused,
                "--engine",
                "found one that answers for a level at a time, expected auto, steps or lattice");
  }
  const auto layout = std::make_shared<FiniteLayout>(model, setting, options);
  out.engine = no_engine_report(options);
  if (layout->lay_out()) {
    Plan plan = choose_plan(*layout, 0);
    const bool fits =
        !plan.bracket && (plan.exact ? price_exactly<Rational>(layout, plan, question, out)
                                     : price_exactly<double>(layout, plan, question, out));
    // Exact levels may be far apart, and arrays over all keys between them fit no memory.
    const bool may_round = plan.bracket || (options.engine == Engine::automatic &&
                                            options.arithmetic != Arithmetic::exact);
    if (!fits && !may_round) refuse_as_too_large();
    if (!fits && !plan.bracket)
      plan.why =
          "passes for means over all exact levels of wealth are too large; rewards rounded down "
          "and "
          "up to a grid";
    if (!fits) price_on_grid(layout, plan, question, out);
  }
  if (out.status == Status::not_called) out.status = layout->limits.status();
  out.work.peak_bytes = layout->limits.peak();
  return out;
}

}  // namespace quantiplan
