// Each next state is asked once, for all that may then be left of the promise.
#include "quantiplan/explain.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <string>
#include <utility>

#include "api/run_parts.hpp"
#include "base/quoted.hpp"
#include "model/shown.hpp"
#include "policy/counted_sign.hpp"
#include "policy/residual_rules.hpp"
#include "policy/wealth_rules.hpp"
#include "quantiplan/error.hpp"
#include "quantiplan/solve.hpp"

namespace quantiplan {
namespace {

[[noreturn]] void refuse_to_explain(ErrorCode code, const std::string& message) {
  throw Error(code, "explain", message);
}

// What is best for the promise from a state on.
struct BestRest {
  Value probability;
  std::optional<Value> mean;  // of the rest, in units of its first time
};

// A sum of probabilities or means with weights; knows what its terms knew.
class WeightedSum {
 public:
  void add(const Rational& weight, const Value& value) {
    nearest_ += weight.get_d() * value.nearest;
    is_exact_ = is_exact_ && value.exact.has_value();
    is_bounded_ =
        is_bounded_ && (value.exact || (value.is == Value::Is::lower_bound && value.most));
    if (is_exact_ || is_bounded_) {
      least_ += weight * value.least();
      greatest_ += weight * value.greatest();
    }
  }
  [[nodiscard]] Value probability() const {
    if (is_exact_) return Value::exactly(least_);
    if (is_bounded_) return Value::between(least_, std::min<Rational>(greatest_, 1));
    Value value;
    value.nearest = std::min(nearest_, 1.0);
    return value;
  }
  // first + factor * sum.
  [[nodiscard]] Value mean(const Rational& first, const Rational& factor) const {
    if (is_exact_) return Value::exactly(Rational(first + factor * least_));
    Value value;
    value.nearest = first.get_d() + factor.get_d() * nearest_;
    return value;
  }

 private:
  double nearest_ = 0;
  bool is_exact_ = true;
  bool is_bounded_ = true;
  Rational least_;
  Rational greatest_;
};

class Explainer {
 public:
  Explainer(const Model& model, const ResolvedSetting& setting, Options options)
      : model_(model), setting_(setting), options_(std::move(options)) {}

  // All that may be left of the promise in each next state: ask for it before it is answered.
  void ask(State next, const Rational& left) { asked_[next].emplace(left, BestRest{}); }
  // With this many steps to go; at an infinite one, kInfiniteHorizon.
  void answer(std::uint64_t steps) {
    for (auto& [state, rests] : asked_) {
      if (steps == 0 || model_.is_terminal(state) || setting_.is_goal(state)) {
        const bool counts = setting_.goal.empty() || setting_.is_goal(state);
        for (auto& [left, rest] : rests)
          rest = {Value::exactly(counts && left <= 0 ? 1 : 0), Value::exactly(0)};
        continue;
      }
      answer(state, steps, rests);
    }
  }
  [[nodiscard]] const BestRest& rest(State next, const Rational& left) const {
    return asked_.at(next).at(left);
  }

 private:
  void answer(State state, std::uint64_t steps, std::map<Rational, BestRest>& rests) const {
    ThresholdQuery query;
    query.setting.horizon = steps;
    query.setting.discount = setting_.discount;
    query.setting.initial = std::string(model_.state_name(state));
    query.setting.cost = setting_.cost;
    query.setting.goal.emplace();
    for (const State s : setting_.goal) query.setting.goal->emplace_back(model_.state_name(s));
    for (const auto& [left, rest] : rests) query.targets.emplace_back(left);
    const ThresholdAnswer found = threshold(model_, query, options_);
    auto result = found.results.begin();
    for (auto& [left, rest] : rests) {
      if (!result->probability)
        refuse_to_explain(ErrorCode::refused, "a limit was met before all actions were compared");
      rest.probability = *result->probability;
      if (result->upper) rest.probability.most = result->upper->nearest;
      if (result->policy && setting_.goal.empty()) rest.mean = mean_of(result->policy());
      ++result;
    }
  }
  // In wealth; nothing where there is none.
  [[nodiscard]] std::optional<Value> mean_of(const Policy& policy) const {
    Value mean = evaluate(model_, policy, options_).mean;
    if (!mean.exact && !std::isfinite(mean.nearest)) return std::nullopt;
    return mean;
  }

  Model model_;
  ResolvedSetting setting_;
  Options options_;
  std::map<State, std::map<Rational, BestRest>> asked_;
};

Rational power_of(const Rational& base, std::uint64_t exponent) {
  Rational power = 1;
  mpz_pow_ui(power.get_num_mpz_t(), base.get_num_mpz_t(), exponent);
  mpz_pow_ui(power.get_den_mpz_t(), base.get_den_mpz_t(), exponent);
  return power;
}

// What the policy does there, if it carries exactly what is left.
Choice taken_by(const Model& model,
                const Policy& policy,
                State state,
                std::uint64_t time,
                const Rational& wealth) {
  const bool is_met = std::ranges::any_of(policy.rules, [&](const PolicyRule& rule) {
    return rule.time == rule_time(policy, time) && rule.state == state && !rule.runs.empty();
  });
  if (!is_met)
    refuse_to_explain(
        ErrorCode::bad_request,
        fmt::format("the policy never comes to state {} at time {}, expected where it "
                    "does",
                    in_quotes(model.state_name(state)),
                    time));
  if (!policy.target) return choose_by_residual(model, policy, time, state, 0);
  Rational left = (*policy.target - wealth) / power_of(policy.setting.discount, time);
  if (policy.grid) left /= grid_step(policy, time);
  return choose_by_residual(model, policy, time, state, left);
}

void require_explicable(const Model& model, const Policy& policy, State state, std::uint64_t time) {
  if (goes_by_wealth(model, policy) || policy.setting.structure)
    refuse_to_explain(ErrorCode::refused,
                      "found a wealth that is no sum, expected sums of rewards; what is done by "
                      "the wealth so far is told without one");
  if (!policy.mixture.empty())
    refuse_to_explain(ErrorCode::refused,
                      "found a mixture of policies, expected the one of them that was drawn");
  if (policy.setting.adversarial)
    refuse_to_explain(ErrorCode::refused, "found an adversary's policy, expected one's own");
  if (time >= policy.setting.horizon || model.is_terminal(state) || policy.setting.is_goal(state)) {
    refuse_to_explain(ErrorCode::bad_request,
                      "found an episode that is over, at time " + std::to_string(time) +
                          " in state " + in_quotes(model.state_name(state)) +
                          ", expected one that goes on");
  }
}

// The rest of the policy as one of its own, which begins there with what it then carries.
Policy rest_of(const Policy& policy, State state, std::uint64_t time, const Rational& carried) {
  Policy rest = policy;
  rest.setting.initial = state;
  rest.target = carried;
  rest.claim.reset();
  const std::uint64_t first = rule_time(policy, time);
  if (!policy.setting.is_infinite()) rest.setting.horizon -= time;
  if (rest.truncated_at) *rest.truncated_at -= first;
  std::erase_if(rest.rules, [&](const PolicyRule& rule) { return rule.time < first; });
  for (PolicyRule& rule : rest.rules) rule.time -= first;
  return rest;
}

// By its own rules from there on, where exact residuals lead it to the end.
void add_own(Explanation& explanation,
             const Model& model,
             const Policy& policy,
             const Rational& wealth,
             const Rational& promised,
             const Options& options) {
  const Rational passed = power_of(policy.setting.discount, explanation.time);
  if (policy.grid || !policy.target) return;
  try {
    const Rational carried = (*policy.target - wealth) / passed;
    const Distribution law =
        evaluate(model, rest_of(policy, explanation.state, explanation.time, carried), options);
    const Value probability = law.at_least(Total(promised));
    if (law.sample || !probability.exact) return;
    explanation.own_probability = probability;
    if (law.mean.exact)
      explanation.own_mean = Value::exactly(
          Rational(wealth_sign(policy.setting) * (wealth + passed * *law.mean.exact)));
  } catch (const Error& error) {
    const bool is_unknown =
        error.code() == ErrorCode::bad_policy || error.code() == ErrorCode::refused;
    if (!is_unknown) throw;
  }
}

}  // namespace

Explanation explain(const Model& model,
                    const Policy& policy,
                    State state,
                    std::uint64_t time,
                    const Rational& collected,
                    const Options& options) {
  require_explicable(model, policy, state, time);
  const auto promise = promised_event(policy);
  if (!promise || !promise->level.is_finite())
    refuse_to_explain(ErrorCode::bad_request,
                      "found a policy without a target, expected one that promises");
  const ResolvedSetting& setting = policy.setting;
  const int sign = wealth_sign(setting);
  const Rational& gamma = setting.discount;
  const Rational passed = power_of(gamma, time);
  const Rational wealth = sign * collected;
  const Rational left = (promise->level.value() - wealth) / passed;
  const auto left_after = [&](const Outcome& o) {
    return Rational((left - sign * model.reward(o)) / gamma);
  };

  Explainer best(model, setting, options);
  for (const Choice c : model.choices(state)) {
    for (const Outcome& o : model.outcomes(c)) best.ask(o.next, left_after(o));
  }
  best.answer(setting.is_infinite() ? kInfiniteHorizon : setting.horizon - time - 1);

  Explanation explanation{time, state, collected, Rational(sign * left), {}};
  const Choice taken = taken_by(model, policy, state, time, wealth);
  for (const Choice c : model.choices(state)) {
    WeightedSum probability;
    WeightedSum mean;
    Rational now;
    bool has_mean = true;
    for (const Outcome& o : model.outcomes(c)) {
      const Rational p = model.probability(o);
      const BestRest& rest = best.rest(o.next, left_after(o));
      probability.add(p, rest.probability);
      now += p * sign * model.reward(o);
      has_mean = has_mean && rest.mean.has_value();
      if (has_mean) mean.add(p, *rest.mean);
    }
    ActionOutlook outlook{c, c == taken, probability.probability()};
    if (has_mean && setting.goal.empty()) {
      outlook.mean =
          mean.mean(Rational(sign * (wealth + passed * now)), Rational(sign * passed * gamma));
    }
    explanation.actions.push_back(std::move(outlook));
  }
  add_own(explanation, model, policy, wealth, left, options);
  return explanation;
}

}  // namespace quantiplan
