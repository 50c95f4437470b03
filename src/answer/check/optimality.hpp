// The greatest probability, over all policies, of ending above the claimed quantile q.
//
//     B_T(s, w) = [w > q], the same at a terminal s
//     B_t(s, w) = max_a  sum over outcomes (s',p,r) of  p * B_{t+1}(s', w + gamma^t r)
//
// Plain recursion on the places (t, s, w) reachable by any policy at all, layer by layer so that
// long horizons need no stack. A place is left out where every continuation ends above q (B = 1) or
// none does (B = 0). The claim is optimal if B_0(s0, 0) does not meet the demand of the quantile.
#pragma once

#include <algorithm>
#include <cstdint>
#include <limits>
#include <optional>
#include <vector>

#include "check_clock.hpp"
#include "probabilities.hpp"
#include "wealth_ledger.hpp"

namespace quantiplan::checking {

// Places that are stored; beyond them optimality is not rechecked.
inline constexpr std::size_t kMostPlaces = 300'000;
// Steps of the recursion for the least and greatest wealth to come, and their storage.
inline constexpr std::uint64_t kMostBoundSteps = 200'000'000;
inline constexpr std::uint64_t kMostBounds = 4'000'000;

template <class Ledger>
class Optimality {
 public:
  using Wealth = typename Ledger::Wealth;

  Optimality(const Model& model,
             const ResolvedSetting& setting,
             const Rational& quantile,
             Ledger& ledger,
             CheckClock& clock)
      : model_(model),
        setting_(setting),
        ledger_(ledger),
        threshold_(ledger, quantile),
        clock_(clock) {}

  // Finds the places. False if there are too many, or time is up.
  bool expand() {
    if (!bound_what_is_to_come()) return false;
    layers_.assign(1, {});
    if (!decided(0, setting_.initial, ledger_.zero()))
      layers_[0].push_back({setting_.initial, ledger_.zero()});
    std::size_t places = layers_[0].size();
    for (std::uint64_t time = 0; !layers_.back().empty(); ++time) {
      std::vector<Place> next;
      for (const Place& place : layers_.back()) {
        if (clock_.ended()) return false;
        successors(time, place, next);
        if (next.size() > 8 * kMostPlaces) unique_places(next);
        if (next.size() > 8 * kMostPlaces) return false;
      }
      unique_places(next);
      places += next.size();
      if (places > kMostPlaces) return false;
      layers_.push_back(std::move(next));
    }
    return true;
  }

  // B_0(s0, 0), after a successful expand(); nullopt if time is up.
  template <class Probabilities>
  std::optional<typename Probabilities::Probability> best(Probabilities probabilities) {
    using Probability = typename Probabilities::Probability;
    if (const auto known = decided(0, setting_.initial, ledger_.zero()))
      return *known ? probabilities.one() : probabilities.zero();
    std::vector<Probability> after;
    for (std::uint64_t time = layers_.size(); time-- > 0;) {
      std::vector<Probability> values;
      for (const Place& place : layers_[time]) {
        if (clock_.ended()) return std::nullopt;
        values.push_back(value(time, place, after, probabilities));
      }
      after.swap(values);
    }
    return after.front();
  }

 private:
  struct Place {
    State state;
    Wealth wealth;
    friend bool operator==(const Place&, const Place&) = default;
    friend bool operator<(const Place& a, const Place& b) {
      return a.state != b.state ? a.state < b.state : a.wealth < b.wealth;
    }
  };

  // least_[t][s], greatest_[t][s]: what may still be collected from s at time t, whatever is done.
  bool bound_what_is_to_come() {
    const std::uint64_t horizon = setting_.horizon;
    const std::size_t states = model_.state_count();
    if (horizon >= kMostBounds / states || horizon > kMostBoundSteps / (1 + model_.outcome_count()))
      return false;
    least_.assign(horizon + 1, std::vector<Wealth>(states, ledger_.zero()));
    greatest_ = least_;
    for (std::uint64_t time = horizon; time-- > 0;) {
      for (std::size_t i = 0; i < states; ++i) {
        if (clock_.ended()) return false;
        bound(time, State{static_cast<std::uint32_t>(i)});
      }
    }
    return true;
  }

  void bound(std::uint64_t time, State state) {
    bool first = true;
    Wealth& least = least_[time][index(state)];
    Wealth& greatest = greatest_[time][index(state)];
    for (const Choice c : model_.choices(state)) {
      for (const Outcome& o : model_.outcomes(c)) {
        const Wealth reward = ledger_.reward(time, o.reward);
        const Wealth low = reward + least_[time + 1][index(o.next)];
        const Wealth high = reward + greatest_[time + 1][index(o.next)];
        if (first || low < least) least = low;
        if (first || high > greatest) greatest = high;
        first = false;
      }
    }
  }

  // 1 or 0 if every policy ends above q from here, or none does. Always known where nothing
  // follows.
  [[nodiscard]] std::optional<bool> decided(std::uint64_t time,
                                            State state,
                                            const Wealth& wealth) const {
    if (threshold_.exceeds(Wealth(wealth + least_[time][index(state)]))) return true;
    if (!threshold_.exceeds(Wealth(wealth + greatest_[time][index(state)]))) return false;
    return std::nullopt;
  }

  void successors(std::uint64_t time, const Place& place, std::vector<Place>& next) {
    for (const Choice c : model_.choices(place.state)) {
      for (const Outcome& o : model_.outcomes(c)) {
        Wealth wealth = place.wealth + ledger_.reward(time, o.reward);
        if (!decided(time + 1, o.next, wealth)) next.push_back({o.next, std::move(wealth)});
      }
    }
  }

  static void unique_places(std::vector<Place>& places) {
    std::sort(places.begin(), places.end());
    places.erase(std::unique(places.begin(), places.end()), places.end());
  }

  template <class Probabilities>
  auto value(std::uint64_t time,
             const Place& place,
             const std::vector<typename Probabilities::Probability>& after,
             Probabilities& probabilities) {
    using Probability = typename Probabilities::Probability;
    Probability best = probabilities.zero();
    for (const Choice c : model_.choices(place.state)) {
      Probability sum = probabilities.zero();
      for (const Outcome& o : model_.outcomes(c)) {
        const Place reached{o.next, Wealth(place.wealth + ledger_.reward(time, o.reward))};
        if (const auto known = decided(time + 1, reached.state, reached.wealth)) {
          if (*known) sum += probabilities.of(o);
          continue;
        }
        const std::vector<Place>& layer = layers_[time + 1];
        const auto found = std::lower_bound(layer.begin(), layer.end(), reached);
        sum += probabilities.of(o) * after[static_cast<std::size_t>(found - layer.begin())];
      }
      best = larger(best, sum);
    }
    return best;
  }

  const Model& model_;
  const ResolvedSetting& setting_;
  Ledger& ledger_;
  Threshold<Ledger> threshold_;
  CheckClock& clock_;
  std::vector<std::vector<Wealth>> least_;
  std::vector<std::vector<Wealth>> greatest_;
  std::vector<std::vector<Place>> layers_;
};

}  // namespace quantiplan::checking
