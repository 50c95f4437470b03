// A stationary policy in integers: the choice at a state, by what has been counted so far.
//
//     y = target - unit k      k: counted so far, in units that every reward is a multiple of
//
//     runs of y       ..upto_0] choice_0    ..upto_1] choice_1    ..    choice_n
//     stretches of k  choice_n  [k_(n-1)..  choice_(n-1)  ..  [k_0..  choice_0
//                     k_i = ceil( (target - upto_i) / unit )
//
// All k between two neighbouring k_i of any state have the same rules: a piece. Where k moves in
// one direction only, it is settled once it has passed the last of them: from then on the policy
// goes by the state alone, as a finite Markov chain.
//
// Needs: the infinite horizon without discount; k and all k_i below 2^62 in size, else
// Error(refused). Rewards of both signs, only where no cycle of the policy has a reward other than
// 0, else Error(refused): the total need not have a limit.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "quantiplan/model.hpp"
#include "quantiplan/policy.hpp"

namespace quantiplan {

class StationaryRules {
 public:
  // How k moves along the policy's episodes.
  enum class Direction { nowhere, up, down, both };

  // Both must outlive it. Throws Error(bad_policy) for rules by residual without a target.
  StationaryRules(const Model& model, const Policy& policy);

  [[nodiscard]] const Model& model() const { return model_; }
  [[nodiscard]] const Policy& policy() const { return policy_; }
  [[nodiscard]] bool has_goal() const { return !policy_.setting.goal.empty(); }
  [[nodiscard]] bool is_goal(State s) const { return is_goal_[index(s)]; }

  // Throws Error(bad_policy) where the policy has no rule.
  [[nodiscard]] Choice choose(State s, std::int64_t k) const;
  // The residual target at k; nullopt if there is none.
  [[nodiscard]] std::optional<Rational> residual(std::int64_t k) const;
  // What an outcome adds to k; of a choice that the policy can make.
  [[nodiscard]] std::int64_t counts(const Outcome& o) const { return counts_[index(o.reward)]; }
  // True if an outcome of the choice has a reward other than 0.
  [[nodiscard]] bool pays(Choice c) const { return pays_[index(c)]; }
  // k + counts(o). Throws Error(refused) beyond 2^62.
  [[nodiscard]] std::int64_t after(std::int64_t k, const Outcome& o) const;

  [[nodiscard]] Direction direction() const { return direction_; }
  // Wealth of one unit of k: what the policy counts may be the negative of wealth.
  [[nodiscard]] const Rational& wealth_unit() const { return wealth_unit_; }
  // The piece that k lies in, from 0.
  [[nodiscard]] std::size_t piece(std::int64_t k) const;
  // Where k moves in both directions, moves that count lead to states of a higher rank; else all
  // states have rank 0.
  [[nodiscard]] std::uint32_t rank(State s) const { return rank_.empty() ? 0 : rank_[index(s)]; }
  // True if the rules will never again depend on k.
  [[nodiscard]] bool is_settled(std::int64_t k) const;

 private:
  void read_rules();
  void find_reachable();
  void find_unit();
  void find_direction();
  void cut_rules();
  [[nodiscard]] bool pays_on_a_cycle();
  [[nodiscard]] std::int64_t threshold(const Rational& upto) const;

  static constexpr std::uint32_t kNoRule = ~std::uint32_t{0};
  const Model& model_;
  const Policy& policy_;
  std::vector<bool> is_goal_;         // by state
  std::vector<std::uint32_t> rule_;   // by state; kNoRule
  std::vector<State> reachable_;      // by any runs of the rules
  std::vector<std::int64_t> counts_;  // by number
  std::vector<bool> pays_;            // by choice
  Rational unit_ = 1;                 // of k
  Rational wealth_unit_ = 1;
  Direction direction_ = Direction::nowhere;
  std::vector<std::uint32_t> rank_;   // by state, where k moves in both directions
  std::vector<std::uint64_t> begin_;  // by rule: its stretches; one more than rules
  std::vector<std::int64_t> from_;    // by stretch, ascending within a rule
  std::vector<Choice> choice_;        // by stretch
  std::vector<std::int64_t> breaks_;  // where some state of the chain changes its choice
};

}  // namespace quantiplan
