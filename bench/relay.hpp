// A scalable family with zero-reward cycles, and the plain value iteration on its product with the
// levels: the standing competitor at the infinite horizon.
//
//     layer 0 -> layer 1 -> ... -> goal          a station has the states ready, wait, sleep
//     layers have 1, 4, 16, ... stations, up to a quarter of all, and every station can be reached
//     ready: send  costs 1..k, 0.8 on (two stations of the next layer), 0.2 wait
//            rush  costs three times that, 0.95 on, 0.05 wait
//     wait:  free  0.5 ready, 0.3 sleep, 0.2 wait           sleep: free  0.6 wait, 0.4 ready
//     sleep: stay  free, sleeps on: an end component of zero-reward moves
#pragma once

#include <cstdint>
#include <vector>

#include "quantiplan/model.hpp"

namespace quantiplan::bench {

struct RelayParameters {
  std::uint64_t stations = 1000;    // three states each
  std::uint64_t greatest_cost = 4;  // of sending
  std::uint64_t seed = 1;
};
Model relay(const RelayParameters& parameters);

// P(goal reached at a cost of at most c) from s0 for c = 0 .. levels - 1: on each level, sweeps
// over all states until no value changes by more than `change`; then the next level, all levels
// kept.
struct PlainIteration {
  std::vector<double> value;
  std::uint64_t sweeps = 0;
  std::uint64_t multiply_adds = 0;
  double seconds_per_sweep = 0;
};
PlainIteration iterate_plainly(const Model& model, std::uint64_t levels, double change);

}  // namespace quantiplan::bench
