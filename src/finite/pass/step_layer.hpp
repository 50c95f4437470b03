// The step functions of one time, by breakpoints; and the pieces of it that workers produce.
//
//     D of slot s:  entries begin[s] .. begin[s+1] on its span, value[i] on (upto[i-1], upto[i]]
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "finite/pass/span.hpp"

namespace quantiplan {

template <class N>
struct StepLayer {
  std::vector<std::uint64_t> begin{0};
  std::vector<std::int64_t> upto;
  std::vector<N> value;

  [[nodiscard]] std::uint64_t steps(std::size_t slot) const {
    return begin[slot + 1] - begin[slot];
  }
  // Another function of a layer, as the next slot's; steps that differ in the choice only are one.
  void append(const StepLayer& other, std::size_t slot);
  // The same functions in steps 2^shift times as wide; `from` are the spans' lower ends there.
  void coarsen(unsigned shift, const std::vector<Span<N>>& coarse_spans);
  // A rational of moderate size holds about 128 bytes.
  static constexpr std::uint64_t kBytesPerStep = 8 + (sizeof(N) > sizeof(double) ? 128 : sizeof(N));
  [[nodiscard]] std::uint64_t bytes() const {
    return 8 * begin.capacity() + kBytesPerStep * upto.capacity();
  }
};

template <class N>
void StepLayer<N>::append(const StepLayer& other, std::size_t slot) {
  const std::uint64_t first = upto.size();
  for (std::uint64_t i = other.begin[slot]; i < other.begin[slot + 1]; ++i) {
    if (upto.size() > first && value.back() == other.value[i]) {
      upto.back() = other.upto[i];
    } else {
      upto.push_back(other.upto[i]);
      value.push_back(other.value[i]);
    }
  }
  begin.push_back(upto.size());
}

template <class N>
void StepLayer<N>::coarsen(unsigned shift, const std::vector<Span<N>>& coarse_spans) {
  std::uint64_t kept = 0;
  std::uint64_t next = begin[0];
  for (std::size_t slot = 0; slot + 1 < begin.size(); ++slot) {
    std::int64_t before = coarse_spans[slot].from;
    const std::uint64_t end = begin[slot + 1];
    begin[slot] = kept;
    for (; next < end; ++next) {
      const std::int64_t coarse = upto[next] >> shift;
      if (coarse <= before) continue;  // no level of the wider steps lies in it
      upto[kept] = before = coarse;
      value[kept++] = value[next];
    }
  }
  begin.back() = kept;
  upto.resize(kept);
  value.resize(kept);
  upto.shrink_to_fit();
  value.shrink_to_fit();
}

// Functions together with where they are stored.
template <class N>
struct SpannedSteps {
  std::vector<Span<N>> spans;  // by slot
  StepLayer<N> steps;

  [[nodiscard]] std::uint64_t bytes() const {
    return sizeof(Span<N>) * spans.capacity() + steps.bytes();
  }
};

// The mixtures of shared rows (shared_rows.hpp), by position; `position` by row, kNone where a row
// is not shared at this time. Empty if none is.
template <class N>
struct RowSteps {
  static constexpr std::uint32_t kNone = 0xFFFFFFFFU;
  std::vector<std::uint32_t> position;
  SpannedSteps<N> functions;
};

// Output of one worker: the slots it met, one after another.
template <class N>
struct StepPiece {
  StepLayer<N> functions;           // begin by position in this piece
  std::vector<std::uint32_t> what;  // beside functions.upto: Decisions::encode

  [[nodiscard]] std::uint64_t bytes() const { return functions.bytes() + 4 * what.capacity(); }
};

// Where a slot's entries lie.
struct PieceRef {
  std::uint32_t worker = 0;
  std::uint32_t position = 0;
};

// States a worker takes at once: few, for their windows differ in width.
inline std::size_t chunk_of_slots(std::size_t slots, unsigned workers) {
  return std::clamp<std::size_t>(slots / (8 * std::size_t{workers}), 1, 4);
}

}  // namespace quantiplan
