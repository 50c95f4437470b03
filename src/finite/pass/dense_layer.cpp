#include "finite/pass/dense_layer.hpp"

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

void DenseLayer::spell_out_part(const StepLayer<double>& steps,
                                const std::vector<Span<double>>& whole) {
  for (std::size_t slot = 0; slot < spans_.size(); ++slot) {
    double* at = row(slot);
    std::int64_t first = whole[slot].from;
    for (std::uint64_t i = steps.begin[slot]; i < steps.begin[slot + 1]; ++i) {
      const std::int64_t above = std::max(first, spans_[slot].from);
      const std::int64_t upto = std::min(steps.upto[i], spans_[slot].upto);
      if (upto > above) at = std::fill_n(at, upto - above, steps.value[i]);
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
  begin_[slot] += static_cast<std::uint64_t>(first - values);
  trim_span({first - values,
             last - values,
             *values,
             first > values ? first[-1] : 0,
             last < end ? *last : 0},
            from_below,
            span);
}

void trim_span(const RowEnds& ends, bool from_below, Span<double>& span) {
  const auto width = static_cast<std::int64_t>(span.width());
  // Unless the span begins where all is sure, its first entry stands for all below.
  if (from_below && span.from < span.low) span.below = ends.front;
  if (ends.first > 0) {
    span.below = from_below ? ends.before_first : 1.0;
    span.from += ends.first;
    span.low = std::max(span.low, span.from);
  }
  if (ends.last < width) {
    span.above = from_below ? 0.0 : ends.at_last;
    span.upto -= width - ends.last;
    span.high = std::min(span.high, span.upto);
  }
}

DenseLayer DenseLayer::copy() const {
  DenseLayer out;
  out.reset(spans_, 0);
  for (std::size_t slot = 0; slot < spans_.size(); ++slot) {
    std::copy_n(row(slot), spans_[slot].width(), out.row(slot));
  }
  return out;
}

SpannedSteps<double> DenseLayer::as_steps() const {
  SpannedSteps<double> out{spans_, {}};
  for (std::size_t slot = 0; slot < spans_.size(); ++slot) {
    const double* values = row(slot);
    const auto width = static_cast<std::int64_t>(spans_[slot].width());
    for (std::int64_t i = 0; i < width; ++i) {
      if (i + 1 < width && values[i + 1] == values[i]) continue;
      out.steps.upto.push_back(spans_[slot].from + 1 + i);
      out.steps.value.push_back(values[i]);
    }
    out.steps.begin.push_back(out.steps.upto.size());
  }
  return out;
}

std::uint64_t DenseLayer::count_steps(std::size_t slot, std::uint64_t most) const {
  const double* values = row(slot);
  std::uint64_t count = spans_[slot].width() > 0 ? 1 : 0;
  for (std::uint64_t i = 1; i < spans_[slot].width() && count <= most; ++i) {
    count += values[i] != values[i - 1] ? 1 : 0;
  }
  return count;
}

std::uint64_t dense_entries(const std::vector<Span<double>>& spans) {
  std::uint64_t entries = 0;
  for (const Span<double>& span : spans) entries += span.width();
  return entries;
}

}  // namespace quantiplan
