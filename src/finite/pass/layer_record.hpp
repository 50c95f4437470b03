// Step functions of a pass at some times, kept for afterwards: to be looked up, or to resume from.
//
// All times: bounds for a search (search/point_search.hpp). Every n-th: checkpoints, from which the
// decisions between them are recomputed (answer/decisions.hpp). The pass counts their memory.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "finite/pass/dense_layer.hpp"
#include "finite/pass/step_layer.hpp"

namespace quantiplan {

class LayerRecord {
 public:
  explicit LayerRecord(std::uint64_t horizon, std::uint64_t every = 1)
      : every_(every), layers_(horizon + 1) {}
  [[nodiscard]] bool wants(std::uint64_t time) const noexcept { return time % every_ == 0; }

  void keep(std::uint64_t time, const SpannedSteps<double>& layer) { layers_[time].sparse = layer; }
  void keep(std::uint64_t time, const DenseLayer& layer) {
    layers_[time].dense = layer.copy();
    layers_[time].is_dense = true;
  }

  [[nodiscard]] bool is_dense(std::uint64_t time) const { return layers_[time].is_dense; }
  [[nodiscard]] const SpannedSteps<double>& sparse(std::uint64_t time) const {
    return layers_[time].sparse;
  }
  [[nodiscard]] const DenseLayer& dense(std::uint64_t time) const { return layers_[time].dense; }

  // D(time, slot, y), y in steps of the time.
  [[nodiscard]] double at(std::uint64_t time, std::size_t slot, std::int64_t y) const {
    const Kept& kept = layers_[time];
    const Span<double>& span = kept.is_dense ? kept.dense.span(slot) : kept.sparse.spans[slot];
    if (y <= span.from) return span.below;
    if (y > span.upto) return span.above;
    if (kept.is_dense) return kept.dense.row(slot)[y - span.from - 1];
    const StepLayer<double>& steps = kept.sparse.steps;
    const auto begin = steps.upto.begin() + static_cast<std::ptrdiff_t>(steps.begin[slot]);
    const auto end = steps.upto.begin() + static_cast<std::ptrdiff_t>(steps.begin[slot + 1]);
    return steps
        .value[static_cast<std::size_t>(std::lower_bound(begin, end, y) - steps.upto.begin())];
  }

 private:
  struct Kept {
    SpannedSteps<double> sparse;
    DenseLayer dense;
    bool is_dense = false;
  };
  std::uint64_t every_;
  std::vector<Kept> layers_;
};

}  // namespace quantiplan
