// Questions about the whole model, without levels: what lies beyond the first level and the last.
//
//     base    D beyond the boundary (event.hpp)                        gains: y <= 0, losses: y > 0
//     limit   lim V_k for k -> infinity
//             gains:   none   greatest P of an end component with a positive reward       (pinf)
//                      worst  greatest expectation of P(goal) at the first such component
//                      best   greatest P(no goal)
//             losses:  none   greatest P of a zero-reward component or an end             (p0)
//                      worst  greatest P(goal)
//                      best   1
//
// Each is one set of equations with all moves inner. Source: semantics, section 4.
#pragma once

#include <optional>
#include <vector>

#include "infinite/levels/epoch_pass.hpp"

namespace quantiplan {

template <class A>
struct WholeValues {
  std::vector<typename A::Value> value;  // by slot
  std::vector<std::uint32_t> choice;     // by slot: of the graph, attains the value
  double error = 0;                      // Real: of every value
};

// Nullopt if the limits ended it.
template <class A>
std::optional<WholeValues<A>> base_of(const EpochProblem& problem, Limits& limits);
template <class A>
std::optional<WholeValues<A>> limit_of(const EpochProblem& problem,
                                       const WholeValues<A>& base,
                                       Limits& limits);

// Gains: is V_k(s0) above the limit for every k? So it is if, by choices that keep the limit, s0
// can reach a cycle with a positive reward through slots whose base is above it: going round often
// enough, the target is met there, and more than the limit is won with positive probability. Then
// these are choices that go round, by slot: they keep the limit too, for the cycle is no end
// component and is left almost surely. Nullopt if it is not, or the limits ended it.
template <class A>
std::optional<std::vector<std::uint32_t>> choices_above_limit(const EpochProblem& problem,
                                                              const WholeValues<A>& base,
                                                              const WholeValues<A>& limit,
                                                              const Limits& limits);

// Losses: is V_k(s0) equal to the limit for some k? So it is if, by choices that keep the limit,
// the cost of every path is bounded, until nothing more can be won (base = limit). Decided by
// adding one loss after another: the slots that need at most i of them. Nullopt if the limits ended
// it.
template <class A>
std::optional<bool> meets_limit(const EpochProblem& problem,
                                const WholeValues<A>& base,
                                const WholeValues<A>& limit,
                                Limits& limits);

// Where a policy for +inf goes on for ever: slots of end components with a positive reward, and a
// choice of each that stays there and comes to the reward again and again.
struct Rewarding {
  std::vector<bool> is_in;            // by slot
  std::vector<std::uint32_t> choice;  // by slot of them
};
// Means nothing if the limits ended it.
Rewarding rewarding_components(const EpochProblem& problem, const Limits& limits);

}  // namespace quantiplan
