// The step functions of one time as contiguous arrays, one value for every level of the window.
//
//     D of slot s:  row(s)[y - sure - 1]   for y in (sure, possible]
//
// Two layers take turns through a pass. Their memory is kept and not cleared: fresh pages cost more
// than the arithmetic on them.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "step_layer.hpp"
#include "windows.hpp"

namespace quantiplan {

class DenseLayer {
 public:
  // Rows for the layer at `time`, not initialised. `entries_ahead`: the most that later calls will
  // need.
  void reset(const Windows& windows,
             std::uint64_t time,
             std::size_t slots,
             std::uint64_t entries_ahead);
  // Fills the rows with functions given by breakpoints.
  void spell_out(const Windows& windows, std::uint64_t time, const StepLayer<double>& steps);

  [[nodiscard]] double* row(std::size_t slot) noexcept { return values_.get() + begin_[slot]; }
  [[nodiscard]] const double* row(std::size_t slot) const noexcept {
    return values_.get() + begin_[slot];
  }
  [[nodiscard]] std::uint64_t size() const noexcept { return begin_.back(); }

 private:
  std::vector<std::uint64_t> begin_{0};
  std::unique_ptr<double[]> values_;
  std::uint64_t capacity_ = 0;
};

// Entries of such a layer; a double, for it may be beyond any integer.
double dense_entries(const Windows& windows, std::uint64_t time, std::size_t slots);

}  // namespace quantiplan
