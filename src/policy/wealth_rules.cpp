#include "policy/wealth_rules.hpp"

#include <algorithm>
#include <utility>

#include "base/quoted.hpp"
#include "quantiplan/error.hpp"

namespace quantiplan {
namespace {

// Marks of wealths that have no position.
constexpr std::uint32_t kNotLookedUp = ~std::uint32_t{0};
constexpr std::uint32_t kNotNamed = kNotLookedUp - 1;

[[noreturn]] void refuse(std::string message) {
  throw Error(ErrorCode::bad_policy, "", std::move(message));
}

}  // namespace

bool goes_by_wealth(const Model& model, const Policy& policy) {
  return !model.wealth().is_sum() || !policy.wealths.empty() ||
         (policy.claim && policy.claim->level);
}

WealthRules::WealthRules(const Model& model, const Structure& structure, const Policy& policy)
    : model_(model), structure_(structure), policy_(policy) {
  if (!policy.setting.is_plain() || policy.setting.discount != 1)
    refuse("found a goal, costs, a discount or an adversary, which only sums of rewards have");
  if (policy.target || policy.grid || policy.truncated_at)
    refuse("found a policy that goes by residual targets, expected one that goes by wealth");
  for (const PolicyRule& rule : policy.rules) read(rule);
}

void WealthRules::read(const PolicyRule& rule) {
  const auto first = static_cast<std::ptrdiff_t>(named_.size());
  rest_.emplace_back();
  for (const PolicyRun& run : rule.runs) {
    if (run.upto) refuse(where(rule.time, rule.state) + ": found 'upto', expected wealths");
    if (rest_.back())
      refuse(where(rule.time, rule.state) + ": a run without wealths stands before the last");
    if (run.wealths.empty()) rest_.back() = run.choice;
    for (const std::uint32_t text : run.wealths) {
      if (text >= policy_.wealths.size())
        refuse(where(rule.time, rule.state) + ": a run names a wealth that is not listed");
      named_.push_back({text, run.choice});
    }
  }
  std::sort(named_.begin() + first, named_.end(), [](const Named& a, const Named& b) {
    return a.text < b.text;
  });
  const auto twice =
      std::adjacent_find(named_.begin() + first, named_.end(), [](const Named& a, const Named& b) {
        return a.text == b.text;
      });
  if (twice != named_.end())
    refuse(where(rule.time, rule.state) + ": wealth " + in_quotes(policy_.wealths[twice->text]) +
           " is there twice");
  begin_.push_back(named_.size());
}

std::string WealthRules::where(std::uint64_t time, State state) const {
  const std::string place = "state " + in_quotes(model_.state_name(state));
  return policy_.setting.is_infinite() ? place : "time " + std::to_string(time) + ", " + place;
}

std::uint32_t WealthRules::text_of(WealthId wealth) {
  if (policy_.wealths.empty()) return kNotNamed;
  if (index(wealth) >= text_.size())
    text_.resize(std::max(index(wealth) + 1, structure_.size()), kNotLookedUp);
  std::uint32_t& position = text_[index(wealth)];
  if (position == kNotLookedUp) {
    const std::string text = structure_.text(wealth);
    const auto found = std::ranges::lower_bound(policy_.wealths, text);
    const bool is_named = found != policy_.wealths.end() && *found == text;
    position = is_named ? static_cast<std::uint32_t>(found - policy_.wealths.begin()) : kNotNamed;
  }
  return position;
}

Choice WealthRules::choose(std::uint64_t time, State state, WealthId wealth) {
  if (policy_.setting.is_infinite()) time = 0;
  const auto rule = std::lower_bound(
      policy_.rules.begin(),
      policy_.rules.end(),
      std::pair(time, state),
      [](const PolicyRule& r, const auto& key) { return std::pair(r.time, r.state) < key; });
  if (rule == policy_.rules.end() || rule->time != time || rule->state != state)
    refuse(where(time, state) + ": no rule, the policy must have one");
  const auto i = static_cast<std::size_t>(rule - policy_.rules.begin());
  const std::uint32_t text = text_of(wealth);
  if (text != kNotNamed) {
    const auto end = named_.begin() + static_cast<std::ptrdiff_t>(begin_[i + 1]);
    const auto found = std::lower_bound(
        named_.begin() + static_cast<std::ptrdiff_t>(begin_[i]),
        end,
        text,
        [](const Named& entry, std::uint32_t wanted) { return entry.text < wanted; });
    if (found != end && found->text == text) return found->choice;
  }
  if (!rest_[i])
    refuse(where(time, state) + ", wealth " + in_quotes(structure_.text(wealth)) +
           ": no rule, the policy must have one");
  return *rest_[i];
}

}  // namespace quantiplan
