// Several initial states, each a question of its own, from one pass: D_T(s, .) is known of all of
// them, and with it every curve, quantile and decision.
//
//     from all together:  layers 0 .. T, windows, one pass
//     from one of them:   its slot of layer 0, the rest shared
//
// Nothing is shared where rewards or probabilities are rounded, which goes by what one state needs.
// Not for several threads at a time.
#pragma once

#include <memory>
#include <optional>

#include "finite/solve/finite_layout.hpp"
#include "finite/solve/plan.hpp"
#include "finite/solve/solver.hpp"

namespace quantiplan {

class SharedStarts {
 public:
  // The setting has all initial states, whatever their probabilities.
  SharedStarts(const Model& model, const ResolvedSetting& setting, const Options& options);
  ~SharedStarts();

  // The problem from one of them; null if a limit was met before there were passes, or wealth has no keys.
  std::shared_ptr<FiniteLayout> layout(State start);
  // The passes that serve all of them, with comparisons if `compare`; null if a limit was met.
  template <class N>
  const Solver<N>* passes(const Plan& plan, bool compare);
  [[nodiscard]] std::size_t slot(State start) const;

 private:
  template <class N>
  struct Passes {
    Work work;
    std::unique_ptr<Solver<N>> solver;
    bool compares = false;
    bool done = false;
  };
  template <class N>
  Passes<N>& known();

  std::shared_ptr<FiniteLayout> all_;
  bool has_begun_ = false;
  bool is_laid_out_ = false;
  Passes<double> doubles_;
  Passes<Rational> rationals_;
};

// One of them, as solve_plain and its like are asked.
struct SharedStart {
  std::shared_ptr<SharedStarts> of;
  State start{};
};

// The layout of a call, laid out unless a limit was met, and the plan if it was. Where `shared` does not serve,
// it is null afterwards.
struct PlannedLayout {
  std::shared_ptr<FiniteLayout> layout;
  std::optional<Plan> plan = {};
  const SharedStart* shared = nullptr;
};
PlannedLayout planned_layout(const Model& model,
                             const ResolvedSetting& setting,
                             const Options& options,
                             std::size_t questions,
                             const SharedStart* shared);

// Solver::run_passes, or those that are shared.
template <class N>
bool run_passes(Solver<N>& solver, const PlannedLayout& planned, bool compare) {
  if (planned.shared != nullptr) {
    SharedStarts& all = *planned.shared->of;
    if (const Solver<N>* found = all.passes<N>(*planned.plan, compare)) {
      solver.take_passes(*found, all.slot(planned.shared->start));
      return true;
    }
  }
  return solver.run_passes();
}

}  // namespace quantiplan
