// Every way to compute the same answer: engines, arithmetics, representations, kernels, threads.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "quantiplan/options.hpp"

namespace quantiplan::testing {

struct Configuration {
  std::string name;  // "steps floating dense vector 2 threads"
  Options options;
};

// All valid ones. Rationals are kept sparse and know no kernels.
std::vector<Configuration> all_configurations();
// One of each engine and arithmetic and representation, the rest drawn by the seed: over many seeds
// all of them come by.
std::vector<Configuration> some_configurations(std::uint64_t seed);

// Rationals throughout.
Options exact_options();

}  // namespace quantiplan::testing
