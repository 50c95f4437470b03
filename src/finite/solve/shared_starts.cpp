#include "finite/solve/shared_starts.hpp"

#include <type_traits>

#include "quantiplan/error.hpp"

namespace quantiplan {

SharedStarts::SharedStarts(const Model& model,
                           const ResolvedSetting& setting,
                           const Options& options)
    : all_(std::make_shared<FiniteLayout>(model, setting, options)) {}
SharedStarts::~SharedStarts() = default;

std::shared_ptr<FiniteLayout> SharedStarts::layout(State start) {
  if (!has_begun_) {
    has_begun_ = true;
    try {
      is_laid_out_ = all_->lay_out() && all_->stages->has_keys();
    } catch (const Error& error) {
      if (error.code() != ErrorCode::refused) throw;  // no room: each by itself
    }
  }
  // Where a limit ended the passes, each state has what is known without them.
  const bool is_lost = all_->limits.ended() && !doubles_.done && !rationals_.done;
  if (!is_laid_out_ || is_lost) return nullptr;
  return std::make_shared<FiniteLayout>(all_, slot(start));
}

std::size_t SharedStarts::slot(State start) const { return all_->stages->layer(0).slot(start); }

template <class N>
SharedStarts::Passes<N>& SharedStarts::known() {
  if constexpr (std::is_same_v<N, double>) {
    return doubles_;
  } else {
    return rationals_;
  }
}

template <class N>
const Solver<N>* SharedStarts::passes(const Plan& plan, bool compare) {
  Passes<N>& own = known<N>();
  if (!own.solver || (compare && !own.compares)) {
    own.solver.reset();
    own.work = {};
    own.solver = std::make_unique<Solver<N>>(all_, plan, compare, own.work);
    own.compares = compare;
    Focus focus;
    focus.each_start = true;
    try {
      own.done = own.solver->run_passes(focus);
    } catch (const Error& error) {
      if (error.code() != ErrorCode::refused) throw;
      own.done = false;
    }
  }
  return own.done ? own.solver.get() : nullptr;
}

PlannedLayout planned_layout(const Model& model,
                             const ResolvedSetting& setting,
                             const Options& options,
                             std::size_t questions,
                             const SharedStart* shared) {
  if (shared != nullptr && options.engine != Engine::paper) {
    if (auto part = shared->of->layout(shared->start)) {
      Plan plan = choose_plan(*part, questions);
      if (!plan.bracket) return {std::move(part), std::move(plan), shared};
    }
  }
  PlannedLayout own{std::make_shared<FiniteLayout>(model, setting, options)};
  if (own.layout->lay_out()) own.plan = choose_plan(*own.layout, questions);
  return own;
}

template const Solver<double>* SharedStarts::passes(const Plan&, bool);
template const Solver<Rational>* SharedStarts::passes(const Plan&, bool);

}  // namespace quantiplan
