#include "dense_layer.hpp"

#include <algorithm>

namespace quantiplan {
namespace {

std::uint64_t mean_width(const Window& w) { return static_cast<std::uint64_t>(w.possible - w.least); }

// Writes steps over levels (first, last upto] into a row.
void spell_out(std::int64_t first, const std::vector<std::int64_t>& upto,
               const std::vector<double>& value, std::uint64_t begin, std::uint64_t end, double* row) {
  for (std::uint64_t i = begin; i < end; ++i) {
    std::fill_n(row, upto[i] - first, value[i]);
    row += upto[i] - first;
    first = upto[i];
  }
}

}  // namespace

DenseLayer::DenseLayer(const Windows& windows, std::uint64_t time, std::size_t slots, bool means) {
  begin.assign(slots + 1, 0);
  if (means) mean_begin.assign(slots + 1, 0);
  for (std::size_t slot = 0; slot < slots; ++slot) {
    const Window& w = windows.at(time, slot);
    begin[slot + 1] = begin[slot] + w.width();
    if (means) mean_begin[slot + 1] = mean_begin[slot] + mean_width(w);
  }
  value.resize(begin.back());
  if (means) mean.resize(mean_begin.back());
}

DenseLayer::DenseLayer(const Windows& windows, std::uint64_t time, const StepLayer<double>& steps,
                       bool means)
    : DenseLayer(windows, time, steps.begin.size() - 1, means) {
  for (std::size_t slot = 0; slot + 1 < begin.size(); ++slot) {
    const Window& w = windows.at(time, slot);
    spell_out(w.sure, steps.upto, steps.value, steps.begin[slot], steps.begin[slot + 1],
              value.data() + begin[slot]);
    if (means) {
      spell_out(w.least, steps.mean_upto, steps.mean, steps.mean_begin[slot],
                steps.mean_begin[slot + 1], mean.data() + mean_begin[slot]);
    }
  }
}

double dense_layer_bytes(const Windows& windows, std::uint64_t time, std::size_t slots, bool means) {
  double entries = 0;
  for (std::size_t slot = 0; slot < slots; ++slot) {
    const Window& w = windows.at(time, slot);
    entries += static_cast<double>(w.width()) + (means ? static_cast<double>(mean_width(w)) : 0.0);
  }
  return sizeof(double) * (entries + 2 * static_cast<double>(slots + 1));
}

}  // namespace quantiplan
