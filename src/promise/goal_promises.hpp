// The best chance of the goal that keeps a promise, and then the best total of the episodes that
// arrive.
//
//     first    the search over weights with Pgoal for the mean (promise_search.hpp)
//     then     where that attains the greatest Pgoal of all, so that the promise takes nothing from
//              the goal (in doubles: it may): the same with K = E[W; goal], among the choices that keep
//              Pgoal. Whoever is found there attains it
//
// Source: criteria, section 2, Goals.
#pragma once

#include <algorithm>
#include <memory>
#include <numeric>
#include <optional>
#include <vector>

#include "promise/promise_search.hpp"
#include "promise/worth.hpp"

namespace quantiplan {

struct GoalSearch {
  Rational greatest;       // Pgoal of whoever promises nothing
  Rational gap = 0;        // PromiseSearch::gap
  bool goal_first = true;  // false: only the policy with the greatest probability is asked for
};

template <class Oracle>
struct GoalPromise {
  std::shared_ptr<Oracle> oracle;  // null: no policy was found
  SharedPoint kept;                // the policy, one of the oracle's
  Rational goal_probability;       // its own Pgoal, as computed
  Rational error = 0;              // by at most
  std::optional<Rational> bound;   // of Pgoal; absent: it was not asked for
};

// `make(kind, targets)`: the oracle of these targets, by position among all; null if it is not to be
// had.
template <class Oracle, class Make>
std::vector<GoalPromise<Oracle>> search_goal_promises(const GoalSearch& goal,
                                                      const std::vector<Promise>& promises,
                                                      const Make& make,
                                                      Limits& limits,
                                                      Work& work) {
  std::vector<GoalPromise<Oracle>> out(promises.size());
  const auto search = [&](WorthKind kind, const std::vector<std::size_t>& which) {
    std::vector<std::size_t> targets;
    targets.reserve(which.size());
    for (const std::size_t i : which) targets.push_back(promises[i].target);
    std::ranges::sort(targets);
    targets.erase(std::unique(targets.begin(), targets.end()), targets.end());
    const std::shared_ptr<Oracle> oracle = make(kind, targets);
    if (oracle == nullptr) return;
    std::vector<Promise> own;
    for (const std::size_t i : which) {
      own.push_back(promises[i]);
      const auto at = std::ranges::lower_bound(targets, promises[i].target);
      own.back().target = static_cast<std::size_t>(at - targets.begin());
    }
    const auto found =
        search_promises({*oracle, nullptr, goal.gap, goal.goal_first}, own, limits, work);
    for (std::size_t k = 0; k < which.size(); ++k) {
      if (!found[k].kept) continue;
      GoalPromise<Oracle>& each = out[which[k]];
      each.oracle = oracle;
      each.kept = found[k].kept;
      if (kind == WorthKind::arriving) {
        each.goal_probability = goal.greatest;
        each.error = 0;
        continue;
      }
      each.goal_probability = found[k].kept->at.mean;
      each.error = found[k].kept->at.mean_error;
      if (goal.goal_first) each.bound = found[k].bound;
    }
  };
  std::vector<std::size_t> all(promises.size());
  std::iota(all.begin(), all.end(), std::size_t{0});
  search(WorthKind::goal, all);
  std::vector<std::size_t> unhurt;
  for (const std::size_t i : all) {
    const GoalPromise<Oracle>& each = out[i];
    if (each.bound && each.goal_probability + each.error >= goal.greatest) unhurt.push_back(i);
  }
  if (!unhurt.empty() && !limits.ended()) search(WorthKind::arriving, unhurt);
  return out;
}

}  // namespace quantiplan
