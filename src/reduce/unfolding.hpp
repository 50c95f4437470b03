// Discounted problems with goals, as undiscounted ones: time becomes part of the state.
//
//     (t, s) --p, gamma^t r rounded to a grid of h--> (t+1, s')          t < T
//     (T, s) --P*(s)--> as it is best for the one who maximises, 1 - P*(s) --> the opposite
//
// The bonus of a goal must not be discounted, so the plain engines need the discount in the
// rewards. At the end of an infinite horizon P* is the greatest P(goal), or for an adversary P(no
// goal), from s on; with the sure or least tail it is attained, with the greatest it cannot be
// exceeded. At a finite horizon whoever is not at a goal at T has missed it. Two problems, one
// rounded down throughout and one up, hold the truth between them; h is far below epsilon, so that
// their own engines decide how coarse to be.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "base/limits.hpp"
#include "infinite/goal_chance.hpp"
#include "quantiplan/model.hpp"
#include "quantiplan/options.hpp"
#include "quantiplan/policy.hpp"
#include "quantiplan/query.hpp"
#include "reduce/tails.hpp"

namespace quantiplan {

// What both unfolded problems share.
struct Unfolding {
  Model model;
  ResolvedSetting setting;
  Tails tails;
  std::uint64_t steps = 1;
  Rational epsilon;
  Rational grid;          // h
  bool is_exact = false;  // nothing is rounded, and nothing follows: the two problems are one
  GoalChance chance;
  std::vector<std::vector<State>> layers;  // states met at each time, ascending
};

// From the user's terms, so that costs are counted and an adversary is left to recast.hpp. Nullopt
// if the limits ended it.
std::optional<Unfolding> unfold(const Model& model,
                                const ResolvedSetting& setting,
                                const Options& options,
                                Limits& limits);

// One of the two problems; states are (t, s) in the order of the layers, then a goal and a dead
// end.
struct Unfolded {
  Model model;
  ResolvedSetting setting;  // no costs; the adversary as before
};

// `pessimistic`: for the one who maximises, an adversary or not. Nullopt if the limits ended it.
std::optional<Unfolded> unfolded(const Unfolding& u, bool pessimistic, const Limits& limits);

// Rules of (t, s) as rules of t and s; from T on the choices of the goal's chance.
Policy folded(const Unfolding& u, const Model& unfolded_model, Policy policy);
// The rules of t and s as rules of (t, s).
Policy unfolded_policy(const Unfolding& u, const Unfolded& to, const Policy& policy);

}  // namespace quantiplan
