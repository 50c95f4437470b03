// The greatest expected worth of the total over all policies, by a recursion over (time, state, total so far).
//
//     F(t, s, w) = max_a sum p F(t + 1, s', w + gamma^t r),   worth(w) at an end
//
// In rationals; places are listed once and serve every worth. Finite horizons, without goals.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <utility>
#include <vector>

#include "check/common/check_limits.hpp"
#include "check/criteria/criterion_law.hpp"

namespace quantiplan::checking {

inline constexpr std::size_t kMostPlacesOfBest = 400'000;

struct TooLarge {};

class BestWorth {
 public:
  using Worth = std::function<Rational(const Rational& total)>;
  BestWorth(const Model& model, const ResolvedSetting& setting, CheckLimits& limits)
      : model_(model), setting_(setting), limits_(limits) {
    Rational power = 1;
    const std::uint64_t steps = setting.horizon;
    for (std::uint64_t t = 0; t < steps && t < kMostPlacesOfBest; ++t, power *= setting.discount)
      powers_.push_back(power);
  }

  // The places (state, total) of each time that any policy can come to. Throws TooLarge.
  void expand(std::size_t most_places) {
    layers_.resize(1);
    for (const auto& [state, mu] : setting_.initial) layers_[0].insert({index(state), Rational(0)});
    std::size_t count = layers_[0].size();
    for (std::uint64_t t = 0; t < setting_.horizon && !layers_[t].empty(); ++t) {
      std::set<Place> next;
      for (const auto& [state, total] : layers_[t]) {
        limits_.require();
        const State s{state};
        if (is_end_of_episode(model_, setting_, s)) continue;
        for (const Choice c : model_.choices(s))
          for (const Outcome& o : model_.outcomes(c))
            next.insert({index(o.next), Rational(total + reward(t, o))});
        if (count + next.size() > most_places) throw TooLarge{};
      }
      count += next.size();
      layers_.push_back(std::move(next));
    }
    places_ = count;
  }

  [[nodiscard]] std::size_t places() const { return places_; }
  [[nodiscard]] std::set<Rational> totals() const {
    std::set<Rational> out;
    for (std::size_t t = 0; t < layers_.size(); ++t)
      for (const auto& [state, total] : layers_[t])
        if (t == setting_.horizon || is_end_of_episode(model_, setting_, State{state}))
          out.insert(total);
    return out;
  }

  Rational best(const Worth& worth) { return best_with_mean(worth).value; }

  // And the mean of the total of a policy that has it.
  struct WithMean {
    Rational value = 0;
    Rational mean = 0;
  };
  WithMean best_with_mean(const Worth& worth) {
    std::map<Place, WithMean> later;
    for (std::size_t t = layers_.size(); t-- > 0;) {
      std::map<Place, WithMean> now;
      for (const Place& place : layers_[t]) {
        limits_.require();
        const auto& [state, total] = place;
        const State s{state};
        if (t == setting_.horizon || is_end_of_episode(model_, setting_, s))
          now[place] = {worth(total), total};
        else
          now[place] = best_choice(t, s, total, later);
      }
      later = std::move(now);
    }
    WithMean out;
    for (const auto& [state, mu] : setting_.initial) {
      const WithMean& at = later.at({index(state), Rational(0)});
      out.value += mu * at.value;
      out.mean += mu * at.mean;
    }
    return out;
  }

 private:
  using Place = std::pair<std::uint32_t, Rational>;

  [[nodiscard]] Rational reward(std::uint64_t t, const Outcome& o) const {
    return powers_[t] * counted_reward(model_, setting_, o);
  }

  [[nodiscard]] WithMean best_choice(std::uint64_t t,
                                     State s,
                                     const Rational& total,
                                     const std::map<Place, WithMean>& later) {
    std::optional<WithMean> best;
    for (const Choice c : model_.choices(s)) {
      WithMean sum;
      for (const Outcome& o : model_.outcomes(c)) {
        limits_.require(nanoseconds_of(sum.value));
        const WithMean& at = later.at({index(o.next), Rational(total + reward(t, o))});
        sum.value += model_.probability(o) * at.value;
        sum.mean += model_.probability(o) * at.mean;
      }
      if (!best || sum.value > best->value) best = std::move(sum);
    }
    return *best;
  }

  const Model& model_;
  const ResolvedSetting& setting_;
  CheckLimits& limits_;
  std::vector<Rational> powers_;  // gamma^t
  std::vector<std::set<Place>> layers_;
  std::size_t places_ = 0;
};

}  // namespace quantiplan::checking
