// A policy that goes by wealth, as the checker reads it: well formed, and searchable by (time,
// state, wealth so far).
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "check/common/rule_book.hpp"
#include "quantiplan/model.hpp"
#include "quantiplan/policy.hpp"
#include "quantiplan/structure.hpp"

namespace quantiplan::checking {

// What is wrong with the policy by itself: its setting, its list of wealths, and rules that are out
// of order, without runs, with wealths named twice, or with actions their state does not have. At
// most ten sentences.
std::vector<std::string> malformed_by_wealth(const Model& model, const Policy& policy);
// What makes no sense in a claim by itself; empty if nothing.
std::string wrong_wealth_claim(const Policy& policy, const PolicyClaim& claim, bool is_number);

// Needs a policy that is not malformed.
class WealthRuleBook {
 public:
  WealthRuleBook(const Structure& structure, const Policy& policy);

  // Nullopt if there is no rule that holds at this time and state.
  [[nodiscard]] std::optional<Choice> decide(std::uint64_t time, State state, WealthId wealth);

 private:
  [[nodiscard]] std::optional<std::uint32_t> position(WealthId wealth);

  const Structure& structure_;
  RuleBook rules_;
  std::unordered_map<std::string, std::uint32_t> by_text_;
  std::unordered_map<std::uint32_t, std::optional<std::uint32_t>> by_wealth_;
};

}  // namespace quantiplan::checking
