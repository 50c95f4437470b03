// The single pass of a structure with residuals: for each time and state, the greatest chance of
// every level that what is still to come may have.
//
//     F_T(s, z) = [w_0 >= z]
//     F_t(s, y) = max_c sum_i p_i F_{t+1}(s_i, y / r_i),   y / r = least z with r o z >= y
//
//     L_T(s) = { w_0 },   L_t(s) = { r_i o z : z in L_{t+1}(s_i), all choices, all outcomes }
//
// F_t(s, .) changes at the levels L_t(s) alone. They are kept as positions among the sorted levels
// of their time, so that the pass compares whole numbers only; y / r is found by walking two lists.
// For max and min the levels are the rewards, and no wealth is part of the state.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "base/limits.hpp"
#include "numbers/algebra.hpp"
#include "quantiplan/structure.hpp"

namespace quantiplan {

// The levels of one time, and which choice is best for each.
struct RankedTime {
  std::vector<WealthId> level;          // one of each class, ascending
  std::vector<std::uint64_t> begin;     // of each state's entries; one more than there are states
  std::vector<std::uint32_t> position;  // in `level`, ascending for each state
  std::vector<std::uint32_t> choice;    // of each entry, among the choices of the state
};
using RankedRecord = std::vector<RankedTime>;  // by time; the last has no choices

// The levels that one of the initial states has at time 0, as positions, ascending.
std::vector<std::uint32_t> start_positions(const RankedTime& time, const InitialStates& initial);
// The entry of a state for the least of its levels that is no less; nullopt if there is none.
std::optional<std::uint64_t> entry_of(const RankedTime& time, State s, std::uint32_t position);

struct RankedWork {
  std::uint64_t entries = 0;   // (time, state, level)
  std::uint64_t products = 0;  // p F
  std::uint64_t backups = 0;   // (time, state, choice)
};

template <class Algebra>
struct RankedChances {
  std::vector<WealthId> classes;                // of final wealths, ascending
  std::vector<typename Algebra::Value> chance;  // the greatest, of each class or a better one
  RankedWork work;
};

// Nullopt if a limit of time ends it; throws Error(refused) over the memory limit. `record` may be
// null. Ties go to the first choice.
template <class Algebra>
std::optional<RankedChances<Algebra>> ranked_pass(const Model& model,
                                                  const ResolvedSetting& setting,
                                                  Structure& structure,
                                                  Limits& limits,
                                                  RankedRecord* record = nullptr);

}  // namespace quantiplan
