// The step functions of one time as contiguous arrays, one value for every level of the window.
//
//     D of slot s:     value[begin[s] + (y - sure - 1)]            for y in (sure, possible]
//     mean of slot s:  mean[mean_begin[s] + (y - least - 1)]       for y in (least, possible]
#pragma once

#include <cstdint>
#include <vector>

#include "step_layer.hpp"
#include "windows.hpp"

namespace quantiplan {

struct DenseLayer {
  std::vector<std::uint64_t> begin;
  std::vector<double> value;
  std::vector<std::uint64_t> mean_begin;  // empty if means are not recorded
  std::vector<double> mean;

  // Zero-filled arrays of the right sizes.
  DenseLayer(const Windows& windows, std::uint64_t time, std::size_t slots, bool means);
  // The same functions spelt out level by level.
  DenseLayer(const Windows& windows, std::uint64_t time, const StepLayer<double>& steps, bool means);
};

// Bytes of such a layer; a double, for it may be beyond any integer.
double dense_layer_bytes(const Windows& windows, std::uint64_t time, std::size_t slots, bool means);

}  // namespace quantiplan
