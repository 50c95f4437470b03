// What recursive criteria stand on: the states an episode can meet, and rewards as wealth counts them.
//
// Entropic risk, EVaR and nested CVaR need no wealth: their policies go by (time, state) alone. Positions
// number the states that can be reached, the initial ones first. A draw of these is no step: one more mean of the
// kind that the criterion takes.
#pragma once

#include <cstdint>
#include <vector>

#include "base/limits.hpp"
#include "quantiplan/model.hpp"
#include "quantiplan/policy.hpp"
#include "quantiplan/query.hpp"

namespace quantiplan {

// A choice for each position, by time; of an infinite horizon, the last holds from then on.
using MarkovDecisions = std::vector<std::vector<Choice>>;

class ReachableStates {
 public:
  // Throws Error(refused) where the criterion is not defined: for wealth that is no sum, and at an
  // infinite horizon without a discount, or with a goal. `criterion` begins the message.
  ReachableStates(const Model& model, const ResolvedSetting& setting, const char* criterion);

  [[nodiscard]] const Model& model() const { return model_; }
  [[nodiscard]] const ResolvedSetting& setting() const { return setting_; }
  [[nodiscard]] std::size_t size() const { return states_.size(); }
  [[nodiscard]] State state(std::size_t position) const { return states_[position]; }
  [[nodiscard]] std::size_t position(State s) const { return positions_[index(s)]; }
  // No choice is to be made there.
  [[nodiscard]] bool is_end(std::size_t position) const { return is_end_[position] != 0; }
  // An episode that ends there, or is there at the horizon, has missed its goal.
  [[nodiscard]] bool is_missed(std::size_t position) const {
    return !setting_.goal.empty() && !setting_.is_goal(states_[position]);
  }
  [[nodiscard]] const std::vector<NumberId>& rewards() const { return rewards_; }
  [[nodiscard]] std::size_t starts() const { return setting_.initial.size(); }
  [[nodiscard]] const Rational& start_probability(std::size_t position) const {
    return setting_.initial[position].probability;
  }
  // Most outcomes of a choice or of the draw, and outcomes of all choices.
  [[nodiscard]] std::size_t most_outcomes() const { return most_outcomes_; }
  [[nodiscard]] std::uint64_t outcomes() const { return outcomes_; }
  // Of one step; 0 is among them where an episode may end before the horizon.
  [[nodiscard]] const Rational& least_reward() const { return least_; }
  [[nodiscard]] const Rational& greatest_reward() const { return greatest_; }
  // 1 + gamma + gamma^2 + ... over the horizon: what a reward of 1 a step adds up to.
  [[nodiscard]] Rational steps_worth() const;
  // No two totals differ by more.
  [[nodiscard]] Rational range() const { return (greatest_ - least_) * steps_worth(); }

  // The policy as a table, of the pairs (time, state) that it can meet.
  [[nodiscard]] Policy policy(const MarkovDecisions& decisions, Limits& limits) const;

 private:
  void reach();
  void look_at_rewards();

  Model model_;
  ResolvedSetting setting_;
  std::vector<State> states_;
  std::vector<std::uint32_t> positions_;
  std::vector<char> is_end_;
  std::vector<NumberId> rewards_;
  std::size_t most_outcomes_ = 1;
  std::uint64_t outcomes_ = 0;
  Rational least_;
  Rational greatest_;
};

// What one time step of a pass has found.
template <class Number>
struct MarkovLayer {
  std::vector<Number> value;
  // The goal is missed with a positive probability whatever is done: worse than every value.
  std::vector<char> is_missed;

  [[nodiscard]] bool is_missed_from_start(const ReachableStates& reachable) const {
    for (std::size_t i = 0; i < reachable.starts(); ++i)
      if (is_missed[i] != 0) return true;
    return false;
  }
};

// Thrown where a limit ended a pass: what was found before stands.
struct MarkovPassEnded {};

// One step back: each state takes the first of its choices that is best, `better(a, b)` if a is.
// A choice that may lead to a miss counts only where all of them do; of an adversary, it is best.
template <class Number, class BackUp, class Better>
void step_back(const ReachableStates& reachable,
               MarkovLayer<Number>& layer,
               const BackUp& back_up,
               const Better& better,
               std::vector<Choice>* decisions) {
  MarkovLayer<Number> next = layer;
  const Model& model = reachable.model();
  const bool is_adversarial = reachable.setting().adversarial;
  if (decisions != nullptr) decisions->assign(reachable.size(), Choice{});
  for (std::size_t i = 0; i < reachable.size(); ++i) {
    if (reachable.is_end(i)) continue;
    bool is_first = true;
    bool is_missed = false;
    Choice best{};
    for (const Choice choice : model.choices(reachable.state(i))) {
      bool misses = false;
      for (const Outcome& o : model.outcomes(choice))
        misses = misses || layer.is_missed[reachable.position(o.next)] != 0;
      if (!is_first && misses != is_missed && misses != is_adversarial) continue;
      const bool is_forced = is_first || misses != is_missed;
      Number value = misses ? Number() : back_up(choice, layer);
      if (!is_forced && (misses || !better(value, next.value[i]))) continue;
      is_first = false;
      is_missed = misses;
      best = choice;
      next.value[i] = std::move(value);
    }
    next.is_missed[i] = is_missed ? 1 : 0;
    if (decisions != nullptr) (*decisions)[i] = best;
  }
  layer = std::move(next);
}

}  // namespace quantiplan
