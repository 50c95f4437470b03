// The step functions of one time as contiguous arrays, one value for every level of the span.
//
//     D of slot s:  row(s)[y - from - 1]   for y in (from, upto];   constants outside (span.hpp)
//
// Two layers take turns through a pass. Their memory is kept and not cleared: fresh pages cost more
// than the arithmetic on them.
#pragma once

#include <algorithm>
#include <cstdint>
#include <memory>
#include <vector>

#include "finite/pass/span.hpp"
#include "finite/pass/step_layer.hpp"

namespace quantiplan {

class DenseLayer {
 public:
  // Rows for these spans, not initialised. `entries_ahead`: the most that later calls will need.
  void reset(std::vector<Span<double>> spans, std::uint64_t entries_ahead);
  // Fills the rows with functions given by breakpoints.
  void spell_out(const StepLayer<double>& steps);
  // The same where rows hold parts only, of functions on `whole`.
  void spell_out_part(const StepLayer<double>& steps, const std::vector<Span<double>>& whole);
  // Keeps every 2^shift-th level: the same functions in steps 2^shift times as wide.
  void coarsen(unsigned shift);
  // Gives the ends of a row, where values are within `drop` of 1 or 0, to constants that err to the
  // safe side: below the truth, or above it.
  void trim(std::size_t slot, double drop, bool from_below);

  [[nodiscard]] DenseLayer copy() const;
  // The functions by breakpoints; and how many a row has, counted to one more than `most`.
  [[nodiscard]] SpannedSteps<double> as_steps() const;
  [[nodiscard]] std::uint64_t count_steps(std::size_t slot, std::uint64_t most) const;

  [[nodiscard]] const std::vector<Span<double>>& spans() const noexcept { return spans_; }
  [[nodiscard]] const Span<double>& span(std::size_t slot) const noexcept { return spans_[slot]; }
  [[nodiscard]] double* row(std::size_t slot) noexcept { return values_.get() + begin_[slot]; }
  [[nodiscard]] const double* row(std::size_t slot) const noexcept {
    return values_.get() + begin_[slot];
  }
  // Entries the rows were made for, trimmed or not.
  [[nodiscard]] std::uint64_t size() const noexcept { return size_; }
  [[nodiscard]] std::uint64_t capacity() const noexcept { return capacity_; }
  // Of a copy.
  [[nodiscard]] std::uint64_t bytes() const noexcept { return bytes_of(size_, spans_.size()); }
  static constexpr std::uint64_t bytes_of(std::uint64_t entries, std::size_t slots) noexcept {
    return sizeof(double) * entries + (sizeof(Span<double>) + 8) * slots;
  }

 private:
  std::vector<Span<double>> spans_;
  std::vector<std::uint64_t> begin_;
  std::uint64_t size_ = 0;
  std::unique_ptr<double[]> values_;
  std::uint64_t capacity_ = 0;
};

// What of a row is within `drop` of 1, before `first`, or of 0, from `last` on; and the values there.
struct RowEnds {
  std::int64_t first;
  std::int64_t last;
  double front;
  double before_first;
  double at_last;
};
// The span of what lies between.
void trim_span(const RowEnds& ends, bool from_below, Span<double>& span);
// The same of a row whose values are elsewhere: value(i) is asked only for those that count.
template <class Value>
void trim_span(Span<double>& span,
               std::int64_t first,
               std::int64_t last,
               bool from_below,
               const Value& value) {
  const auto width = static_cast<std::int64_t>(span.width());
  trim_span({first,
             last,
             from_below && span.from < span.low ? value(0) : 0.0,
             from_below && first > 0 ? value(first - 1) : 0.0,
             !from_below && last < width ? value(last) : 0.0},
            from_below,
            span);
}

// Entries of rows for these spans.
std::uint64_t dense_entries(const std::vector<Span<double>>& spans);

}  // namespace quantiplan
