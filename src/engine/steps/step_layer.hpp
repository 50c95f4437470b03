// The step functions of one time, by breakpoints; and the pieces of it that workers produce.
//
//     D of slot s:  entries begin[s] .. begin[s+1] on (sure, possible], value[i] on (upto[i-1],
//     upto[i]]
#pragma once

#include <cstdint>
#include <vector>

namespace quantiplan {

template <class N>
struct StepLayer {
  std::vector<std::uint64_t> begin{0};
  std::vector<std::int64_t> upto;
  std::vector<N> value;

  [[nodiscard]] std::uint64_t steps(std::size_t slot) const {
    return begin[slot + 1] - begin[slot];
  }
  [[nodiscard]] std::uint64_t bytes() const {
    // A rational of moderate size holds about 128 bytes.
    constexpr std::uint64_t kNumber = sizeof(N) > sizeof(double) ? 128 : sizeof(N);
    return 8 * begin.size() + (8 + kNumber) * upto.size();
  }
};

// Output of one worker: the slots it met, one after another.
template <class N>
struct StepPiece {
  StepLayer<N> functions;           // begin by position in this piece
  std::vector<std::uint32_t> what;  // beside functions.upto: Decisions::encode
};

// Where a slot's entries lie.
struct PieceRef {
  std::uint32_t worker = 0;
  std::uint32_t position = 0;
};

}  // namespace quantiplan
