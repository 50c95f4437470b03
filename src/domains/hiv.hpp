// When to begin HIV therapy: years of life, or of life in good health.
//
//     state   (age group a = 0 .. 7, CD4 group c = 0 .. 6, treatment periods n = 0 .. 8), or dead
//     wait    only while n = 0
//     treat   n + 1, at most 8; once begun, therapy goes on
//             dead    with probability 1 - (1 - hiv_c)(1 - other_a / 2), reward 0
//             else    the reward of the step, age group a + 1 with probability 1/20 (the last one
//                     stays), and CD4 group c' by a normal law around the midpoint of c
//
// A step is half a year. hiv_c: the risk of the CD4 group, with therapy or without; other_a: deaths
// of other causes in a year. The law of CD4 has the mean midpoint(c) + drift, -35.25 a step without
// therapy and 100 50 40 40 25 20 20 0 by its period, 0 after the eighth; the standard deviation is 25,
// and probabilities of groups are rounded to multiples of 10^-4.
//
// life      reward 1 a step survived. Risks and edges 0 50 100 200 350 500 650 of CD4: as used for
//           total-reward risk in [HPG]. Midpoints are ours: the middle, and 750 for the last group.
// quality   reward: what half a year in the group is worth, with therapy or without; risks and
//           midpoints of [LZB], edges 0 50 100 200 300 400 500. Its cardiac risks are left out.
#pragma once

#include <cstdint>

#include "quantiplan/model.hpp"

namespace quantiplan {

struct HivParameters {
  enum class RewardOf { life, quality };
  RewardOf reward_of = RewardOf::life;
  std::uint32_t age = 1;  // groups of ten years, from the twenties' 0 on
  std::uint32_t cd4 = 3;
  std::uint64_t horizon = 140;
  Rational discount = 1;

  // Throws Error(bad_request) naming the parameter, its value and the bound.
  void validate() const;
};

// States are named "age=1,cd4=3,periods=0" and "dead", actions "wait" and "treat".
Model hiv(const HivParameters& parameters, WorkWatch* watch = nullptr);

}  // namespace quantiplan
