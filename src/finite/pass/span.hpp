// What is kept of one step function: values on an interval, a constant on either side of it.
//
//     D(y) = below for y <= from;    stored on (from, upto];    above for y > upto
//
//                 below |      stored values       | above
//         --------------|--------------------------|-----------> y
//               low    from                       upto   high
//
// On exact windows from = sure, upto = possible, below = 1, above = 0. Two things narrow a span:
// targets that cannot be met from the initial state are not stored (needs.hpp), and values within
// `drop` of 1 or 0 may give way to a constant that errs to the safe side: rounded down the constant
// is the value at the span's lower edge, and 0 above; rounded up it is 1, and the value at its
// upper edge (semantics of rounding, docs/mathematics.md). `low` and `high` are the edges without
// regard to what is needed: the constants hold there for this function and carry over to earlier
// times.
//
// A function that is no probability may be a line on either side instead: through `below` at `from`,
// and through `above` at upto + 1 (weighted_layers.hpp).
#pragma once

#include <cmath>
#include <cstdint>

namespace quantiplan {

template <class N>
struct Span {
  std::int64_t from = 0;
  std::int64_t upto = 0;
  std::int64_t low = 0;
  std::int64_t high = 0;
  N below = 1;
  N above = 0;
  double below_slope = 0;
  double above_slope = 0;

  [[nodiscard]] std::uint64_t width() const noexcept {
    return static_cast<std::uint64_t>(upto - from);
  }
  // In steps 2^shift times as wide: y 2^shift <= level iff y <= floor(level / 2^shift).
  [[nodiscard]] Span coarser(unsigned shift) const {
    Span out{from >> shift, upto >> shift, low >> shift, high >> shift, below, above};
    if (below_slope != 0 || above_slope != 0) tilt(shift, out);
    return out;
  }

 private:
  // The lines in wider steps, through the edges there.
  void tilt(unsigned shift, Span& out) const {
    const std::int64_t step = std::int64_t{1} << shift;
    out.below += N(below_slope * static_cast<double>(out.from * step - from));
    out.above += N(above_slope * static_cast<double>((out.upto + 1) * step - (upto + 1)));
    out.below_slope = std::ldexp(below_slope, static_cast<int>(shift));
    out.above_slope = std::ldexp(above_slope, static_cast<int>(shift));
  }
};

}  // namespace quantiplan
