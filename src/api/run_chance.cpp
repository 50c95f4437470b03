// The chance of keeping a promise, from the middle of an episode: the rest of the policy is a policy
// of the steps that are left, from the state reached, for what is left of the target.
//
//     T' = T - t     s_0' = s_t     rules of time t + u at time u     H_u' = H_{t+u} / gamma^t
//
// So its distribution, which evaluate() computes, is that of the wealth still to come.
#include <algorithm>
#include <utility>

#include "api/run_parts.hpp"
#include "evaluate/classes/wealth_distribution.hpp"
#include "policy/residual_rules.hpp"
#include "quantiplan/solve.hpp"

namespace quantiplan {
namespace {

Policy rest_of(const Policy& policy, const Follower& follower, std::uint64_t time, State state) {
  Policy rest;
  rest.setting = policy.setting;
  rest.setting.initial = state;
  if (!policy.setting.is_infinite()) rest.setting.horizon -= time;
  rest.wealths = policy.wealths;
  // Once the last rules hold, they do at all times: a policy that was not cut off.
  const std::uint64_t from = rule_time(policy, time);
  if (policy.truncated_at && from < *policy.truncated_at)
    rest.truncated_at = *policy.truncated_at - from;
  for (const PolicyRule& rule : policy.rules) {
    if (rule.time >= from) rest.rules.push_back({rule.time - from, rule.state, rule.runs});
  }
  rest.target = follower.residual(time);
  if (policy.grid && rest.target) {
    rest.grid = PolicyGrid{grid_step(policy, time), {}};
    for (const std::uint64_t at : policy.grid->halved_at) {
      if (at > time) rest.grid->halved_at.push_back(at - time);
    }
    *rest.target *= rest.grid->unit;
  }
  return rest;
}

// P(W > w), as at_least_bracket has it for W >= w: that of the least total beyond w which any mass
// may have.
ProbabilityBracket more_than(const Distribution& d, const Total& w) {
  std::optional<Total> beyond;
  const auto look_at = [&](const Total& from, const Total& to) {
    const Total most = to.is_finite() ? Total(Rational(to.value() + d.slack)) : to;
    for (const Total& total : {from, most}) {
      if (total > w && (!beyond || total < *beyond)) beyond = total;
    }
  };
  for (const Atom& atom : d.atoms) look_at(atom.wealth, atom.wealth);
  if (d.rest) look_at(d.rest->from, d.rest->to);
  if (!beyond) return {0, 0};
  return d.at_least_bracket(*beyond);
}

std::optional<Value> chance_in(const Distribution& d, const PromisedEvent& promise) {
  if (d.sample) return std::nullopt;
  if (!promise.is_at_most) return d.at_least(promise.level);
  const ProbabilityBracket more = more_than(d, promise.level);
  return Value::between(Rational(1 - more.upper), Rational(1 - more.lower));
}

// The same wealths and classes, for histories that begin with one of them.
class FromWealth final : public Structure {
 public:
  FromWealth(std::shared_ptr<Structure> whole, WealthId wealth)
      : whole_(std::move(whole)), wealth_(wealth) {}
  WealthId initial() override { return wealth_; }
  WealthId update(WealthId wealth, NumberId reward) override {
    return whole_->update(wealth, reward);
  }
  [[nodiscard]] std::weak_ordering order(WealthId a, WealthId b) const override {
    return whole_->order(a, b);
  }
  [[nodiscard]] std::string text(WealthId wealth) const override { return whole_->text(wealth); }
  [[nodiscard]] std::string class_text(WealthId wealth) const override {
    return whole_->class_text(wealth);
  }
  [[nodiscard]] std::optional<Total> number(WealthId wealth) const override {
    return whole_->number(wealth);
  }
  [[nodiscard]] std::size_t declared_classes() const override { return whole_->declared_classes(); }
  [[nodiscard]] std::size_t declared_rank(WealthId wealth) const override {
    return whole_->declared_rank(wealth);
  }
  // The wealth that it begins with need not commute with what follows.
  [[nodiscard]] bool has_residuals() const override { return false; }
  [[nodiscard]] std::size_t size() const override { return whole_->size(); }
  [[nodiscard]] std::uint64_t bytes() const override { return whole_->bytes(); }

 private:
  std::shared_ptr<Structure> whole_;
  WealthId wealth_;
};

// A wealth of the class that has this text, among those of a distribution.
std::optional<WealthId> wealth_of_class(const Distribution& d, const std::string& text) {
  for (std::size_t position = 1; position <= d.classes->size(); ++position) {
    if (d.classes->text(position) == text) return (*d.classes)[position];
  }
  return std::nullopt;
}

// P(class of the final wealth >= level).
Value chance_of_class(const Distribution& d, const Structure& structure, WealthId level) {
  for (std::size_t position = 1; position <= d.classes->size(); ++position) {
    if (structure.order((*d.classes)[position], level) >= 0)
      return d.at_least({d.classes, position});
  }
  return Value::exactly(0);
}

}  // namespace

std::optional<Value> Run::chance(const Options& options) const {
  const Parts& p = *parts_;
  const Policy& policy = p.ground->policy;
  if (p.ground->structure) {
    if (!policy.claim || !policy.claim->level) return std::nullopt;
    const auto& structure = p.ground->structure;
    const auto from = std::make_shared<FromWealth>(structure, *p.follower->wealth());
    Policy rest = rest_of(policy, *p.follower, p.time, p.state);
    const Distribution d = evaluate_wealth(p.ground->model, from, rest, options);
    auto level = wealth_of_class(d, *policy.claim->level);
    // Out of reach by now, or surpassed: which, its order tells.
    if (!level)
      level = wealth_of_class(evaluate_wealth(p.ground->model, structure, policy, options),
                              *policy.claim->level);
    if (!level) return std::nullopt;
    return chance_of_class(d, *structure, *level);
  }
  if (!p.promise) return std::nullopt;
  if (is_over()) {
    const bool counts = policy.setting.goal.empty() || policy.setting.is_goal(p.state);
    const Total last = counts ? Total(0) : Total::miss();
    const bool is_kept =
        p.promise->is_at_most ? last <= p.promise->level : last >= p.promise->level;
    return Value::exactly(is_kept ? 1 : 0);
  }
  const Policy rest = rest_of(policy, *p.follower, p.time, p.state);
  return chance_in(evaluate(p.ground->model, rest, options), *p.promise);
}

}  // namespace quantiplan
