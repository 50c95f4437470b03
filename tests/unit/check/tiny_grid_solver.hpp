// The plainest solver on a grid, in rationals and by memo: what the checker's claims are held
// against.
//
//     down(t, s, i) = max_a sum p * down(t + 1, s', (i - floor(gamma^t r / H_t)) * H_t / H_{t+1})
//     up: the same with ceil;  true: the same with the real residual
//
// Rewards are counted with their sign; with a goal, ends elsewhere are misses: worth 0, or 1 to an
// adversary. "Strictly": more than what is left is to be collected.
#pragma once

#include <algorithm>
#include <map>
#include <tuple>

#include "check/check_models.hpp"
#include "quantiplan/policy.hpp"

namespace quantiplan::checking {

enum class Count { down, up, truly };

class TinyGridSolver {
 public:
  TinyGridSolver(const Model& model,
                 PolicyGrid grid,
                 Count count,
                 const Setting& setting = {},
                 bool strictly = false)
      : model_(model),
        setting_(resolve(model, setting)),
        grid_(std::move(grid)),
        count_(count),
        strictly_(strictly) {}

  // The greatest probability of collecting what is left, in units of time 0, from (t, s) on.
  const Rational& best(std::uint64_t t, State s, const Rational& left) {
    const auto known = memo_.find({t, s, left});
    if (known != memo_.end()) return known->second.first;
    std::pair<Rational, std::optional<Choice>> found{worth_of_end(s, left), std::nullopt};
    if (t < setting_.horizon && !is_end(s)) {
      found.first = -1;
      for (const Choice c : model_.choices(s)) {
        Rational sum = 0;
        for (const Outcome& o : model_.outcomes(c))
          sum += model_.probability(o) * best(t + 1, o.next, left - counted(t, model_.reward(o)));
        if (sum > found.first) found = {sum, c};
      }
    }
    return memo_.emplace(std::tuple(t, s, left), found).first->second.first;
  }

  // The greatest level, of those that can be counted, whose probability meets the demand.
  Rational quantile(const Rational& tau, Side side) {
    std::map<Rational, bool> levels;
    collect(0, setting_.initial.only(), 0, levels);
    Rational greatest = levels.begin()->first;
    for (const auto& [level, unused] : levels) {
      const Rational& p = best(0, setting_.initial.only(), level);
      if (side == Side::upper ? p >= 1 - tau : p > 1 - tau) greatest = level;
    }
    return greatest;
  }

  // The policy for a target, with a run for each index it meets.
  Policy policy(const Rational& target) {
    Policy policy;
    policy.setting = setting_;
    policy.target = target;
    policy.grid = grid_;
    best(0, setting_.initial.only(), target);
    std::map<std::pair<std::uint64_t, State>, std::map<Rational, Choice>> met;
    follow(0, setting_.initial.only(), target, met);
    for (const auto& [place, runs] : met) {
      PolicyRule rule{place.first, place.second, {}};
      for (const auto& [left, choice] : runs)
        rule.runs.push_back({Rational(left / step(place.first)), choice});
      rule.runs.back().upto.reset();
      policy.rules.push_back(std::move(rule));
    }
    return policy;
  }

 private:
  [[nodiscard]] bool is_goal(State s) const {
    return std::find(setting_.goal.begin(), setting_.goal.end(), s) != setting_.goal.end();
  }
  [[nodiscard]] bool is_end(State s) const { return model_.is_terminal(s) || is_goal(s); }
  [[nodiscard]] int worth_of_end(State s, const Rational& left) const {
    if (!setting_.goal.empty() && !is_goal(s)) return setting_.adversarial ? 1 : 0;
    return left < 0 || (left == 0 && !strictly_) ? 1 : 0;
  }

  [[nodiscard]] Rational step(std::uint64_t t) const {
    Rational h = grid_.unit;
    for (const std::uint64_t time : grid_.halved_at)
      if (time <= t) h /= 2;
    return h;
  }

  [[nodiscard]] Rational counted(std::uint64_t t, Rational reward) const {
    if (setting_.cost != setting_.adversarial) reward = -reward;
    for (std::uint64_t i = 0; i < t; ++i) reward *= setting_.discount;
    if (count_ == Count::truly) return reward;
    const Rational steps = reward / step(t);
    Integer whole;
    mpz_fdiv_q(whole.get_mpz_t(), steps.get_num_mpz_t(), steps.get_den_mpz_t());
    if (count_ == Count::up && steps != whole) ++whole;
    return Rational(whole) * step(t);
  }

  void collect(std::uint64_t t, State s, const Rational& sum, std::map<Rational, bool>& levels) {
    if (t == setting_.horizon || model_.is_terminal(s)) {
      levels[sum] = true;
      return;
    }
    for (const Choice c : model_.choices(s))
      for (const Outcome& o : model_.outcomes(c))
        collect(t + 1, o.next, sum + counted(t, model_.reward(o)), levels);
  }

  void follow(std::uint64_t t,
              State s,
              const Rational& left,
              std::map<std::pair<std::uint64_t, State>, std::map<Rational, Choice>>& met) {
    const auto choice = memo_.at({t, s, left}).second;
    if (!choice || !met[{t, s}].emplace(left, *choice).second) return;
    for (const Outcome& o : model_.outcomes(*choice))
      follow(t + 1, o.next, left - counted(t, model_.reward(o)), met);
  }

  const Model& model_;
  ResolvedSetting setting_;
  PolicyGrid grid_;
  Count count_;
  bool strictly_;
  std::map<std::tuple<std::uint64_t, State, Rational>, std::pair<Rational, std::optional<Choice>>>
      memo_;
};

}  // namespace quantiplan::checking
