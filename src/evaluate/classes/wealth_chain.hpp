// A stationary policy on pairs (state, wealth): a finite Markov chain, and where its class settles.
//
//     (s, w) --p--> (s', w o r)        decided: every pair that can follow has a wealth of the same
//                                      class
//
// An episode comes to a set of pairs that it never leaves, almost surely after finitely many steps;
// it has a final class if all wealths of that set are of one class. So they are where wealth goes
// one way only: the maximum, the minimum, an automaton whose classes only rise or only fall.
//
// Throws Error(refused) where a set that is never left has several classes, or where there are too
// many pairs; Error(bad_policy) where a rule is missing. Cost: linear in the outcomes met.
#pragma once

#include <cstdint>
#include <vector>

#include "base/limits.hpp"
#include "model/components.hpp"
#include "policy/wealth_rules.hpp"
#include "quantiplan/model.hpp"
#include "quantiplan/structure.hpp"

namespace quantiplan {

// Nodes are numbered as they are met; the first are those of the initial states, in their order.
class WealthChain {
 public:
  WealthChain(const Model& model,
              Structure& structure,
              const InitialStates& initial,
              WealthRules& rules,
              Limits& limits);

  [[nodiscard]] std::size_t nodes() const { return state_.size(); }
  [[nodiscard]] State state(std::uint32_t v) const { return state_[v]; }
  [[nodiscard]] WealthId wealth(std::uint32_t v) const { return wealth_[v]; }
  // Of a state that is not terminal.
  [[nodiscard]] Choice choice(std::uint32_t v) const { return choice_[v]; }
  // Where an outcome of the choice leads, by its place among them.
  [[nodiscard]] std::uint32_t next(std::uint32_t v, std::size_t outcome) const {
    return arcs_.next[arcs_.begin[v] + outcome];
  }
  [[nodiscard]] bool is_decided(std::uint32_t v) const {
    return is_decided_[components_.of_node[v]];
  }
  // Every arc leads to a component with the same or a smaller number.
  [[nodiscard]] const Components& components() const { return components_; }
  // False if the limits ended it: nothing else here counts.
  [[nodiscard]] bool complete() const { return complete_; }

 private:
  void explore(const InitialStates& initial, WealthRules& rules, Limits& limits);
  void decide();
  [[nodiscard]] bool are_equivalent(std::uint32_t a, std::uint32_t b) const {
    return structure_.order(wealth_[a], wealth_[b]) == 0;
  }

  const Model& model_;
  Structure& structure_;
  std::vector<State> state_;
  std::vector<WealthId> wealth_;
  std::vector<Choice> choice_;
  ArcLists arcs_;
  Components components_;
  std::vector<bool> is_decided_;  // by component
  bool complete_ = false;
};

}  // namespace quantiplan
