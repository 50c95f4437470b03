// River swim: a small reward downstream, within reach, or a large one far up against the current.
//
//     state   s = 0 .. n-1, the last one farthest upstream; n = states
//     left    next max(s-1, 0)  surely               reward small_reward if s = 0, else 0
//     right   s = 0             next 1      forward
//                               next 0      1 - forward
//             0 < s < n-1       next s+1    forward
//                               next s-1    back
//                               next s      1 - forward - back
//             s = n-1           next n-1    forward             reward large_reward
//                               next n-2    1 - forward
//
//     small_reward                                               large_reward
//          s0 <====> s1 <====> s2 <====> s3 <====> s4 <====> s5
//
// Source: Strehl and Littman [SL], six states and these numbers; they begin in s1 or s2 with equal
// probability, we in the state `initial`. What quantiles tell: the mean is best upstream, where
// most of an episode of 20 steps is spent on the way and many never arrive. Whoever needs a sure
// reward stays where it is small.
#pragma once

#include <cstdint>

#include "quantiplan/model.hpp"

namespace quantiplan {

struct RiverParameters {
  std::uint32_t states = 6;
  std::uint32_t initial = 1;
  std::uint64_t horizon = 20;
  Rational discount = 1;
  Rational forward{3, 10};
  Rational back{1, 10};
  Rational small_reward = 5;
  Rational large_reward = 10000;

  // Throws Error(bad_request) naming the parameter, its value and the bound.
  void validate() const;
};

// States are named s0, s1, ..
Model river(const RiverParameters& parameters, WorkWatch* watch = nullptr);

}  // namespace quantiplan
