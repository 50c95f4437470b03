// The method of papers for static CVaR, a baseline: decomposition over risk levels.
//
//     f_T(s, z) = 0       f_t(s, z) = max_a  min { sum p (gamma^t r z_o + f_{t+1}(s', z_o)) :
//                                                  0 <= z_o <= 1,  sum p z_o = z }
//     CVaR_tau is taken to be f_0(s0, tau) / tau, the state being (time, state, level z)
//
// f is known on a grid of levels and interpolated linearly between them, as tau CVaR is convex in tau. The inner minimum is
// separable and convex, so it needs no linear program: pieces of all outcomes, in order of their slopes, are taken until
// the level is used up, which gives f_t(s, .) at every level from one sort.
// Source: [Chow]. It is wrong at any resolution [Hau]: the choice at s' is made after nature has chosen z_o, and for another
// z_o it may be another one. So the value is too high, and the policy falls short of it.
//
// Needs one initial state, no goals. Cost: T * choices * b * levels * log(b * levels).
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "quantiplan/model.hpp"

namespace quantiplan::bench {

struct RiskLevels {
  std::vector<double> values;  // what it takes CVaR* to be, by tau
  std::uint64_t pieces = 0;    // sorted, in all
};
RiskLevels by_risk_levels(const Model& model, const std::vector<Rational>& taus, int levels);

// The CVaR that its policy for tau really has, from its own law; nullopt if that has too many places.
std::optional<double> attained_by_risk_levels(const Model& model, const Rational& tau, int levels);

}  // namespace quantiplan::bench
