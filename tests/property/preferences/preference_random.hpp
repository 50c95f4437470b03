// Seeded random models with wealth structures: shapes and probabilities of random_model.hpp, every
// structure in turn.
#pragma once

#include <cstdint>

#include "preferences/preference_model.hpp"

namespace quantiplan::testing {

// Every kind but the sum, counts in both orders: the seeds that are equal modulo this have the same
// kind.
constexpr std::uint64_t kPreferenceKinds = 9;

// 1-5 states, horizon 1-4: mostly few enough policies to enumerate.
PreferenceModel tiny_preference(std::uint64_t seed);
// 6-20 states, horizon 3-6.
PreferenceModel larger_preference(std::uint64_t seed);
// Infinite horizon, 1-4 states: max, min, and automata and tables whose rank never falls along a
// transition, or never rises.
PreferenceModel infinite_preference(std::uint64_t seed);

}  // namespace quantiplan::testing
