// Costs on the way to a goal at the infinite horizon without discount: their mean, and what exceeds a budget b.
//
//     v(s, b) = 0 at a goal,   else sum of p ( max(0, c - b) + v(s', b - c) ),   b = 0 once it is spent; b = 0 from the start:
//                                                                                all costs
//     of all policies    the least over choices that still arrive almost surely: budgets from 0 on
//     of one policy      by its rules, which go by the cost so far
//
// In whole units of cost, and in rationals. A miss costs more than any number.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "check/common/check_limits.hpp"
#include "check/common/wealth_ledger.hpp"
#include "check/infinite/cost_graph.hpp"
#include "quantiplan/policy.hpp"

namespace quantiplan::checking {

class ArrivalCosts {
 public:
  ArrivalCosts(const Model& model, const ResolvedSetting& setting, CheckLimits& limits);

  // Costs have a small common unit, and none of them is a gain.
  [[nodiscard]] bool are_counted() const { return ledger_ && !gains_; }
  [[nodiscard]] Rational unit() const { return ledger_->unit(); }
  // Some policy reaches the goal almost surely from every initial state.
  [[nodiscard]] bool can_arrive() const;
  // Least E (C - b)^+ for b = 0, .., most, each for itself. Needs can_arrive. Nullopt if it takes too much.
  std::optional<std::vector<Rational>> least_excesses(std::uint64_t most, Effort& effort) const;

 private:
  void find_arrivals();
  [[nodiscard]] bool keeps_arriving(Choice c) const;

  const Model& model_;
  const ResolvedSetting& setting_;
  CheckLimits& limits_;
  std::optional<IntegerLedger> ledger_;
  bool gains_ = false;
  std::vector<char> arrives_;  // by state
};

// The costs of one policy.
class PolicyCosts {
 public:
  PolicyCosts(const Model& model, const Policy& policy, CheckLimits& limits);

  // Follows the policy as far as costs up to `most` make a difference. False if there are too many places; `fault` says
  // what is wrong with it, if something is: no rule, or a goal that may be missed.
  bool follow(std::uint64_t most, std::string& fault);
  // E (C - b)^+ for this b up to that. Nullopt if it takes too much.
  std::optional<Rational> excess(std::uint64_t budget, Effort& effort) const;

 private:
  const Model& model_;
  const Policy& policy_;
  CheckLimits& limits_;
  IntegerLedger ledger_;
  struct Step {
    std::uint32_t to = 0;
    NumberId probability{};
    std::int64_t cost = 0;
  };
  struct Node {
    std::int64_t cost_so_far = 0;  // or kAbove: more than makes a difference
    bool is_end = false;
    std::vector<Step> steps;
  };
  std::vector<Node> nodes_;  // those of the initial states first
};

}  // namespace quantiplan::checking
