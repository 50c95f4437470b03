#include "finite/solve/better_policies.hpp"
#include "finite/solve/brackets.hpp"
#include "finite/solve/finite_layout.hpp"
#include "finite/solve/plain.hpp"
#include "finite/solve/plan.hpp"
#include "finite/solve/rough_bracket.hpp"
#include "finite/solve/shared_starts.hpp"
#include "finite/solve/solver.hpp"
#include "promise/wanted.hpp"

namespace quantiplan {
namespace {

void add_rough_brackets(const FiniteLayout& layout,
                        const std::vector<Question>& asked,
                        FoundQuantiles& out) {
  const PossibleRange range(layout.model, layout.setting);
  for (const Question& question : asked)
    out.results.push_back({rough_bracket(range, question, layout.limits.status())});
}

// An optimum is claimed, or a bracket; the lower end of a tie is reached, but may not be the best.
void add(Result result, bool is_bracket, FoundQuantiles& out) {
  const Claims claims = is_bracket                                 ? Claims::bracket
                        : result.certificate == Certificate::exact ? Claims::optimum
                                                                   : Claims::nothing;
  const Shared<Value> own = result.probability;
  out.results.push_back({std::move(result), own, claims});
}

template <class N>
void answer_all(const PlannedLayout& planned,
                const Wishes& wishes,
                const std::vector<Question>& asked,
                FoundQuantiles& out) {
  const std::shared_ptr<FiniteLayout>& layout = planned.layout;
  Solver<N> solver(layout, *planned.plan, wishes.compare, out.work);
  out.results.reserve(asked.size());
  if (run_passes(solver, planned, wishes.compare)) {
    for (Result& result : solver.answer(asked, wishes)) add(std::move(result), false, out);
  } else {
    for (const Question& question : asked) add(solver.partial(question), false, out);
  }
  if (layout->limits.ended()) {
    const Rational greatest = solver.greatest_mean();
    for (FoundQuantile& found : out.results) put_widest_bound(greatest, wishes, found.result);
  }
  out.engine = engine_report(
      layout->options, *planned.plan, solver.dense_layers(), layout->stages->horizon());
  out.engine.left_out = best_mean_left_out(solver.left_out());
}

// Rounded engines: the result of each question is a bracket.
void bracket_all(const std::shared_ptr<FiniteLayout>& layout,
                 const Plan& plan,
                 const Wishes& wishes,
                 const std::vector<Question>& asked,
                 FoundQuantiles& out) {
  Brackets brackets(layout, plan, asked, wishes.compare, out.work);
  brackets.run();
  if (brackets.has_begun()) {
    out.results.reserve(asked.size());
    for (Result& result : brackets.results(wishes)) add(std::move(result), true, out);
    if (layout->limits.ended()) {
      const PossibleRange range(layout->model, layout->setting);
      for (FoundQuantile& found : out.results)
        put_widest_bound(range.greatest, wishes, found.result);
    }
    out.epsilon = brackets.epsilon();
    out.engine = bracket_report(layout->options, plan, brackets.summary());
    out.engine.left_out = best_mean_left_out(brackets.left_out());
    return;
  }
  out.engine = no_engine_report(layout->options);
  add_rough_brackets(*layout, asked, out);
}

}  // namespace

FoundQuantiles solve_plain(const Model& model,
                           const ResolvedSetting& setting,
                           const std::vector<Question>& asked,
                           const Wishes& wishes,
                           const Options& options,
                           const SharedStart* shared) {
  const PlannedLayout planned = planned_layout(model, setting, options, asked.size(), shared);
  const auto& layout = planned.layout;
  FoundQuantiles out;
  if (planned.plan) {
    const Plan& plan = *planned.plan;
    if (plan.bracket) {
      bracket_all(layout, plan, wishes, asked, out);
    } else if (plan.exact) {
      answer_all<Rational>(planned, wishes, asked, out);
    } else {
      answer_all<double>(planned, wishes, asked, out);
    }
  } else {
    out.engine = no_engine_report(options);
    add_rough_brackets(*layout, asked, out);
  }
  out.work.peak_bytes = layout->limits.peak();
  return out;
}

}  // namespace quantiplan
