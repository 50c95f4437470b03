// The product of a model with what one policy remembers, explored from the initial state.
//
//     (t, s, y) --p, r--> (t + 1, s', y')        y' as the policy counts (residual_rules.hpp)
//
// At an infinite horizon t is left out, and residuals beyond all that a rule asks for are one: there
// rewards of one sign never lead back.
#include <algorithm>
#include <map>
#include <tuple>

#include "base/work_watch.hpp"
#include "policy/counted_sign.hpp"
#include "policy/residual_rules.hpp"
#include "policy/sums_alone.hpp"
#include "quantiplan/error.hpp"
#include "quantiplan/model_checkers.hpp"

namespace quantiplan {
namespace {

class ChainMaker {
 public:
  ChainMaker(const Model& model, const Policy& policy, const Options& options)
      : model_(model),
        policy_(policy),
        setting_(policy.setting),
        watch_({"the chain", "making the chain of the policy", "made"}, options) {
    builder_.watched_by(&watch_);
    for (std::uint32_t s = 0; s < model.state_count(); ++s) {
      for (const Choice c : model.choices(State{s})) {
        for (const Outcome& o : model.outcomes(c)) {
          const int sign = counted_sign(setting_) * sgn(model.reward(o));
          gains_ = gains_ || sign > 0;
          losses_ = losses_ || sign < 0;
        }
      }
    }
    for (const PolicyRule& rule : policy.rules) {
      for (const PolicyRun& run : rule.runs) {
        if (!run.upto) continue;
        least_ = std::min(least_, *run.upto);
        most_ = std::max(most_, *run.upto);
      }
    }
    if (setting_.is_infinite() && gains_ && losses_ && policy.target)
      throw Error(ErrorCode::refused,
                  "policy",
                  "has rewards of both signs at an infinite horizon, expected one sign");
  }

  Model make() {
    builder_.is_chain();
    builder_.may_lack_choices();
    builder_.horizon(kInfiniteHorizon);
    std::vector<std::pair<std::size_t, Rational>> initial;
    for (const auto& [state, probability] : setting_.initial)
      initial.emplace_back(meet({0, state, first_residual(policy_)}), probability);
    for (std::size_t i = 0; i < nodes_.size(); ++i) expand(i);
    for (const auto& [at, probability] : initial)
      builder_.add_initial(names_[at], Number(probability));
    add_labels();
    return builder_.build();
  }

 private:
  struct Node {
    std::uint64_t time = 0;
    State state{};
    Rational residual;
    friend bool operator<(const Node& a, const Node& b) {
      const auto order = std::tie(a.time, a.state) <=> std::tie(b.time, b.state);
      return order != 0 ? order < 0 : a.residual < b.residual;
    }
  };

  // Beyond what any rule asks for, and beyond the target, all residuals are alike.
  Node normal(Node node) const {
    if (!setting_.is_infinite()) return node;
    node.time = 0;
    if (gains_ && node.residual < least_) node.residual = least_;
    if (losses_ && node.residual > most_) node.residual = most_ + 1;
    return node;
  }

  std::size_t meet(const Node& given) {
    Node node = normal(given);
    const auto [at, is_new] = positions_.try_emplace(node, nodes_.size());
    if (!is_new) return at->second;
    watch_.step(16);
    watch_.before_push(nodes_);
    std::string name(model_.state_name(node.state));
    if (!setting_.is_infinite()) name += " at " + std::to_string(node.time);
    if (policy_.target) name += " with " + to_text(node.residual);
    builder_.declare_state(name);
    names_.push_back(std::move(name));
    nodes_.push_back(std::move(node));
    return at->second;
  }

  [[nodiscard]] bool is_over(const Node& node) const {
    return model_.is_terminal(node.state) || setting_.is_goal(node.state) ||
           (!setting_.is_infinite() && node.time == setting_.horizon);
  }

  void expand(std::size_t i) {
    const Node node = nodes_[i];
    if (is_over(node)) return;
    const Choice choice = choose_by_residual(model_, policy_, node.time, node.state, node.residual);
    const auto name = model_.action_name(choice);
    // Declared before the choice: its outcomes may be new states.
    std::vector<std::size_t> next;
    for (const Outcome& o : model_.outcomes(choice)) {
      const Rational residual =
          policy_.target ? next_residual(policy_, node.time, node.residual, model_.reward(o))
                         : Rational(0);
      next.push_back(meet({node.time + 1, o.next, residual}));
    }
    builder_.begin_choice(State{static_cast<std::uint32_t>(i)}, name);
    std::size_t k = 0;
    for (const Outcome& o : model_.outcomes(choice))
      builder_.add_outcome(State{static_cast<std::uint32_t>(next[k++])},
                           Number(model_.probability(o)),
                           Number(model_.reward(o)));
  }

  [[nodiscard]] bool is_met(const Node& node) const {
    if (!policy_.target) return !setting_.goal.empty() && setting_.is_goal(node.state);
    if (node.residual > 0) return false;
    if (!setting_.goal.empty()) return setting_.is_goal(node.state);
    return is_over(node) || (setting_.is_infinite() && !losses_);
  }
  [[nodiscard]] bool is_lost(const Node& node) const {
    if (!policy_.target || node.residual <= 0) return false;
    return is_over(node) || (setting_.is_infinite() && !gains_);
  }

  void add_labels() {
    const auto add = [&](const std::string& name, const auto& holds) {
      builder_.label(name);
      for (std::size_t i = 0; i < nodes_.size(); ++i)
        if (holds(nodes_[i])) builder_.labelled(State{static_cast<std::uint32_t>(i)});
    };
    for (const StateLabel& label : model_.labels()) {
      if (label.name == "met" || label.name == "lost") continue;
      add(label.name,
          [&](const Node& node) { return std::ranges::binary_search(label.states, node.state); });
    }
    add("met", [&](const Node& node) { return is_met(node); });
    add("lost", [&](const Node& node) { return is_lost(node); });
  }

  const Model& model_;
  const Policy& policy_;
  const ResolvedSetting& setting_;
  WorkWatch watch_;
  ModelBuilder builder_;
  bool gains_ = false;
  bool losses_ = false;
  Rational least_ = 0;  // of what rules ask for, and of the target 0
  Rational most_ = 0;
  std::map<Node, std::size_t> positions_;
  std::vector<Node> nodes_;
  std::vector<std::string> names_;
};

}  // namespace

Model induced_chain(const Model& model, const Policy& policy, const Options& options) {
  require_sums_alone(policy);
  return ChainMaker(model, policy, options).make();
}

}  // namespace quantiplan
