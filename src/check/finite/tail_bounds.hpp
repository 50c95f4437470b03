// What can still be collected after a discounted problem is cut off, state by state, in doubles.
//
//     least(s)    = min over choices and outcomes of ( r' + gamma least(s') )      0 at an end
//     greatest(s) = max ..
//
// Iterated from a bound that cannot be exceeded, and rounded to its side: a bound at every step.
// The choices are those of all policies, or the ones that some rules of a policy name.
#pragma once

#include <functional>
#include <vector>

#include "check/common/check_limits.hpp"
#include "quantiplan/model.hpp"
#include "quantiplan/query.hpp"

namespace quantiplan::checking {

struct TailBounds {
  std::vector<double> least;  // by state, in units of the time of the cut
  std::vector<double> greatest;
};

// The choices of a state that count; none: nothing is known of it but the first bound.
using ChoicesOf = std::function<std::vector<Choice>(State)>;
TailBounds tail_bounds(const Model& model,
                       const ResolvedSetting& setting,
                       const ChoicesOf& choices_of,
                       CheckLimits& limits);

// What they are worth in the mean, between the same bounds made narrower:
//     V(s) = sum p ( r' + gamma V(s') )      of several choices, the least and the greatest
TailBounds expected_tails(const Model& model,
                          const ResolvedSetting& setting,
                          const ChoicesOf& choices_of,
                          CheckLimits& limits);

// gamma^steps * tail, rounded to 200 digits or so, up or down.
Rational discounted_tail(const Rational& gamma, std::uint64_t steps, double tail, bool upwards);

}  // namespace quantiplan::checking
