// Models of infinite horizon, unfolded for one target y into a finite process over (state, residual).
//
//     residual = (y - wealth so far) / gamma^t
//
// The event W >= y (and the goal reached, where there is one) is a question of reachability:
//
//   wealth never falls      come to residual <= 0, and then to a goal; residuals below 0 count as 0
//   wealth never rises      come to a goal with residual <= 0; without a goal: never to residual >
//   0 no cycle                come to an end with residual <= 0 gamma = 1/k             residuals
//   beyond what the rest can add or take are settled; those that
//                           never get there belong to W = y: never come to a residual above. The
//                           denominators of residuals do not grow, so there are finitely many.
#pragma once

#include <cstddef>
#include <optional>

#include "oracles/plain_model.hpp"
#include "oracles/reachability.hpp"

namespace quantiplan::testing {

// Of the outcomes an episode can meet.
enum class Shape {
  never_falls,  // no counted reward is negative
  never_rises,  // none is positive, and some is negative
  acyclic,      // both signs, and no state is met twice
  mixed,        // both signs, and a cycle: nothing is known
};
Shape shape_of(const PlainModel& model);

// From the initial state; an episode ends at a goal.
std::vector<bool> reachable_states(const PlainModel& model);

// What can still be added to discounted wealth from any state on, at least and at most.
struct Tails {
  Rational least, most;
};
Tails tails_of(const PlainModel& model);

struct Unfolding {
  Process process;  // its targets are where it is decided
  std::size_t start = 0;
  bool is_safety = false;  // W >= y if the targets are *not* met
};
Unfolding unfold(const PlainModel& model, const Rational& target);

// The greatest or least P(W >= target), by policy iteration.
Rational chance(const Unfolding& unfolding, Aim aim);
// The same by counting policies; nullopt if there are more than `most`.
std::optional<Rational> chance_by_counting(const Unfolding& unfolding, Aim aim, std::size_t most);

}  // namespace quantiplan::testing
