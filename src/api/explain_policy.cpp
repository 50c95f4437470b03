// What a policy is like as a whole: ranges of wealth with one action each, and what is done how often.
#include <algorithm>
#include <map>
#include <utility>

#include "base/call.hpp"
#include "policy/counted_sign.hpp"
#include "policy/residual_rules.hpp"
#include "policy/wealth_rules.hpp"
#include "quantiplan/error.hpp"
#include "quantiplan/explain.hpp"
#include "quantiplan/solve.hpp"

namespace quantiplan {
namespace {

const PolicyRule* rule_at(const Policy& policy, State state, std::uint64_t time) {
  const auto at = std::ranges::lower_bound(
      policy.rules, std::pair(time, state), {}, [](const PolicyRule& rule) {
        return std::pair(rule.time, rule.state);
      });
  const bool is_there =
      at != policy.rules.end() && at->time == time && at->state == state && !at->runs.empty();
  return is_there ? &*at : nullptr;
}

Rational nth_power(const Rational& base, std::uint64_t exponent) {
  Rational power = 1;
  mpz_pow_ui(power.get_num_mpz_t(), base.get_num_mpz_t(), exponent);
  mpz_pow_ui(power.get_den_mpz_t(), base.get_den_mpz_t(), exponent);
  return power;
}

// Where there is no mean, there is nothing to compare with.
std::optional<Policy> expectation_policy_of(const Model& model,
                                            const ResolvedSetting& setting,
                                            const Options& options) {
  if (setting.adversarial || setting.structure || !model.wealth().is_numeric()) return std::nullopt;
  Setting same;
  same.horizon = setting.horizon;
  same.discount = setting.discount;
  InitialNames initial;
  for (const auto& [state, probability] : setting.initial)
    initial.drawn.emplace_back(model.state_name(state), probability);
  same.initial = std::move(initial);
  same.goal.emplace();
  for (const State s : setting.goal) same.goal->emplace_back(model.state_name(s));
  same.cost = setting.cost;
  try {
    Policy found = expectation_policy(model, same, options);
    if (found.target || !found.wealths.empty()) return std::nullopt;
    return found;
  } catch (const Error& error) {
    if (error.code() != ErrorCode::refused) throw;
    return std::nullopt;
  }
}

struct Tally {
  std::uint64_t met = 0;
  std::uint64_t differs = 0;
  std::map<Choice, std::uint64_t> own;
  std::map<Choice, std::uint64_t> own_then;
  std::map<Choice, std::uint64_t> other_then;
};

Choice most_frequent(const std::map<Choice, std::uint64_t>& counts) {
  return std::ranges::max_element(counts, {}, [](const auto& entry) { return entry.second; })
      ->first;
}

}  // namespace

namespace {

// One entry for each choice, in the order in which the rule names them.
std::vector<ActionRange> ranges_by_wealth(const Policy& policy, const PolicyRule& rule) {
  std::vector<ActionRange> ranges;
  for (const PolicyRun& run : rule.runs) {
    // What the others do need not be said of some of them.
    if (!run.wealths.empty() && run.choice == rule.runs.back().choice) continue;
    auto same = std::ranges::find(ranges, run.choice, &ActionRange::choice);
    if (same == ranges.end())
      same = ranges.insert(ranges.end(), {std::nullopt, std::nullopt, run.choice});
    for (const std::uint32_t at : run.wealths) same->wealths.push_back(policy.wealths[at]);
  }
  return ranges;
}

}  // namespace

std::vector<ActionRange> action_ranges(const Model& model,
                                       const Policy& policy,
                                       State state,
                                       std::uint64_t time) {
  const auto refuse = [](const char* found) { throw Error(ErrorCode::refused, "explain", found); };
  if (!policy.mixture.empty())
    refuse("found a mixture of policies, expected the one of them that was drawn");
  if (policy.setting.adversarial) refuse("found an adversary's policy, expected one's own");
  const PolicyRule* rule = rule_at(policy, state, rule_time(policy, time));
  if (rule == nullptr) return {};
  if (goes_by_wealth(model, policy)) return ranges_by_wealth(policy, *rule);
  if (!policy.target) return {{std::nullopt, std::nullopt, rule->runs.back().choice}};
  // W = target - gamma^t y: a residual of at most u is a wealth of at least target - gamma^t u.
  const Rational passed = nth_power(policy.setting.discount, time);
  const Rational step = policy.grid ? grid_step(policy, time) : Rational(1);
  const int sign = wealth_sign(policy.setting);
  const auto collected_at = [&](const Rational& upto) {
    return Rational(sign * (*policy.target - passed * step * upto));
  };
  // Descending wealth: the first run is that of the least residual.
  std::vector<ActionRange> ranges;
  std::optional<Rational> bound;  // of the range before, towards less wealth
  for (const PolicyRun& run : rule->runs) {
    const bool goes_on = !ranges.empty() && ranges.back().choice == run.choice;
    const auto next = run.upto ? std::optional(collected_at(*run.upto)) : std::nullopt;
    ActionRange range{sign > 0 ? next : bound, sign > 0 ? bound : next, run.choice};
    if (goes_on) {
      (sign > 0 ? ranges.back().from : ranges.back().to) = next;
    } else {
      ranges.push_back(std::move(range));
    }
    bound = next;
  }
  // Rewards ascend against the residual, costs with it.
  if (sign > 0) std::ranges::reverse(ranges);
  return ranges;
}

std::vector<std::uint64_t> times_with_rules(const Policy& policy, State state) {
  std::vector<std::uint64_t> times;
  for (const PolicyRule& rule : policy.rules) {
    if (rule.state == state && !rule.runs.empty()) times.push_back(rule.time);
  }
  return times;
}

PolicySummary summarise(const Model& model,
                        const Policy& policy,
                        std::uint64_t episodes,
                        std::uint64_t seed,
                        const Options& asked_options) {
  const BegunCall call(asked_options);
  const Options& options = call.options();
  const EpisodeTally played =
      simulate_tally(model, policy, {episodes, seed, KeepEpisodes::steps}, options);
  if (played.episodes < episodes)
    throw Error(ErrorCode::refused,
                "explain",
                "a limit was met before all episodes were played; expected fewer --episodes");
  const auto other = expectation_policy_of(model, policy.setting, options);
  PolicySummary out;
  out.episodes = played.episodes;
  out.seed = seed;
  out.is_compared = other.has_value();
  std::map<State, Tally> states;
  std::map<std::string, std::uint64_t> actions;
  for (const std::vector<Step>& steps : played.steps) {
    for (std::uint64_t t = 0; t < steps.size(); ++t) {
      const Step& step = steps[t];
      Tally& tally = states[step.state];
      ++out.steps;
      ++tally.met;
      ++tally.own[step.choice];
      ++actions[std::string(model.action_name(step.choice))];
      if (!other) continue;
      const PolicyRule* rule = rule_at(*other, step.state, rule_time(*other, t));
      if (rule == nullptr || rule->runs.back().choice == step.choice) continue;
      ++tally.differs;
      ++tally.own_then[step.choice];
      ++tally.other_then[rule->runs.back().choice];
    }
  }
  for (const auto& [name, count] : actions) out.actions.push_back({name, count});
  std::ranges::stable_sort(out.actions, std::greater(), &PolicySummary::OfAction::taken);
  for (const auto& [state, tally] : states) {
    PolicySummary::OfState entry{state, tally.met, tally.differs, most_frequent(tally.own)};
    if (tally.differs > 0) {
      entry.own_then = most_frequent(tally.own_then);
      entry.other_then = most_frequent(tally.other_then);
    }
    out.states.push_back(entry);
  }
  std::ranges::stable_sort(out.states, std::greater(), &PolicySummary::OfState::met);
  return out;
}

}  // namespace quantiplan
