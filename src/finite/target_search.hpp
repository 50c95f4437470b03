// The paper's Algorithm 1: binary search for the greatest target whose best probability still
// counts.
//
//     lower = a level that counts,  upper = one that does not
//     while upper - lower > gap:  test the middle (one functional backward induction each)
//
// Source: [GWX] Alg. 1, with its errata mended (semantics, section 6): the search starts from a
// level every policy can be sure of and from one above the greatest return, so that both ends are
// known and the last remaining level is always tested; it runs on integer levels, so that it ends.
// Each test is an induction over all states, whether s0 can reach them by then or not, as in
// Alg. 2. It is the baseline of the benchmarks; one pass over residual targets (finite/pass)
// answers all targets at once.
#pragma once

#include <cstdint>

namespace quantiplan {

enum class TargetTest { counts, does_not_count, unknown };

struct SearchResult {
  std::int64_t lower = 0;  // counts
  std::int64_t upper = 0;  // does not count
  bool complete = false;   // upper <= lower + gap; else a test could not tell
};

// test(target) says which of the three it is.
template <class Test>
SearchResult search_target(std::int64_t lower,
                           std::int64_t upper,
                           std::int64_t gap,
                           const Test& test) {
  while (upper - lower > gap) {
    const std::int64_t middle = lower + (upper - lower) / 2;
    switch (test(middle)) {
      case TargetTest::counts:
        lower = middle;
        break;
      case TargetTest::does_not_count:
        upper = middle;
        break;
      case TargetTest::unknown:
        return {lower, upper, false};
    }
  }
  return {lower, upper, true};
}

}  // namespace quantiplan
