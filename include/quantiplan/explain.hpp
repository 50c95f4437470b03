// Why this action: what each action would come to, in the middle of an episode.
//
// Having collected w by time t in state s, with k steps to go and y = (target - w) / gamma^t left of
// the promise, each action a is followed by what is best for the promise:
//
//     P(a) = sum_{(s',p,r)} p * D_{k-1}(s', (y - r) / gamma)      D: the greatest P(W >= .) there is
//     E(a) = w + gamma^t * sum p * ( r + gamma * E[rest] )        the mean of the total, if one does so
//
// The action that the policy takes need not have the greatest P(a): a policy that prefers the mean
// spends what probability it has to spare. What it comes to itself from there on, by its own rules, is
// told besides, if it is known exactly.
//
// Needs a policy of sums with a target, made for a reward or a cost, not an adversary's. Cost: a
// threshold query for each state that may come next.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
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
  // Of the policy, if it is followed to the end. Absent on a grid, which rounds, where the policy has
  // no rules for an episode like this, and where it is too large to be followed exactly.
  std::optional<Value> own_probability = std::nullopt;
  std::optional<Value> own_mean = std::nullopt;  // of the whole total
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

// What the policy does in a state at a time, by what was collected until then.
struct ActionRange {
  // As the model counts, in units of time 0; absent: no bound. A reward is at least `from` and less
  // than `to`; a cost is more than `from` and at most `to`.
  std::optional<Rational> from;
  std::optional<Rational> to;
  Choice choice{};
  // Instead, where wealth is no sum: the wealths so far it is for; empty: all others.
  std::vector<std::string> wealths = {};
};

// Ascending, from the least that may have been collected; neighbours differ in their choice. Where
// wealth is no sum, what goes for all others is last. Empty if the policy has no rule for that time
// and state. On a grid the bounds are those of a history without rounding, a step of the grid off at
// most for each step of the episode. Throws Error(refused) for mixtures and adversaries.
std::vector<ActionRange> action_ranges(const Model& model,
                                       const Policy& policy,
                                       State state,
                                       std::uint64_t time);
// The times at which the policy has a rule for a state, ascending; at an infinite horizon, of those that there
// are.
std::vector<std::uint64_t> times_with_rules(const Policy& policy, State state);

// What a policy is like, from episodes that are played.
struct PolicySummary {
  std::uint64_t episodes = 0;
  std::uint64_t seed = 0;
  std::uint64_t steps = 0;  // of all episodes together
  struct OfAction {
    std::string action;
    std::uint64_t taken = 0;  // steps
  };
  std::vector<OfAction> actions;  // the most frequent first
  struct OfState {
    State state{};
    std::uint64_t met = 0;  // steps that begin there
    std::uint64_t differs =
        0;          // of these, those where the expectation-optimal policy does otherwise
    Choice most{};  // what is done most often there
    // Where they differ, what either does most often; absent where they never do.
    std::optional<Choice> own_then = std::nullopt;
    std::optional<Choice> other_then = std::nullopt;
  };
  std::vector<OfState> states;  // those that were met, the most frequent first
  // False where there is no expectation-optimal policy: an adversary, a wealth that is no number.
  bool is_compared = false;
};

// The same episodes as simulate() plays. Throws Error(refused) at a limit.
PolicySummary summarise(const Model& model,
                        const Policy& policy,
                        std::uint64_t episodes,
                        std::uint64_t seed,
                        const Options& options = {});

}  // namespace quantiplan
