// Cliff walking: the short way along the edge, or a safe one with a detour.
//
//     y   3  . . . . . . . . . . . .
//         2  . . . . . . . . . . . .        S start (0,0)   G goal (width-1, 0), terminal
//         1  . . . . . . . . . . . .        C cliff: y = 0 between the two, no states
//         0  S C C C C C C C C C C G
//         x  0 1 2 ...
//
//     action  up, right, down, left: goes there with probability 1 - slip, and to either side of
//             that direction with slip/2; a move off the grid stays in place
//     reward  -step_cost; a move into the cliff ends at the start and has -fall_cost instead
//
// Source: Sutton and Barto [SB] example 6.6, which is slip = 0. Slipping makes the edge dangerous:
// how far from it one should walk depends on how sure one must be.
#pragma once

#include <cstdint>

#include "quantiplan/model.hpp"

namespace quantiplan {

struct CliffParameters {
  std::uint32_t width = 12;
  std::uint32_t height = 4;
  std::uint64_t horizon = 50;
  Rational discount = 1;
  Rational slip{1, 10};
  Rational step_cost = 1;
  Rational fall_cost = 100;

  // Throws Error(bad_request) naming the parameter, its value and the bound.
  void validate() const;
};

// States are named "x=0,y=0".
Model cliff(const CliffParameters& parameters, WorkWatch* watch = nullptr);

}  // namespace quantiplan
