#include "reduce/arrival_policy.hpp"

#include <algorithm>
#include <cmath>
#include <optional>
#include <type_traits>
#include <vector>

#include "base/call.hpp"
#include "base/limits.hpp"
#include "base/state_rules.hpp"
#include "problem/quantile_problem.hpp"

namespace quantiplan {
namespace {

// Outcomes of all times: up to so many, rationals take no more than a moment.
constexpr std::uint64_t kFewOutcomes = 20'000;

double as(const Rational& value, double) { return to_nearest_double(value); }
Rational as(const Rational& value, const Rational&) { return value; }

template <class N>
class ArrivalPass {
 public:
  ArrivalPass(const Model& model, const ResolvedSetting& setting, Limits& limits)
      : model_(model), setting_(setting), limits_(limits), is_goal_(model.state_count(), false) {
    for (const State s : setting.goal) is_goal_[index(s)] = true;
    probability_ = all(model.probabilities());
    reward_ = all(model.rewards());
    discount_ = as(setting.discount, N());
  }

  Policy run() {
    find_layers();
    std::vector<Pair> next = values_at_end();
    for (std::uint64_t t = layers_.size() - 1; t-- > 0;) {
      if (limits_.ended()) refuse_unfinished("expectation policy");
      next = backed_up(t, next);
    }
    return followed();
  }

 private:
  static std::vector<N> all(const NumberTable& table) {
    std::vector<N> out;
    out.reserve(table.size());
    for (std::uint32_t id = 0; id < table.size(); ++id)
      out.push_back(as(table.rational(NumberId{id}), N()));
    return out;
  }

  // P, K and how far P may be off, as a part of it.
  struct Pair {
    N chance = 0;
    N mean = 0;
  };

  [[nodiscard]] bool is_over(State s) const { return is_goal_[index(s)] || model_.is_terminal(s); }

  // The states that can be met at each time.
  void find_layers() {
    layers_.assign(1, setting_.initial.states());
    std::vector<std::uint64_t> seen(model_.state_count(), 0);
    for (std::uint64_t t = 0; t < setting_.horizon && !layers_.back().empty(); ++t) {
      if (limits_.ended()) refuse_unfinished("expectation policy");
      std::vector<State> next;
      for (const State s : layers_.back()) {
        if (is_over(s)) continue;
        for (const Choice c : model_.choices(s)) {
          for (const Outcome& o : model_.outcomes(c)) {
            if (seen[index(o.next)] == t + 1) continue;
            seen[index(o.next)] = t + 1;
            next.push_back(o.next);
          }
        }
      }
      limits_.take(next.size() * (sizeof(State) + sizeof(Choice)), "the states met at each time");
      layers_.push_back(std::move(next));
    }
    slot_.assign(model_.state_count(), 0);
    choice_.resize(layers_.size());
  }

  [[nodiscard]] Pair at_end(State s) const { return {N(is_goal_[index(s)] ? 1 : 0), N(0)}; }
  std::vector<Pair> values_at_end() {
    std::vector<Pair> out;
    for (const State s : layers_.back()) out.push_back(at_end(s));
    return out;
  }

  std::vector<Pair> backed_up(std::uint64_t t, const std::vector<Pair>& next) {
    for (std::uint32_t i = 0; i < layers_[t + 1].size(); ++i) slot_[index(layers_[t + 1][i])] = i;
    std::vector<Pair> out;
    for (const State s : layers_[t]) {
      Pair best = at_end(s);
      std::optional<Choice> chosen;
      if (!is_over(s)) {
        for (const Choice c : model_.choices(s)) {
          const Pair pair = pair_of(c, next);
          if (chosen && !is_better(pair, best, layers_.size() - t)) continue;
          best = pair;
          chosen = c;
        }
      }
      choice_[t].push_back(chosen.value_or(Choice{}));
      out.push_back(std::move(best));
    }
    return out;
  }

  [[nodiscard]] Pair pair_of(Choice c, const std::vector<Pair>& next) const {
    Pair sum;
    for (const Outcome& o : model_.outcomes(c)) {
      const Pair& after = next[slot_[index(o.next)]];
      const N& p = probability_[index(o.probability)];
      sum.chance += p * after.chance;
      N reward = reward_[index(o.reward)] * after.chance;
      if (setting_.cost) reward = -reward;
      sum.mean += p * (reward + discount_ * after.mean);
    }
    return sum;
  }

  [[nodiscard]] bool is_better(const Pair& a, const Pair& b, std::uint64_t steps) const {
    if constexpr (std::is_same_v<N, double>) {
      // Of products and sums of what is not negative: (b + 2) u a step, for each of the two.
      const double rounding =
          2 * static_cast<double>(steps * (model_.most_outcomes() + 2)) * 0x1p-53;
      if (std::abs(a.chance - b.chance) > rounding * std::max(a.chance, b.chance))
        return a.chance > b.chance;
      // The first choice of the model, where they are all but equal.
      return a.mean - b.mean > rounding * (std::abs(a.mean) + std::abs(b.mean));
    } else {
      return a.chance != b.chance ? a.chance > b.chance : a.mean > b.mean;
    }
  }

  // Rules of what the policy meets.
  Policy followed() {
    Policy out;
    out.setting = setting_;
    std::vector<bool> met(layers_.front().size(), true);
    for (std::uint64_t t = 0; t + 1 < layers_.size(); ++t) {
      for (std::uint32_t i = 0; i < layers_[t + 1].size(); ++i) slot_[index(layers_[t + 1][i])] = i;
      std::vector<bool> next(layers_[t + 1].size(), false);
      const std::size_t first = out.rules.size();
      for (std::size_t i = 0; i < layers_[t].size(); ++i) {
        const State s = layers_[t][i];
        if (!met[i] || is_over(s)) continue;
        add_state_rule(out, t, s, choice_[t][i], limits_);
        for (const Outcome& o : model_.outcomes(choice_[t][i])) next[slot_[index(o.next)]] = true;
      }
      std::sort(out.rules.begin() + static_cast<std::ptrdiff_t>(first),
                out.rules.end(),
                [](const PolicyRule& a, const PolicyRule& b) { return a.state < b.state; });
      met = std::move(next);
    }
    return out;
  }

  const Model& model_;
  const ResolvedSetting& setting_;
  Limits& limits_;
  std::vector<bool> is_goal_;
  std::vector<N> probability_;  // by NumberId
  std::vector<N> reward_;
  N discount_ = 1;
  std::vector<std::vector<State>> layers_;
  std::vector<std::vector<Choice>> choice_;
  std::vector<std::uint32_t> slot_;  // by state, in the layer looked at
};

}  // namespace

Policy arrival_policy(const Model& model, const ResolvedSetting& setting, const Options& options) {
  if (setting.adversarial) refuse_adversary_expectation();
  Limits limits(options);
  const bool exactly = options.arithmetic == Arithmetic::exact ||
                       (options.arithmetic == Arithmetic::automatic &&
                        setting.horizon <= kFewOutcomes / (1 + model.outcome_count()));
  if (exactly) return ArrivalPass<Rational>(model, setting, limits).run();
  return ArrivalPass<double>(model, setting, limits).run();
}

Later<Policy> arrival_policy_later(const Model& model,
                                   const ResolvedSetting& setting,
                                   const Options& options) {
  return [model, setting, kept = for_later(options)] {
    const LaterWork later(kept);
    return arrival_policy(model, setting, later.options());
  };
}

}  // namespace quantiplan
