// One episode after the other, each with a seed of its own, until all are played or a limit is met.
#pragma once

#include <cstdint>

#include "base/limits.hpp"
#include "base/work_watch.hpp"
#include "policy/drawing.hpp"

namespace quantiplan {

// play(bits) plays an episode, takes what it wants of it, and is false if the limits ended it;
// bytes_to_come() is what will be needed besides what is held.
template <class Play, class BytesToCome>
void play_all(std::uint64_t episodes,
              std::uint64_t seed,
              const Limits& limits,
              WorkWatch& memory,
              const Play& play,
              const BytesToCome& bytes_to_come) {
  constexpr std::uint64_t kPause = 256;  // between two looks at the memory
  RandomBits seeds(seed);
  for (std::uint64_t i = 0; i < episodes && !limits.ended(); ++i) {
    if (i % kPause == kPause - 1 && !memory.has_room(bytes_to_come())) return;
    if (!play(RandomBits(seeds.next()))) return;
    limits.report("simulation", static_cast<double>(i + 1) / static_cast<double>(episodes));
  }
}

}  // namespace quantiplan
