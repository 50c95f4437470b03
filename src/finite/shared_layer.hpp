// Numbers of the slots of a layer, of which each rank finds a part, and all hear of all.
//
//     rank q of P finds the slots  [n q / P, n (q + 1) / P)
//
// Pays where finding them takes longer than a message: layers of many outcomes.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "base/limits.hpp"
#include "finite/stages.hpp"
#include "quantiplan/ranks.hpp"

namespace quantiplan {

struct SlotPart {
  std::size_t begin = 0;
  std::size_t end = 0;
};
SlotPart part_of(std::uint32_t rank, std::uint32_t ranks, std::size_t slots) noexcept;

// True if the slots of the time have so many outcomes; the same on all ranks.
bool pays_to_share(const Stages& stages, std::uint64_t time) noexcept;

// The arrays of a model by which ranks that were not started by the program are told apart.
std::uint64_t arrays_digest(const Model& model);
// The same with rewards in the steps of all times, and the horizon.
std::uint64_t stages_digest(const Stages& stages);

// This rank has filled its part of the arrays, which are of one length; the others fill the rest.
// False if it is over. Throws Error(refused) if a rank has another `mark` than rank 0.
bool share_parts(RankGroup& ranks,
                 const Limits& limits,
                 std::uint64_t mark,
                 std::vector<double>& values,
                 std::vector<Choice>& choices);

}  // namespace quantiplan
