#include "check/infinite/undiscounted_optimum.hpp"

#include <algorithm>

#include "check/common/wealth_ledger.hpp"
#include "check/infinite/best_reach.hpp"
#include "check/infinite/wealth_places.hpp"

namespace quantiplan::checking {
namespace {

constexpr std::size_t kMostInfinitePlaces = 1'000'000;

class UndiscountedOptimum {
 public:
  UndiscountedOptimum(const Model& model,
                      const ResolvedSetting& setting,
                      const Event& event,
                      CheckLimits& limits)
      : model_(model),
        setting_(setting),
        event_(event),
        limits_(limits),
        ledger_(IntegerLedger::undiscounted(model, setting, std::nullopt)),
        graph_(model, limits) {}

  std::optional<Bounds> run(const Demand& demand) {
    if (!ledger_) return std::nullopt;
    reached_.emplace(*ledger_, event_);
    signs_ =
        signs_of(model_, setting_, *ledger_, limits_, [&](State s) { return model_.choices(s); });
    // The greatest chance of infinite gains is nobody's claim.
    if (signs_ != Signs::losses && setting_.goal.empty() &&
        event_.level() == Total::plus_infinity() && !event_.is_strict())
      return std::nullopt;
    if (!expand()) return std::nullopt;
    if (signs_ == Signs::both && comes_round()) return std::nullopt;
    if (staying_counts()) give_worth_to_staying(graph_, staying_must_be_free(), limits_);
    return BestReach(graph_, limits_).bounds(setting_.initial, demand);
  }

 private:
  [[nodiscard]] bool has_goal() const { return !setting_.goal.empty(); }
  [[nodiscard]] bool is_end(State s) const { return model_.is_terminal(s) || setting_.is_goal(s); }

  // What is decided whatever follows is one place.
  [[nodiscard]] std::int64_t capped(std::int64_t wealth) const {
    if (wealth == kAbove || wealth == kBelow) return wealth;
    const bool holds = reached_->holds(wealth);
    if (!reached_->compares()) return holds ? kAbove : kBelow;
    if (signs_ == Signs::gains && holds) return kAbove;
    if (signs_ == Signs::losses && !holds) return kBelow;
    return wealth;
  }

  // Nothing that follows matters any more.
  [[nodiscard]] std::optional<Rational> decided(const WealthPlace& place) const {
    if (is_end(place.state)) {
      const bool is_counted = !has_goal() || setting_.is_goal(place.state);
      return is_counted ? number_worth(place.wealth) : miss_worth();
    }
    if (place.wealth == kAbove) {
      if (has_goal()) return event_.holds_at_miss() ? std::optional<Rational>(1) : std::nullopt;
      const bool may_lose_all = signs_ == Signs::losses && !event_.holds_at_minus_infinity();
      return may_lose_all ? std::nullopt : std::optional<Rational>(1);
    }
    if (place.wealth == kBelow) {
      if (has_goal() && event_.holds_at_miss()) return std::nullopt;
      return Rational(0);
    }
    return std::nullopt;
  }
  [[nodiscard]] Rational miss_worth() const { return event_.holds_at_miss() ? 1 : 0; }
  [[nodiscard]] Rational number_worth(std::int64_t wealth) const {
    return reached_->holds(wealth) ? 1 : 0;
  }

  // False if there are too many places, or time is up.
  bool expand() {
    for (const State s : setting_.initial.states()) places_.number({s, capped(0)});
    for (std::uint32_t v = 0; v < places_.size(); ++v) {
      if (limits_.ended() || places_.size() > kMostInfinitePlaces) return false;
      const WealthPlace place = places_[v];
      if (const auto worth = decided(place)) {
        graph_.end_node(worth);
        continue;
      }
      for (const Choice c : model_.choices(place.state)) {
        bool is_free = true;
        for (const Outcome& o : model_.outcomes(c)) {
          const std::int64_t reward = ledger_->reward(0, o.reward);
          is_free = is_free && reward == 0;
          WealthPlace next{o.next, place.wealth};
          if (!add_reward(next.wealth, reward)) return false;
          next.wealth = capped(next.wealth);
          graph_.add_arc(places_.number(next), o.probability);
        }
        graph_.end_choice(is_free);
      }
      graph_.end_node();
    }
    return true;
  }

  // Some block is more than one place, or a place that leads to itself.
  [[nodiscard]] bool comes_round() {
    const Blocks blocks = blocks_of(graph_, nullptr, limits_);
    for (std::size_t b = 0; b < blocks.count(); ++b) {
      if (blocks.begin[b + 1] - blocks.begin[b] > 1) return true;
      if (graph_.leads_to_itself(blocks.nodes[blocks.begin[b]])) return true;
    }
    return false;
  }

  [[nodiscard]] bool staying_counts() const {
    return has_goal() ? event_.holds_at_miss() : signs_ == Signs::losses;
  }
  // All numbers count, and -inf does not.
  [[nodiscard]] bool staying_must_be_free() const { return !has_goal() && !reached_->compares(); }

  const Model& model_;
  const ResolvedSetting& setting_;
  const Event& event_;
  CheckLimits& limits_;
  std::optional<IntegerLedger> ledger_;
  std::optional<WealthEvent<IntegerLedger>> reached_;
  Signs signs_ = Signs::gains;
  WealthPlaces places_;
  ReachGraph graph_;
};

}  // namespace

std::optional<Bounds> greatest_undiscounted_chance(const Model& model,
                                                   const ResolvedSetting& setting,
                                                   const Event& event,
                                                   const Demand& demand,
                                                   CheckLimits& limits) {
  return UndiscountedOptimum(model, setting, event, limits).run(demand);
}

Rational losses_that_suffice(const Model& model) {
  Rational largest = 0;
  for (std::uint32_t i = 0; i < model.state_count(); ++i)
    for (const Choice c : model.choices(State{i}))
      for (const Outcome& o : model.outcomes(c))
        largest = std::max<Rational>(largest, abs(model.reward(o)));
  return largest * Rational(Integer(static_cast<unsigned long>(model.state_count())));
}

}  // namespace quantiplan::checking
