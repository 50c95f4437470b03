// What can still be collected after a discounted problem is cut off, state by state.
//
//     greatest(s) = max_a max_o ( r + gamma greatest(s') )     no policy collects more
//     sure(s)     = max_a min_o ( r + gamma sure(s') )         its choice is certain of this much
//     both 0 at an end; rewards are counted ones
//
// Value iteration from a bound on the safe side stays on that side at every step, so it may stop
// anywhere; doubles are rounded outwards. For sure() the greedy choices attain what is returned:
// one more step from there does not lose, up to a rounding that is taken off. Source: semantics,
// section 4 ("per-state least and greatest tails").
#pragma once

#include <vector>

#include "base/limits.hpp"
#include "quantiplan/model.hpp"
#include "quantiplan/query.hpp"

namespace quantiplan {

struct Tails {
  std::vector<double> least;     // by state, over all policies
  std::vector<double> sure;      // by state
  std::vector<double> greatest;  // by state
  std::vector<Choice> choice;    // by state that has one: attains sure
};

// Goal states are ends. The discount is below 1. Wider bounds if the limits ended it.
Tails tails_of(const Model& model, const ResolvedSetting& setting, const Limits& limits);

// Bounds of the tails over the states that can be met, those of ended episodes, 0, among them.
struct TailRange {
  double sure = 0;
  double least = 0;
  double greatest = 0;
};
TailRange tail_range(const Model& model,
                     const ResolvedSetting& setting,
                     const Tails& tails,
                     const std::vector<bool>& here);
// How far apart totals from the initial states can be.
Rational range_from_start(const ResolvedSetting& setting, const Tails& tails);
// The states that an episode can meet, ever.
std::vector<bool> states_met(const Model& model, const ResolvedSetting& setting);
// The states that an episode can be in after exactly `steps` steps, and which it has not ended in;
// with all others that it can ever be in, if the limits ended it.
std::vector<bool> states_at(const Model& model,
                            const ResolvedSetting& setting,
                            std::uint64_t steps,
                            const Limits& limits);

}  // namespace quantiplan
