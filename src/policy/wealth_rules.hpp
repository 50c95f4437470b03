// The rules of a policy that goes by the wealth so far, looked up by (time, state, wealth).
//
// A policy names wealths by their texts, a structure numbers them: each is looked up once, when it
// is first met.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "quantiplan/model.hpp"
#include "quantiplan/policy.hpp"
#include "quantiplan/structure.hpp"

namespace quantiplan {

// Whether a policy is followed by wealth, and not by sums of rewards alone.
bool goes_by_wealth(const Model& model, const Policy& policy);

class WealthRules {
 public:
  // All must outlive it. Throws Error(bad_policy) if a rule makes no sense, or if the policy is one
  // of sums: by residuals, with a goal, a discount, costs or an adversary.
  WealthRules(const Model& model, const Structure& structure, const Policy& policy);

  // Throws Error(bad_policy) where the policy has no rule. At the infinite horizon time does not
  // matter.
  [[nodiscard]] Choice choose(std::uint64_t time, State state, WealthId wealth);

 private:
  struct Named {
    std::uint32_t text;  // position in Policy::wealths
    Choice choice;
  };
  void read(const PolicyRule& rule);
  [[nodiscard]] std::uint32_t text_of(WealthId wealth);
  [[nodiscard]] std::string where(std::uint64_t time, State state) const;

  const Model& model_;
  const Structure& structure_;
  const Policy& policy_;
  std::vector<Named> named_;                 // by rule, ascending within each
  std::vector<std::uint64_t> begin_{0};      // by rule, one entry more
  std::vector<std::optional<Choice>> rest_;  // by rule: every other wealth
  std::vector<std::uint32_t> text_;          // by wealth
};

}  // namespace quantiplan
