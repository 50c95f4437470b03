#include "check/classes/wealth_rule_book.hpp"

#include <algorithm>
#include <functional>
#include <set>

#include "check/common/counted_claim.hpp"

namespace quantiplan::checking {
namespace {

std::string wrong_setting(const Model& model, const Policy& policy) {
  const ResolvedSetting& setting = policy.setting;
  for (const State s : setting.initial.states())
    if (index(s) >= model.state_count())
      return "The policy starts in a state the model does not have.";
  if (!setting.goal.empty()) return "The policy has a goal, which only sums can have.";
  if (setting.cost) return "The policy counts costs, which only sums can be.";
  if (setting.adversarial) return "The policy is an adversary's, which only sums can have.";
  if (setting.discount != 1)
    return "The policy's discount is " + to_text(setting.discount) + ", only sums can have one.";
  if (policy.target || policy.grid || policy.truncated_at)
    return "The policy goes by a residual target, it must go by wealth.";
  const auto& texts = policy.wealths;
  if (std::adjacent_find(texts.begin(), texts.end(), std::greater_equal<>()) != texts.end())
    return "The wealths of the policy are out of order or there twice.";
  return {};
}

// The wealths named so far are in `named`.
std::string wrong_run(const Model& model,
                      const Policy& policy,
                      const PolicyRule& rule,
                      std::size_t i,
                      std::set<std::uint32_t>& named) {
  const PolicyRun& run = rule.runs[i];
  const std::string place = "At " + describe_place(model, policy, rule.time, rule.state);
  if (run.upto) return place + " a run has a threshold, it must list wealths.";
  const bool last = i + 1 == rule.runs.size();
  if (last && !run.wealths.empty())
    return place + " the last run lists wealths, it must take the rest.";
  if (!last && run.wealths.empty()) return place + " a run without wealths stands before the last.";
  if (!std::is_sorted(run.wealths.begin(), run.wealths.end()))
    return place + " the wealths of a run are out of order.";
  for (const std::uint32_t wealth : run.wealths) {
    if (wealth >= policy.wealths.size())
      return place + " a run names a wealth the policy does not list.";
    if (!named.insert(wealth).second)
      return place + " wealth '" + policy.wealths[wealth] + "' is there twice.";
  }
  return {};
}

}  // namespace

std::vector<std::string> malformed_by_wealth(const Model& model, const Policy& policy) {
  if (std::string wrong = wrong_setting(model, policy); !wrong.empty()) return {std::move(wrong)};
  std::set<std::uint32_t> named;
  return wrong_rules(model, policy, [&](const PolicyRule& rule, std::size_t i) {
    if (i == 0) named.clear();
    return wrong_run(model, policy, rule, i, named);
  });
}

std::string wrong_wealth_claim(const Policy& policy, const PolicyClaim& claim, bool is_number) {
  if (!claim.level) return "The claim names no class of final wealths.";
  if (!is_number && (claim.mean || claim.mean_bound))
    return "The claim speaks of a mean, which only numbers can have.";
  if (std::string wrong = wrong_means(policy, claim); !wrong.empty()) return wrong;
  if (std::string wrong = wrong_probability(claim); !wrong.empty()) return wrong;
  return claim.kind == PolicyClaim::Kind::threshold ? wrong_threshold(claim) : wrong_tau(claim);
}

WealthRuleBook::WealthRuleBook(const Structure& structure, const Policy& policy)
    : structure_(structure), rules_(policy) {
  for (std::uint32_t i = 0; i < policy.wealths.size(); ++i) by_text_.emplace(policy.wealths[i], i);
}

std::optional<std::uint32_t> WealthRuleBook::position(WealthId wealth) {
  const auto [known, is_new] =
      by_wealth_.try_emplace(static_cast<std::uint32_t>(index(wealth)), std::nullopt);
  if (is_new) {
    const auto named = by_text_.find(structure_.text(wealth));
    if (named != by_text_.end()) known->second = named->second;
  }
  return known->second;
}

std::optional<Choice> WealthRuleBook::decide(std::uint64_t time, State state, WealthId wealth) {
  const PolicyRule* rule = rules_.find(time, state);
  if (rule == nullptr) return std::nullopt;
  if (rule->runs.size() > 1) {
    if (const auto named = position(wealth)) {
      for (const PolicyRun& run : rule->runs)
        if (std::binary_search(run.wealths.begin(), run.wealths.end(), *named)) return run.choice;
    }
  }
  return rule->runs.back().choice;
}

}  // namespace quantiplan::checking
