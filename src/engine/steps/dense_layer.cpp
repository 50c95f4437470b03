#include "dense_layer.hpp"

#include <algorithm>

namespace quantiplan {

void DenseLayer::reset(std::vector<Span<double>> spans, std::uint64_t entries_ahead) {
  spans_ = std::move(spans);
  begin_.resize(spans_.size());
  size_ = 0;
  for (std::size_t slot = 0; slot < spans_.size(); ++slot) {
    begin_[slot] = size_;
    size_ += spans_[slot].width();
  }
  if (capacity_ >= size_) return;
  capacity_ = std::max(size_, entries_ahead);
  values_.reset();
  values_ = std::make_unique_for_overwrite<double[]>(capacity_);
}

void DenseLayer::spell_out(const StepLayer<double>& steps) {
  for (std::size_t slot = 0; slot < spans_.size(); ++slot) {
    double* at = row(slot);
    std::int64_t first = spans_[slot].from;
    for (std::uint64_t i = steps.begin[slot]; i < steps.begin[slot + 1]; ++i) {
      at = std::fill_n(at, steps.upto[i] - first, steps.value[i]);
      first = steps.upto[i];
    }
  }
}

void DenseLayer::coarsen(unsigned shift) {
  for (std::size_t slot = 0; slot < spans_.size(); ++slot) {
    const Span<double> fine = spans_[slot];
    const Span<double> coarse = fine.coarser(shift);
    double* values = row(slot);
    // Entry i is level from + 1 + i; reading never falls behind writing.
    for (std::int64_t y = coarse.from + 1; y <= coarse.upto; ++y) {
      values[y - coarse.from - 1] = values[(y << shift) - fine.from - 1];
    }
    spans_[slot] = coarse;
  }
}

void DenseLayer::trim(std::size_t slot, double drop, bool from_below) {
  Span<double>& span = spans_[slot];
  if (span.width() == 0) return;
  double* values = row(slot);
  double* end = values + span.width();
  // Values do not increase. At least one entry stays, so that constants are never compared.
  double* first = std::partition_point(values, end - 1, [&](double v) { return v >= 1 - drop; });
  double* last = std::partition_point(first + 1, end, [&](double v) { return v >= drop; });
  // In spans that may be trimmed the first entry is level `low`, so its value holds for all below.
  span.below = !from_below ? 1.0 : first > values ? first[-1] : *values;
  if (first > values) {
    begin_[slot] += static_cast<std::uint64_t>(first - values);
    span.from += first - values;
    span.low = std::max(span.low, span.from);
  }
  if (last < end) {
    span.above = from_below ? 0.0 : *last;
    span.upto -= end - last;
    span.high = std::min(span.high, span.upto);
  }
}

std::uint64_t dense_entries(const std::vector<Span<double>>& spans) {
  std::uint64_t entries = 0;
  for (const Span<double>& span : spans) entries += span.width();
  return entries;
}

}  // namespace quantiplan
