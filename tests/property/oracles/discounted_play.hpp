// Discounting at an infinite horizon: the chance of a target under one policy, between two bounds.
//
// The policy is played step by step, with the exact residual target beside whatever it carries
// itself. Where what is to come cannot matter any more a history is decided; the others keep on
// until little of them is left.
#pragma once

#include "oracles/plain_model.hpp"
#include "quantiplan/distribution.hpp"
#include "quantiplan/policy.hpp"

namespace quantiplan::testing {

// P(W >= target) lies in [lower, upper].
ProbabilityBracket play_discounted(const PlainModel& plain,
                                   const Model& model,
                                   const Policy& policy,
                                   const Rational& target);

}  // namespace quantiplan::testing
