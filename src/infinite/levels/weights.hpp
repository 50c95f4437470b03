// Counted rewards as whole numbers: weight = |r| / unit, exactly, or rounded down or up to a grid.
//
//     exact:     unit = the greatest of which every |r| that is met is a multiple
//     rounded:   floor(|r| / unit) or ceil(|r| / unit)
//
// W rounded down is at most W, and rounded up at least W, whatever the episode: quantiles of the
// two rounded problems hold the true one between them (of losses, |r| is rounded the other way
// round).
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "finite/grid.hpp"
#include "infinite/levels/moves.hpp"

namespace quantiplan {

struct Weights {
  Rational unit = 1;
  std::vector<std::uint64_t> distinct{0};  // ascending; the first is 0
  std::vector<std::uint32_t> of_arc;       // positions in `distinct`
  bool is_exact = true;                    // nothing was rounded
};

// Nullopt if a weight needs more than 61 bits.
std::optional<Weights> exact_weights(const Moves& moves);
// `rounding` is that of |r|.
std::optional<Weights> rounded_weights(const Moves& moves, const Rational& unit, Rounding rounding);
Rational greatest_reward_size(const Moves& moves);

}  // namespace quantiplan
