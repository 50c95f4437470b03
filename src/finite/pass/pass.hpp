// Exact backward pass: for each state, the best chance of still collecting at least y in the steps
// left.
//
//     D_T(s,y) = [y <= 0]      D_t(s,y) = max_a  sum over outcomes of  p * D_{t+1}(s', y - R_t)
//
// Source: [GWX] Alg. 2, with residual targets in place of wealth, so that one pass answers every
// target; step functions, not piecewise linear (docs/mathematics.md). R_t = gamma^t r as an integer
// key. Needs: stages, windows and expectations of one problem. Gives: the whole curve at s0, and,
// if recorded, the decisions for every starting target. Cost: dense O(T * outcomes * W), W = width
// of a window in levels; sparse O(T * outcomes * K), K breakpoints. The pass begins sparse at the
// horizon, where functions have few steps, and turns dense once the steps fill their windows, and
// back where they do not.
#pragma once

#include <limits>
#include <memory>

#include "base/limits.hpp"
#include "finite/decisions.hpp"
#include "finite/expectation.hpp"
#include "finite/pass/curve.hpp"
#include "finite/pass/dense_layer.hpp"
#include "finite/pass/layer_record.hpp"
#include "finite/pass/needs.hpp"
#include "finite/stages.hpp"
#include "finite/windows.hpp"
#include "kernels/backup.hpp"
#include "quantiplan/answer.hpp"
#include "quantiplan/options.hpp"

namespace quantiplan {

// Arrays that outlive a pass, so that the next one finds their pages in place.
struct PassScratch {
  DenseLayer later;
  DenseLayer now;
  std::shared_ptr<void> of_backend;  // what a backend besides the host's keeps
};

// Who owns dense layers (dense_backend.hpp).
class DenseBackend;
struct BackendInput;
using MakeBackend = std::unique_ptr<DenseBackend> (*)(const BackendInput& input);

template <class N>
struct PassInput {
  const Stages& stages;
  const Windows& windows;
  const Expectation<N>& expectation;  // of nothing, unless decisions are recorded
  ChoiceFilter filter;
  bool record_decisions = true;
  Representation representation = Representation::automatic;
  const Kernel* kernel = nullptr;  // for dense layers
  bool share_rows = true;          // compute mixtures that several choices share once
  const Needs* needs = nullptr;    // residuals that can be asked for; null: all
  // Values this close to 1 or 0 may become constants that err to the side the rewards are rounded
  // to; 0 on exact stages.
  double drop = 0;
  // J > 0: after each backup probabilities are rounded to multiples of 1/J, a power of two, to the
  // side the rewards are rounded to. Then rounding errors are part of it, and functions have at
  // most J steps. Only sparse layers.
  std::uint64_t probability_levels = 0;
  PassScratch* scratch = nullptr;  // null: the pass has its own
  LayerRecord* record = nullptr;   // keeps the layers it wants; null: none
  // A part of the pass only, for its decisions: from the layer kept at resume_at down to `stop`.
  // Null: from the horizon.
  const LayerRecord* resume = nullptr;
  std::uint64_t resume_at = 0;
  std::uint64_t stop = 0;
  // Decisions may take no more than this; beyond it the pass ends with decisions_too_large.
  std::uint64_t most_decision_bytes = std::numeric_limits<std::uint64_t>::max();
  bool each_start =
      false;  // also the curve of each initial state by itself; then nothing is rounded
  MakeBackend make_backend = nullptr;  // once a layer is dense; null: the threads of this host
};

// The choices of (time, slot) in the order in which equals are preferred; without decisions any
// order will do.
template <class N>
void order_choices(const PassInput<N>& input,
                   const Arithmetics<N>& numbers,
                   std::uint64_t time,
                   std::size_t slot,
                   std::vector<Choice>& out) {
  if (input.record_decisions) {
    input.expectation.order(input.stages, numbers, time, slot, out);
    return;
  }
  const auto choices = input.stages.model().choices(input.stages.layer(time).state(slot));
  out.assign(choices.begin(), choices.end());
}

template <class N>
struct PassOutput {
  Status status = Status::not_called;  // solved, or why it ended early: then the rest is empty
  Curve<N> curve;
  std::vector<Curve<N>> start_curves;  // with each_start: by slot of time 0
  std::shared_ptr<Decisions> decisions;
  std::uint64_t decision_bytes = 0;  // stay counted after the pass; the owner gives them back
  std::uint64_t record_bytes = 0;    // so do those of the layers kept for afterwards
  bool decisions_too_large = false;  // then there is nothing else
  std::uint64_t layer_bytes = 0;     // of the largest layer
  std::uint64_t dense_layers = 0;
};

// Adds what it did to `work`. Throws Error(refused) if it does not fit the memory limit.
template <class N>
PassOutput<N> run_pass(const PassInput<N>& input, Limits& limits, Work& work);

extern template PassOutput<double> run_pass(const PassInput<double>&, Limits&, Work&);
extern template PassOutput<Rational> run_pass(const PassInput<Rational>&, Limits&, Work&);

}  // namespace quantiplan
