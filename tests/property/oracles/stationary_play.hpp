// A policy of infinite horizon, played by the book: the chain it makes of a model, solved exactly.
//
// The policy goes by state and residual, and the residual follows from the wealth so far:
//
//     residual = target - wealth     (an adversary's: target + wealth)
//
// so the chain's nodes are (state, wealth). Beyond the last bound of any rule, and beyond the
// wealth asked about, nothing changes any more: there one node of each state stands for all.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <vector>

#include "oracles/markov_chain.hpp"
#include "oracles/plain_model.hpp"
#include "oracles/unfolding.hpp"
#include "quantiplan/policy.hpp"

namespace quantiplan::testing {

// No discount; one sign, or no cycle.
class StationaryPlay {
 public:
  StationaryPlay(const PlainModel& plain, const Model& model, const Policy& policy);

  // P(W >= wealth) under the policy. Throws std::runtime_error where a rule is missing or repeated,
  // or where a Run says otherwise than the book.
  [[nodiscard]] Rational at_least(const Total& wealth) const;

 private:
  struct Played {
    Chain chain;
    std::vector<std::size_t> states;  // of the nodes
    std::vector<Rational> wealths;    // of the nodes, or of all beyond
    std::vector<bool> gains;          // a node with some reward to come next
  };
  [[nodiscard]] Played play(const std::optional<Rational>& asked) const;
  [[nodiscard]] std::size_t choice_at(std::size_t state, const Rational& residual) const;
  [[nodiscard]] Rational residual_at(const Rational& wealth) const;

  const PlainModel& plain_;
  const Model& model_;
  const Policy& policy_;
  Shape shape_;
};

}  // namespace quantiplan::testing
