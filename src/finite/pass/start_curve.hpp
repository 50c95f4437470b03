// The curve at the initial state, off the functions of time 0; where the state is drawn, one target
// for all of them:
//
//     G*(y) = sum over s of mu(s) D_0(s, y)
//
// It changes where one of the functions does. The draw is no step: no reward, no time, no discount.
// Its products and sums round as those of a backup do (Stages::sums). The curve of one state among
// several is its own function, as if it were the only one.
#pragma once

#include <algorithm>
#include <cstdint>
#include <type_traits>
#include <vector>

#include "finite/pass/curve.hpp"
#include "finite/pass/dense_layer.hpp"
#include "finite/pass/pass.hpp"
#include "finite/pass/sparse_backup.hpp"
#include "finite/pass/step_layer.hpp"

namespace quantiplan {

// On both sides of what is stored, the constants of the span.
inline void append_function(const DenseLayer& layer, std::size_t slot, Curve<double>& curve) {
  const Span<double>& span = layer.span(slot);
  if (span.from > curve.sure) curve.append(span.from, span.below);
  for (std::uint64_t i = 0; i < span.width(); ++i)
    curve.append(span.from + 1 + static_cast<std::int64_t>(i), layer.row(slot)[i]);
  if (span.upto < curve.possible) curve.append(curve.possible, span.above);
}

// The levels at which one of the functions changes, between the edges of the curve.
template <class N>
std::vector<std::int64_t> levels_of_start(const SpannedSteps<N>& first, const Curve<N>& curve) {
  std::vector<std::int64_t> levels = first.steps.upto;
  for (const Span<N>& span : first.spans) {
    levels.push_back(span.from);
    levels.push_back(span.upto);
  }
  levels.push_back(curve.possible);
  std::erase_if(levels, [&](std::int64_t y) { return y <= curve.sure || y > curve.possible; });
  std::ranges::sort(levels);
  levels.erase(std::unique(levels.begin(), levels.end()), levels.end());
  return levels;
}

template <class N>
void append_draw(const PassInput<N>& input, const SpannedSteps<N>& first, Curve<N>& curve) {
  const bool down = input.stages.scale().rounding() == Rounding::down;
  const std::vector<std::int64_t> levels = levels_of_start(first, curve);
  std::vector<N> sums(levels.size(), N(0));
  for (std::size_t slot = 0; slot < first.spans.size(); ++slot) {
    const Span<N>& span = first.spans[slot];
    const N mu = input.stages.template start_probability<N>(slot);
    std::uint64_t at = first.steps.begin[slot];
    // Where values were dropped above the sure level, the first one stands for all below it.
    const bool is_cut =
        down && first.steps.steps(slot) > 0 && span.from > input.windows.at(0, slot).sure;
    const N below = is_cut ? std::min<N>(span.below, first.steps.value[at]) : span.below;
    for (std::size_t i = 0; i < levels.size(); ++i) {
      if (levels[i] <= span.from) {
        sums[i] += mu * below;
      } else if (levels[i] > span.upto) {
        sums[i] += mu * span.above;
      } else {
        while (first.steps.upto[at] < levels[i]) ++at;
        sums[i] += mu * first.steps.value[at];
      }
    }
  }
  for (std::size_t i = 0; i < levels.size(); ++i) {
    if constexpr (std::is_same_v<N, double>) {
      if (input.probability_levels > 0)
        sums[i] =
            to_probability_level(sums[i], input.stages.starts(), input.probability_levels, down);
    }
    curve.append(levels[i], sums[i]);
  }
}

// `dense`: the functions, or null if they are the steps.
template <class N>
Curve<N> start_curve(const PassInput<N>& input,
                     const DenseLayer* dense,
                     const SpannedSteps<N>& sparse) {
  const Window w = input.windows.start();
  Curve<N> c;
  c.sure = w.sure;
  c.possible = w.possible;
  if (input.needs != nullptr) {
    // The curve is known where it was asked for.
    c.sure = std::max(c.sure, input.needs->at(0, 0).above);
    c.possible = std::min(c.possible, input.needs->at(0, 0).upto);
  }
  const bool is_drawn = input.stages.starts() > 1;
  if constexpr (std::is_same_v<N, double>) {
    if (dense != nullptr && is_drawn) append_draw(input, dense->as_steps(), c);
    if (dense != nullptr && !is_drawn) append_function(*dense, 0, c);
    if (dense != nullptr) return c;
  }
  if (is_drawn) {
    append_draw(input, sparse, c);
  } else {
    c.upto = sparse.steps.upto;
    c.value = sparse.steps.value;
  }
  return c;
}

// The curve of each state, where nothing is rounded and all of it is asked for.
template <class N>
std::vector<Curve<N>> curves_of_starts(const PassInput<N>& input,
                                       const DenseLayer* dense,
                                       const SpannedSteps<N>& sparse) {
  std::vector<Curve<N>> out(input.stages.starts());
  for (std::size_t slot = 0; slot < out.size(); ++slot) {
    Curve<N>& curve = out[slot];
    curve.sure = input.windows.at(0, slot).sure;
    curve.possible = input.windows.at(0, slot).possible;
    if constexpr (std::is_same_v<N, double>) {
      if (dense != nullptr) append_function(*dense, slot, curve);
      if (dense != nullptr) continue;
    }
    const StepLayer<N>& steps = sparse.steps;
    const auto begin = static_cast<std::ptrdiff_t>(steps.begin[slot]);
    const auto end = static_cast<std::ptrdiff_t>(steps.begin[slot + 1]);
    curve.upto.assign(steps.upto.begin() + begin, steps.upto.begin() + end);
    curve.value.assign(steps.value.begin() + begin, steps.value.begin() + end);
  }
  return out;
}

}  // namespace quantiplan
