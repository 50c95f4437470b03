// Why this action: what each action would come to, in the middle of an episode.
//
// Having collected w by time t in state s, with k steps to go and y = (target - w) / gamma^t left of
// the promise, each action a is followed by what is best for the promise:
//
//     P(a) = sum_{(s',p,r)} p * D_{k-1}(s', (y - r) / gamma)      D: the greatest P(W >= .) there is
//     E(a) = w + gamma^t * sum p * ( r + gamma * E[rest] )        the mean of the total, if one does so
//
// The action that the policy takes need not have the greatest P(a): a policy that prefers the mean
// spends what probability it has to spare.
//
// Needs a policy of sums with a target, made for a reward or a cost, not an adversary's. Cost: a
// threshold query for each state that may come next.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "quantiplan/model.hpp"
#include "quantiplan/options.hpp"
#include "quantiplan/policy.hpp"
#include "quantiplan/value.hpp"

namespace quantiplan {

struct ActionOutlook {
  Choice choice{};
  bool is_taken = false;
  Value probability;                         // P(a)
  std::optional<Value> mean = std::nullopt;  // E(a), where there is one
};

struct Explanation {
  std::uint64_t time = 0;
  State state{};
  // As the model counts: a cost as the cost it is.
  Rational collected;                  // so far, in units of time 0
  Rational left;                       // of the target, in units of the current time
  std::vector<ActionOutlook> actions;  // all of the state, in the order of the model
};

// Where the policy carries the index of a grid, that of a history without rounding is taken; in an
// episode the policy may do another thing, which a Run knows. Throws Error(bad_request) if there is
// nothing left to do or no target, Error(bad_policy) if the policy never comes there, Error(refused)
// for policies it is not made for and beyond the limits.
Explanation explain(const Model& model,
                    const Policy& policy,
                    State state,
                    std::uint64_t time,
                    const Rational& collected,
                    const Options& options = {});

}  // namespace quantiplan
