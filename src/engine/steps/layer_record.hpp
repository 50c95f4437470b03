// The step functions of every time of a pass, kept to be looked up afterwards.
//
// Used as bounds for a search (search/point_search.hpp). Memory: that of all layers together; the
// pass counts it.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "dense_layer.hpp"
#include "step_layer.hpp"

namespace quantiplan {

class LayerRecord {
 public:
  explicit LayerRecord(std::uint64_t horizon) : layers_(horizon + 1) {}

  void keep(std::uint64_t time, const SpannedSteps<double>& layer) { layers_[time].sparse = layer; }
  void keep(std::uint64_t time, const DenseLayer& layer) {
    layers_[time].dense = layer.copy();
    layers_[time].is_dense = true;
  }

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
  std::vector<Kept> layers_;
};

}  // namespace quantiplan
