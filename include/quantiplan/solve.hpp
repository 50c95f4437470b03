// The entry points: one call each, from a model to an answer.
//
// What a query leaves open the model says. A structure of one's own (structure.hpp) goes where the
// model's wealth would: in the setting of a query, and from there into that of the policies found.
//
// Thread safety: a Model never changes once it is built, and no call keeps state of its own, so any
// number of threads may call all of these with the same Model at the same time. Each call needs
// Options of its own where they have a progress callback. Policies and distributions that are made
// when they are called share their work with others of the same Answer: an Answer serves a thread at
// a time. So does a structure of one's own, which hands out numbers as it is used, with all answers
// that were found by it.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "quantiplan/answer.hpp"
#include "quantiplan/distribution.hpp"
#include "quantiplan/episodes.hpp"
#include "quantiplan/model.hpp"
#include "quantiplan/options.hpp"
#include "quantiplan/policy.hpp"
#include "quantiplan/query.hpp"
#include "quantiplan/structure.hpp"

namespace quantiplan {

// The policies with the greatest tau-quantiles. Throws Error if the request makes no sense or is
// refused; a time limit or a stop gives results with that status and a bracket that holds.
Answer solve(const Model& model, const Query& query, const Options& options = {});

// The whole curve w -> G*(w); query.taus may be empty.
Frontier frontier(const Model& model, const Query& query, const Options& options = {});

// For each target the greatest P(W >= target), with a policy. Throws as solve does.
struct ThresholdQuery {
  std::vector<Total> targets;  // numbers, or minus_infinity: merely to reach the goal
  Setting setting;
  // Where wealth is no sum: classes by their texts, after the targets, which wealth that is a number
  // may have, too. What lies between two classes counts as the better one.
  std::vector<std::string> levels = {};
};
ThresholdAnswer threshold(const Model& model,
                          const ThresholdQuery& query,
                          const Options& options = {});

// The policy that maximises the expected total reward; ties go to the first choice of the model. With
// a goal: the one that reaches it most probably, and then maximises E[W; goal]. Error(refused) where
// neither is defined, or too large.
Policy expectation_policy(const Model& model, const Setting& setting, const Options& options = {});

// The exact distribution of a policy's total reward, by a forward pass. Ends with Error(refused) if
// a limit is met: half a distribution is of no use.
Distribution evaluate(const Model& model, const Policy& policy, const Options& options = {});

// Confirms the policy's claim without any code of the engines.
CheckReport check(const Model& model,
                  const Policy& policy,
                  const PolicyClaim& claim,
                  const Options& options = {});

// Seeded episodes; the same seed gives the same episodes on every platform. Fewer than asked for if
// a limit is met.
std::vector<Episode> simulate(const Model& model,
                              const Policy& policy,
                              const SimulateQuery& query,
                              const Options& options = {});
// The same episodes, counted as they are played: millions need no more memory than the totals that
// differ.
EpisodeTally simulate_tally(const Model& model,
                            const Policy& policy,
                            const SimulateQuery& query,
                            const Options& options = {});

// What a model is like for these engines.
struct ModelInfo {
  ModelFacts facts;  // horizon 0 if none is set
  // Pairs of a choice and a next state: outcomes that differ in their reward alone are one.
  std::size_t transitions = 0;
  struct LabelInfo {
    std::string name;
    std::size_t states = 0;
  };
  std::vector<LabelInfo> labels = {};
  std::size_t terminal_states = 0;
  std::size_t possible_initial = 0;  // where there are several initial states and no probabilities
  std::size_t reachable_states = 0;  // from the initial state, if one is set
  Rational least_reward;
  Rational greatest_reward;
  std::size_t model_bytes = 0;
  // The rest needs a horizon and an initial state.
  bool has_setting = false;
  bool wealth_is_exact = false;  // scaled levels fit 64-bit integers
  Rational wealth_unit;          // every wealth is an integer multiple of it
  Rational least_wealth;         // least and greatest total reward of any episode
  Rational greatest_wealth;
  std::uint64_t estimated_bytes = 0;  // of a dense solve
};
// Of the options it reads the limits: Error(refused) beyond them.
ModelInfo describe(const Model& model, const Setting& setting, const Options& options = {});

std::string_view version();

}  // namespace quantiplan
