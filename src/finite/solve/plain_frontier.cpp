#include "finite/solve/brackets.hpp"
#include "finite/solve/finite_layout.hpp"
#include "finite/solve/plain.hpp"
#include "finite/solve/plan.hpp"
#include "finite/solve/rough_bracket.hpp"
#include "finite/solve/shared_starts.hpp"
#include "finite/solve/solver.hpp"

namespace quantiplan {
namespace {

FrontierQuantile as_quantile(const Result& result) {
  return {result.tau, result.side, result.certificate, *result.quantile, *result.upper};
}

template <class N>
void trace_curve(const PlannedLayout& planned, const std::vector<Question>& asked, Frontier& out) {
  const std::shared_ptr<FiniteLayout>& layout = planned.layout;
  Solver<N> solver(layout, *planned.plan, false, out.work);
  const bool solved = run_passes(solver, planned, false);
  out.engine = engine_report(
      layout->options, *planned.plan, solver.dense_layers(), layout->stages->horizon());
  if (!solved) {
    // The curve is 1 up to the sure level, whatever happens above it.
    out.status = layout->limits.status();
    out.steps.push_back({*solver.partial({}).quantile, Value::exactly(1)});
    for (const Question& question : asked)
      out.quantiles.push_back(as_quantile(solver.partial(question)));
    return;
  }
  const Curve<N>& curve = solver.curve();
  const WealthScale& scale = layout->stages->scale();
  take_steps(curve.value.size(), layout->limits);
  out.status = Status::solved;
  out.steps.push_back({scale.wealth({curve.sure}), Value::exactly(1)});
  for (std::size_t i = 0; i < curve.value.size(); ++i) {
    if (i % kStepsPerPoll == 0 && layout->limits.ended()) {
      // Half a curve would look like one that ends there.
      out.status = layout->limits.status();
      out.steps.resize(1);
      break;
    }
    FrontierStep step{scale.wealth({curve.upto[i]}), {}};
    if constexpr (std::is_same_v<N, double>) {
      const RoundingBound& bound = solver.bound();
      step.probability = Value::between(bound.least(curve.value[i]), bound.most(curve.value[i]));
      // A drop that rounding alone could make is no step: the higher wealth takes its place.
      const bool first = out.steps.size() == 1;
      if (!first && step.probability.greatest() >= out.steps.back().probability.least())
        out.steps.pop_back();
    } else {
      step.probability = Value::exactly(curve.value[i]);
      const bool first = out.steps.size() == 1;
      if (!first && *out.steps.back().probability.exact == curve.value[i]) out.steps.pop_back();
    }
    out.steps.push_back(std::move(step));
  }
  out.policy = solver.policy_of_curve();
  for (const Question& question : asked) {
    out.quantiles.push_back(solver.quantile(question));
    if (out.quantiles.back().certificate == Certificate::exact) continue;
    // Only a limit leaves levels open.
    out.status = layout->limits.ended() ? layout->limits.status() : Status::limit_reached;
  }
}

// Two curves with the true one between them.
void trace_brackets(const std::shared_ptr<FiniteLayout>& layout,
                    Plan plan,
                    const std::vector<Question>& asked,
                    Frontier& out) {
  // A whole curve comes from one grid, whatever finds single quantiles best.
  plan.engine = Engine::lattice;
  Brackets brackets(layout, plan, asked, false, out.work);
  brackets.run_whole();
  out.status = brackets.status();
  out.engine = bracket_report(layout->options, plan, brackets.summary());
  if (!brackets.has_begun()) return;
  out.epsilon = brackets.epsilon();
  out.steps = brackets.lower_curve();
  out.upper_steps = brackets.upper_curve();
  if (layout->limits.ended()) out.status = layout->limits.status();
  out.relative_error = brackets.relative_error();
  out.quantiles = brackets.quantiles();
}

}  // namespace

Frontier frontier_plain(const Model& model,
                        const ResolvedSetting& setting,
                        const std::vector<Question>& asked,
                        const Options& options,
                        const SharedStart* shared) {
  const PlannedLayout planned = planned_layout(model, setting, options, 0, shared);
  const auto& layout = planned.layout;
  Frontier out;
  if (planned.plan) {
    if (planned.plan->bracket) {
      trace_brackets(layout, *planned.plan, asked, out);
    } else if (planned.plan->exact) {
      trace_curve<Rational>(planned, asked, out);
    } else {
      trace_curve<double>(planned, asked, out);
    }
  } else {
    out.status = layout->limits.status();
    out.engine = no_engine_report(options);
    const PossibleRange range(model, layout->setting);
    for (const Question& question : asked)
      out.quantiles.push_back(as_quantile(rough_bracket(range, question, out.status)));
  }
  out.work.peak_bytes = layout->limits.peak();
  return out;
}

}  // namespace quantiplan
