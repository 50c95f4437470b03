// What the machine can load: bytes per second of a loop that does nothing else, by cache level.
//
//     sums of doubles, 8 accumulators of one vector register each, over a working set read again
//     and again; as one stream and as four side by side; every vector width the processor has
//
// The best of these is the roof under which a kernel with one 8-byte load per multiply-add works.
// Loads are aligned, which a kernel's cannot be: its rows begin wherever rewards shift them.
#pragma once

#include <cstddef>

namespace quantiplan::bench {

// Working sets that fit one level and not the one before, on any server of the last ten years.
struct MemoryLevel {
  const char* name;
  std::size_t bytes;
};
inline constexpr MemoryLevel kMemoryLevels[] = {{"first-level cache", std::size_t{24} << 10},
                                                {"second-level cache", std::size_t{240} << 10},
                                                {"third-level cache", std::size_t{8} << 20},
                                                {"memory", std::size_t{256} << 20}};

// The best of `rounds` measurements of about `seconds_each`.
double load_bytes_per_second(std::size_t working_set_bytes, int rounds, double seconds_each);

}  // namespace quantiplan::bench
