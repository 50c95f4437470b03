#include "reduce/reduced_model.hpp"

#include <algorithm>
#include <map>
#include <memory>
#include <string>
#include <utility>

#include "numbers/name_source.hpp"

namespace quantiplan {
namespace {

// Follows a policy of the smaller model on the model, time by time.
class Lifting {
 public:
  Lifting(const Model& model,
          const ResolvedSetting& setting,
          const ReducedModel& reduced,
          const Policy& policy,
          const Limits& limits)
      : model_(model),
        setting_(setting),
        reduced_(reduced),
        policy_(policy),
        limits_(limits),
        rule_of_(reduced.model.state_count(), nullptr),
        met_at_(model.state_count(), kNever) {}

  std::vector<PolicyRule> rules() {
    std::vector<State> now;
    for (const State s : setting_.initial.states()) meet(s, 0, now);
    std::vector<PolicyRule> out;
    auto next_rule = policy_.rules.begin();
    for (std::uint64_t t = 0; t < setting_.horizon && !now.empty(); ++t) {
      const auto first = next_rule;
      for (; next_rule != policy_.rules.end() && next_rule->time == t; ++next_rule)
        rule_of_[index(next_rule->state)] = &*next_rule;
      const bool is_for_good = setting_.is_infinite() && t == policy_.truncated_at.value_or(0);
      std::vector<State> later;
      const std::size_t begin = out.size();
      for (std::size_t i = 0; i < now.size(); ++i) {
        look(i);
        if (auto rule = rule_at(t, now[i])) {
          // Rules that hold for good lead to states that they hold in.
          for (const PolicyRun& run : rule->runs) {
            for (const Outcome& o : model_.outcomes(run.choice))
              meet(o.next, is_for_good ? t : t + 1, is_for_good ? now : later);
          }
          out.push_back(*std::move(rule));
        }
      }
      std::sort(out.begin() + static_cast<std::ptrdiff_t>(begin),
                out.end(),
                [](const PolicyRule& a, const PolicyRule& b) { return a.state < b.state; });
      for (auto rule = first; rule != next_rule; ++rule) rule_of_[index(rule->state)] = nullptr;
      now = std::move(later);
    }
    return out;
  }

 private:
  static constexpr std::uint64_t kNever = ~std::uint64_t{0};
  static constexpr std::uint64_t kStatesPerLook = 4096;

  void look(std::size_t i) const {
    if (i % kStatesPerLook == 0 && limits_.ended()) refuse_unfinished("policy");
  }

  void meet(State s, std::uint64_t t, std::vector<State>& into) {
    if (met_at_[index(s)] == t) return;
    met_at_[index(s)] = t;
    if (!model_.is_terminal(s) && !setting_.is_goal(s)) into.push_back(s);
  }

  // Nullopt where the policy never is.
  [[nodiscard]] std::optional<PolicyRule> rule_at(std::uint64_t t, State s) const {
    const std::uint32_t standing = reduced_.state_of[index(s)];
    PolicyRule out{t, s, {}};
    if (standing == ReducedModel::kNone || reduced_.model.is_terminal(State{standing})) {
      out.runs = {{std::nullopt, model_.choices(s).front()}};
      return out;
    }
    const PolicyRule* rule = rule_of_[standing];
    if (rule == nullptr) return std::nullopt;
    out.runs = rule->runs;
    for (PolicyRun& run : out.runs) {
      for (const Choice c : model_.choices(s)) {
        if (reduced_.choice_of[index(c)] != index(run.choice)) continue;
        run.choice = c;
        break;
      }
    }
    return out;
  }

  const Model& model_;
  const ResolvedSetting& setting_;
  const ReducedModel& reduced_;
  const Policy& policy_;
  const Limits& limits_;
  std::vector<const PolicyRule*> rule_of_;  // of the time at hand, by state of the smaller model
  std::vector<std::uint64_t> met_at_;       // by state: when it was met last
};

// Names of some states of a model, in its order, made where it makes them.
class StateNames final : public NameSource {
 public:
  StateNames(Model model, std::vector<State> states)
      : model_(std::move(model)), states_(std::move(states)) {}

  [[nodiscard]] std::uint32_t size() const noexcept override {
    return static_cast<std::uint32_t>(states_.size());
  }
  [[nodiscard]] std::string name(std::uint32_t i) const override {
    return std::string(model_.state_name(states_[i]));
  }
  [[nodiscard]] std::optional<std::uint32_t> find(std::string_view name) const override {
    const auto state = model_.find_state(name);
    const auto at = state ? std::ranges::lower_bound(states_, *state) : states_.end();
    if (at == states_.end() || *at != *state) return std::nullopt;
    return static_cast<std::uint32_t>(at - states_.begin());
  }
  [[nodiscard]] std::uint64_t bytes() const noexcept override {
    return states_.capacity() * sizeof(State);
  }

 private:
  Model model_;
  std::vector<State> states_;
};

bool same_runs(const std::vector<PolicyRun>& a, const std::vector<PolicyRun>& b) {
  return std::equal(
      a.begin(), a.end(), b.begin(), b.end(), [](const PolicyRun& x, const PolicyRun& y) {
        return x.upto == y.upto && x.choice == y.choice && x.wealths == y.wealths;
      });
}

}  // namespace

void begin_smaller(ModelBuilder& builder, const Model& model, std::vector<State> states) {
  builder.tolerance(0);
  builder.name(model.name());
  builder.wealth(model.wealth());
  const std::size_t count = states.size();
  builder.declare_states_of(std::make_shared<StateNames>(model, std::move(states)));
  for (std::size_t i = 0; i < count; ++i) builder.declare_next_state();
}

ResolvedSetting reduced_setting(const ResolvedSetting& setting,
                                const std::vector<std::uint32_t>& state_of) {
  ResolvedSetting out = setting;
  std::map<std::uint32_t, Rational> drawn;
  for (const auto& [state, mu] : setting.initial) drawn[state_of[index(state)]] += mu;
  std::vector<InitialStates::Drawn> initial;
  initial.reserve(drawn.size());
  for (const auto& [state, mu] : drawn) initial.push_back({State{state}, mu});
  out.initial = InitialStates(std::move(initial));
  out.goal.clear();
  for (const State s : setting.goal) {
    if (state_of[index(s)] != ReducedModel::kNone) out.goal.push_back(State{state_of[index(s)]});
  }
  std::ranges::sort(out.goal);
  out.goal.erase(std::unique(out.goal.begin(), out.goal.end()), out.goal.end());
  return out;
}

Policy lifted(const Model& model,
              const ResolvedSetting& setting,
              const ReducedModel& reduced,
              const Policy& policy,
              const Limits& limits) {
  Policy out = policy;
  // Problems of infinite horizon whose episodes all end have policies of so many steps.
  out.setting = setting;
  out.setting.horizon = policy.setting.horizon;
  out.rules = Lifting(model, out.setting, reduced, policy, limits).rules();
  for (MixturePart& part : out.mixture)
    part.policy = lifted(model, setting, reduced, part.policy, limits);
  return out;
}

std::optional<Policy> lowered(const ReducedModel& reduced, const Policy& policy) {
  Policy out = policy;
  out.setting = reduced.setting;
  out.setting.horizon = policy.setting.horizon;
  out.mixture.clear();
  for (const MixturePart& part : policy.mixture) {
    auto own = lowered(reduced, part.policy);
    if (!own) return std::nullopt;
    out.mixture.push_back({part.weight, *std::move(own)});
  }
  out.rules.clear();
  for (PolicyRule rule : policy.rules) {
    const std::uint32_t standing = reduced.state_of[index(rule.state)];
    if (standing == ReducedModel::kNone || reduced.model.is_terminal(State{standing})) continue;
    rule.state = State{standing};
    for (PolicyRun& run : rule.runs) {
      if (reduced.choice_of[index(run.choice)] == ReducedModel::kNone) return std::nullopt;
      run.choice = Choice{reduced.choice_of[index(run.choice)]};
    }
    out.rules.push_back(std::move(rule));
  }
  std::ranges::stable_sort(out.rules, [](const PolicyRule& a, const PolicyRule& b) {
    return a.time != b.time ? a.time < b.time : a.state < b.state;
  });
  std::size_t kept = 0;
  for (std::size_t i = 1; i < out.rules.size(); ++i) {
    if (out.rules[i].time != out.rules[kept].time || out.rules[i].state != out.rules[kept].state) {
      if (++kept != i) out.rules[kept] = std::move(out.rules[i]);
    } else if (!same_runs(out.rules[i].runs, out.rules[kept].runs)) {
      return std::nullopt;
    }
  }
  if (!out.rules.empty()) out.rules.resize(kept + 1);
  return out;
}

}  // namespace quantiplan
