// A policy on a grid, ready to be run: rules and rewards as 64-bit integers.
//
//     i_{t+1} = ( i_t - key_t(r) ) * 2^d_t     key_t(r) = floor(+-gamma^t r / H_t),  d_t halvings
//                                              at t + 1; the sign as the policy counts
//
// The keys are exact, and computed once for each time and reward that a rule can meet, with p^t and
// q^t (gamma = p/q) growing by one factor a time. An index that leaves [-2^62, 2^62] is set to the
// end it left by: with K_t the largest key in size at time t, an index moves towards 0 by at most
// sum_t K_t in all, so one that has been cut stays beyond every `upto`, as the true one does.
//
// Needs: sum_t K_t + |i_0| + the largest `upto` below 2^62; else there is no IndexPolicy, and
// next_residual (residual_rules.hpp), which needs nothing and is slow, must do. A policy of the
// infinite horizon must not go by the index once its last rules hold. Gives: the choices of that
// policy. Cost: a step is two binary searches.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "quantiplan/model.hpp"
#include "quantiplan/policy.hpp"

namespace quantiplan {

class IndexPolicy {
 public:
  // Nullopt if the policy has no grid, or if its indices might not fit. The policy must outlive it.
  static std::optional<IndexPolicy> make(const Model& model, const Policy& policy);

  // Where an episode stands.
  struct Place {
    std::int64_t index = 0;
    std::size_t layer = 0;  // of the choice made last
  };
  [[nodiscard]] Place first() const { return {first_, 0}; }
  // Throws Error(bad_policy) where the policy has no rule.
  [[nodiscard]] Choice choose(std::uint64_t time, State state, Place& place) const;
  // A reward of the choice made last.
  void collect(NumberId reward, Place& place) const;

 private:
  // What the rules of one time share.
  struct Layer {
    std::uint64_t time = 0;
    std::size_t first_rule = 0;
    unsigned long halvings = 0;     // from this time to the next
    std::vector<NumberId> rewards;  // ascending
    std::vector<std::int64_t> keys;
  };
  IndexPolicy(const Model& model, const Policy& policy) : model_(&model), policy_(&policy) {}
  [[nodiscard]] bool read_rules();
  [[nodiscard]] bool compute_keys();
  // The layer of a time, likely the one after `last`; layers_.size() if no rule is for it.
  [[nodiscard]] std::size_t find_layer(std::uint64_t time, std::size_t last) const;

  const Model* model_;
  const Policy* policy_;
  std::int64_t first_ = 0;
  std::vector<std::size_t> runs_begin_;  // by rule; one more than rules
  std::vector<std::int64_t> upto_;       // by run; the last of a rule takes the rest
  std::vector<Layer> layers_;
};

}  // namespace quantiplan
