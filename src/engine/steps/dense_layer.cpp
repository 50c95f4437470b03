#include "dense_layer.hpp"

#include <algorithm>

namespace quantiplan {

void DenseLayer::reset(const Windows& windows,
                       std::uint64_t time,
                       std::size_t slots,
                       std::uint64_t entries_ahead) {
  begin_.assign(slots + 1, 0);
  for (std::size_t slot = 0; slot < slots; ++slot) {
    begin_[slot + 1] = begin_[slot] + windows.at(time, slot).width();
  }
  if (capacity_ >= size()) return;
  capacity_ = std::max(size(), entries_ahead);
  values_.reset();
  values_ = std::make_unique_for_overwrite<double[]>(capacity_);
}

void DenseLayer::spell_out(const Windows& windows,
                           std::uint64_t time,
                           const StepLayer<double>& steps) {
  for (std::size_t slot = 0; slot + 1 < begin_.size(); ++slot) {
    double* at = row(slot);
    std::int64_t first = windows.at(time, slot).sure;
    for (std::uint64_t i = steps.begin[slot]; i < steps.begin[slot + 1]; ++i) {
      at = std::fill_n(at, steps.upto[i] - first, steps.value[i]);
      first = steps.upto[i];
    }
  }
}

double dense_entries(const Windows& windows, std::uint64_t time, std::size_t slots) {
  double entries = 0;
  for (std::size_t slot = 0; slot < slots; ++slot) {
    entries += static_cast<double>(windows.at(time, slot).width());
  }
  return entries;
}

}  // namespace quantiplan
