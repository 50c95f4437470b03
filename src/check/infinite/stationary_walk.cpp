#include "check/infinite/stationary_walk.hpp"

#include <algorithm>

#include "check/common/rule_book.hpp"
#include "check/common/wealth_ledger.hpp"
#include "check/infinite/wealth_places.hpp"

namespace quantiplan::checking {
namespace {

constexpr std::size_t kMostWalked = 1'000'000;

// Rules by residual: an index counts steps of the grid's unit.
Policy without_grid(Policy policy) {
  if (!policy.grid) return policy;
  for (PolicyRule& rule : policy.rules)
    for (PolicyRun& run : rule.runs)
      if (run.upto) *run.upto *= policy.grid->unit;
  policy.grid.reset();
  return policy;
}

std::optional<Rational> unit_of(const Policy& policy) {
  return policy.grid ? std::optional<Rational>(policy.grid->unit) : std::nullopt;
}

class Walk {
 public:
  Walk(const Model& model, const Policy& policy, const Event& event, CheckLimits& limits)
      : model_(model),
        policy_(without_grid(policy)),
        event_(event),
        limits_(limits),
        ledger_(IntegerLedger::undiscounted(model, policy.setting, unit_of(policy))),
        rules_(model.state_count()),
        out_{ReachGraph(model, limits)} {}

  StationaryWalk run() {
    if (ledger_) {
      reached_.emplace(*ledger_, event_);
      read_rules();
      set_caps();
      follow();
    } else {
      stop("rewards have no small common unit.");
    }
    if (!out_.fault && !out_.obstacle) settle_blocks();
    return std::move(out_);
  }

 private:
  void stop(const std::string& why) { out_.obstacle = "The policy was not followed: " + why; }

  [[nodiscard]] bool is_end(State s) const {
    return model_.is_terminal(s) || policy_.setting.is_goal(s);
  }

  // The rules of all states that some run leads to, and the signs of their rewards.
  void read_rules() {
    RuleBook book(policy_);
    signs_ = signs_of(model_, policy_.setting, *ledger_, limits_, [&](State s) {
      auto& rule = rules_[index(s)];
      rule = book.rule(*ledger_, 0, s);
      return rule ? rule->choices : std::vector<Choice>();
    });
  }

  // Beyond them every rule is at its first run, or its last, and the event is decided.
  void set_caps() {
    if (reached_->compares()) above_ = below_ = reached_->least();
    for (const auto& rule : rules_) {
      if (!rule || rule->least.empty()) continue;
      above_ = std::max(above_, rule->least.front());
      below_ = std::min(below_, rule->least.back());
    }
  }

  [[nodiscard]] std::int64_t capped(std::int64_t wealth) const {
    if (signs_ == Signs::gains && wealth > above_) return kAbove;
    if (signs_ == Signs::losses && wealth < below_) return kBelow;
    return wealth;
  }

  void follow() {
    for (const State s : policy_.setting.initial.states()) places_.number({s, capped(0)});
    for (std::uint32_t v = 0; v < places_.size(); ++v) {
      const WealthPlace place = places_[v];
      if (is_end(place.state)) {
        const bool missed = !policy_.setting.goal.empty() && !policy_.setting.is_goal(place.state);
        out_.chain.end_node(missed ? worth_of_miss() : worth_of_number(place.wealth));
        continue;
      }
      if (!move_on(place)) return;
      if (places_.size() > kMostWalked) {
        stop("too many places can be reached.");
        return;
      }
      if (limits_.ended()) {
        out_.obstacle = limits_.policy_was_not_followed();
        return;
      }
    }
  }

  bool move_on(const WealthPlace& place) {
    const auto& rule = rules_[index(place.state)];
    if (!rule) {
      out_.fault = "The policy reaches " + describe_place(model_, policy_, 0, place.state) +
                   " and has no rule for it.";
      return false;
    }
    bool is_free = true;
    for (const Outcome& o : model_.outcomes(rule->decide(place.wealth))) {
      const std::int64_t reward = ledger_->reward(0, o.reward);
      is_free = is_free && reward == 0;
      WealthPlace next{o.next, place.wealth};
      if (!add_reward(next.wealth, reward)) {
        stop("totals are too long to be counted.");
        return false;
      }
      if (next.wealth != kAbove && next.wealth != kBelow) next.wealth = capped(next.wealth);
      out_.chain.add_arc(places_.number(next), o.probability);
    }
    out_.chain.end_choice(is_free);
    out_.chain.end_node();
    return true;
  }

  // Blocks that are never left are where the policy comes to.
  void settle_blocks() {
    const auto settle = [&](const SelectedBlock& block) {
      bool is_cyclic = false;
      block.for_each_arc(
          [&](std::size_t, const ReachArc& arc) { is_cyclic = is_cyclic || block.holds(arc.to); });
      const bool is_free = block.is_free();
      if (is_cyclic && !is_free && signs_ == Signs::both) {
        stop("it can come round with rewards of both signs.");
        return false;
      }
      if (block.is_left()) return true;
      const Rational worth = worth_of_staying(places_[block.nodes().front()].wealth, is_free);
      for (const std::uint32_t v : block.nodes()) out_.chain.set_worth(v, worth);
      return true;
    };
    for_each_block(out_.chain, first_selection(out_.chain), limits_, settle);
  }

  Rational worth_of_staying(std::int64_t wealth, bool is_free) {
    if (!policy_.setting.goal.empty()) return worth_of_miss();
    if (is_free) return worth_of_number(wealth);
    const bool gains = signs_ == Signs::gains;
    const Total total = gains ? Total::plus_infinity() : Total::minus_infinity();
    return worth(gains ? event_.holds_at_plus_infinity() : event_.holds_at_minus_infinity(),
                 event_.level() == total);
  }
  Rational worth_of_miss() { return worth(event_.holds_at_miss(), event_.level().is_miss()); }
  Rational worth_of_number(std::int64_t wealth) {
    return worth(reached_->holds(wealth), reached_->is_level(wealth));
  }
  Rational worth(bool is_within, bool is_level) {
    (is_within ? out_.some_within : out_.some_outside) = true;
    out_.some_at = out_.some_at || is_level;
    return is_within ? 1 : 0;
  }

  const Model& model_;
  Policy policy_;
  const Event& event_;
  CheckLimits& limits_;
  std::optional<IntegerLedger> ledger_;
  std::optional<WealthEvent<IntegerLedger>> reached_;
  std::vector<std::optional<WealthRule<std::int64_t>>> rules_;  // by state
  Signs signs_ = Signs::gains;
  std::int64_t above_ = 0;
  std::int64_t below_ = 0;
  WealthPlaces places_;
  StationaryWalk out_;
};

}  // namespace

StationaryWalk walk_stationary(const Model& model,
                               const Policy& policy,
                               const Event& event,
                               CheckLimits& limits) {
  return Walk(model, policy, event, limits).run();
}

}  // namespace quantiplan::checking
