// The greatest probability of an event over all policies, over the steps of a finite horizon.
//
//     B(s, w) = enough ? in : out, at an end or at the horizon                  (ends.hpp)
//     B_t(s, w) = max_a  sum over outcomes (s',p,r') of  p * B_{t+1}(s', w + gamma^t r')
//
// Plain recursion on the places (t, s, w) reachable by any policy at all, layer by layer so that
// long horizons need no stack. A place is left out where every continuation is within the event
// (B = 1) or none is (B = 0).
#pragma once

#include <algorithm>
#include <cstdint>
#include <functional>
#include <limits>
#include <optional>
#include <vector>

#include "check/common/check_limits.hpp"
#include "check/common/ends.hpp"
#include "check/common/probabilities.hpp"
#include "check/common/wealth_ledger.hpp"

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

  Optimality(const Model& model, const Ends& ends, Ledger& ledger, CheckLimits& limits)
      : model_(model),
        ends_(ends),
        ledger_(ledger),
        event_(ledger, ends.event()),
        limits_(limits),
        share_(limits),
        place_share_(limits) {}

  // Finds the places. False if there are too many, or time is up.
  bool expand() {
    if (!bound_what_is_to_come()) return false;
    layers_.assign(1, {});
    if (!decided(0, initial(), ledger_.zero())) layers_[0].push_back({initial(), ledger_.zero()});
    std::size_t places = layers_[0].size();
    for (std::uint64_t time = 0; !layers_.back().empty(); ++time) {
      std::vector<Place> next;
      for (const Place& place : layers_.back()) {
        if (time == ends_.horizon()) break;
        if (limits_.ended()) return false;
        if (next.size() == next.capacity()) place_share_.set(bytes_of(places + 3 * next.size()));
        successors(time, place, next);
        if (next.size() <= 2 * kMostPlaces) continue;
        unique_places(next);
        if (next.size() > kMostPlaces) return false;
      }
      unique_places(next);
      places += next.size();
      place_share_.set(bytes_of(2 * places));
      if (places > kMostPlaces) return false;
      layers_.push_back(std::move(next));
    }
    return true;
  }

  // B_0(s0, 0), after a successful expand(); nullopt if time is up.
  template <class Probabilities>
  std::optional<typename Probabilities::Probability> best(Probabilities probabilities) {
    using Probability = typename Probabilities::Probability;
    if (const auto known = decided(0, initial(), ledger_.zero()))
      return *known ? probabilities.one() : probabilities.zero();
    std::vector<Probability> after;
    std::uint64_t bytes_after = 0;
    MemoryShare share(limits_);
    for (std::uint64_t time = layers_.size(); time-- > 0;) {
      std::vector<Probability> values;
      values.reserve(layers_[time].size());
      std::uint64_t bytes = layers_[time].size() * sizeof(Probability);
      for (const Place& place : layers_[time]) {
        if (limits_.ended()) return std::nullopt;
        values.push_back(value(time, place, after, probabilities));
        bytes += bytes_beside(values.back());
        share.set(bytes + bytes_after);
      }
      after.swap(values);
      bytes_after = bytes;
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

  // What may still happen from s at time t, whatever is done: the wealth to come at ends where it
  // matters, and whether all ends are worth 1 if it is enough, and 0 if it is not.
  struct Prospect {
    bool matters = false;
    bool one_within = true;
    bool zero_outside = true;
    Wealth least{};
    Wealth greatest{};
  };

  static std::uint64_t bytes_of(std::size_t places) {
    return places * (sizeof(Place) + bytes_beside(Wealth{}));
  }
  [[nodiscard]] State initial() const { return ends_.setting().initial; }

  bool bound_what_is_to_come() {
    const std::uint64_t horizon = ends_.horizon();
    const std::size_t states = model_.state_count();
    if (horizon >= kMostBounds / states || horizon > kMostBoundSteps / (1 + model_.outcome_count()))
      return false;
    share_.set((horizon + 1) * states * (sizeof(Prospect) + 2 * bytes_beside(Wealth{})));
    prospects_.assign(horizon + 1, std::vector<Prospect>(states));
    for (std::uint64_t time = horizon + 1; time-- > 0;) {
      for (std::size_t i = 0; i < states; ++i) {
        if (limits_.ended(100)) return false;
        const State s{static_cast<std::uint32_t>(i)};
        prospects_[time][i] = time == horizon || ends_.is_end(s) ? at_end(s) : before(time, s);
      }
    }
    return true;
  }

  [[nodiscard]] Prospect at_end(State s) const {
    const EndValue& value = ends_.value(s);
    const Wealth tail = ends_.tail_in(ledger_, s);
    return {value.in != value.out, value.in == 1, value.out == 0, tail, tail};
  }

  [[nodiscard]] Prospect before(std::uint64_t time, State state) {
    Prospect all;
    for (const Choice c : model_.choices(state)) {
      for (const Outcome& o : model_.outcomes(c)) {
        limits_.require(20 + nanoseconds_of(prospects_[time + 1][index(o.next)].least));
        const Prospect& next = prospects_[time + 1][index(o.next)];
        all.one_within = all.one_within && next.one_within;
        all.zero_outside = all.zero_outside && next.zero_outside;
        if (!next.matters) continue;
        const Wealth reward = ledger_.reward(time, o.reward);
        const Wealth low = reward + next.least;
        const Wealth high = reward + next.greatest;
        if (!all.matters || low < all.least) all.least = low;
        if (!all.matters || high > all.greatest) all.greatest = high;
        all.matters = true;
      }
    }
    return all;
  }

  // 1 or 0 if every continuation is within the event, or none is.
  [[nodiscard]] std::optional<bool> decided(std::uint64_t time,
                                            State state,
                                            const Wealth& wealth) const {
    const Prospect& to_come = prospects_[time][index(state)];
    const bool matters = to_come.matters;
    if (to_come.one_within && (!matters || event_.holds(Wealth(wealth + to_come.least))))
      return true;
    if (to_come.zero_outside && (!matters || !event_.holds(Wealth(wealth + to_come.greatest))))
      return false;
    return std::nullopt;
  }

  void successors(std::uint64_t time, const Place& place, std::vector<Place>& next) {
    for (const Choice c : model_.choices(place.state)) {
      for (const Outcome& o : model_.outcomes(c)) {
        limits_.require(50 + nanoseconds_of(place.wealth));
        Wealth wealth = place.wealth + ledger_.reward(time, o.reward);
        if (!decided(time + 1, o.next, wealth)) next.push_back({o.next, std::move(wealth)});
      }
    }
  }

  void unique_places(std::vector<Place>& places) {
    std::sort(places.begin(), places.end(), watched(limits_, std::less<>()));
    places.erase(std::unique(places.begin(), places.end()), places.end());
  }

  template <class Probabilities>
  auto value(std::uint64_t time,
             const Place& place,
             const std::vector<typename Probabilities::Probability>& after,
             Probabilities& probabilities) {
    using Probability = typename Probabilities::Probability;
    if (time == ends_.horizon()) {
      const EndValue& value = ends_.value(place.state);
      const Wealth whole = place.wealth + ends_.tail_in(ledger_, place.state);
      return Probability(probabilities.of(event_.holds(whole) ? value.in : value.out));
    }
    Probability best = probabilities.zero();
    for (const Choice c : model_.choices(place.state)) {
      Probability sum = probabilities.zero();
      for (const Outcome& o : model_.outcomes(c)) {
        limits_.require(100 + nanoseconds_of(sum));
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
  const Ends& ends_;
  Ledger& ledger_;
  WealthEvent<Ledger> event_;
  CheckLimits& limits_;
  MemoryShare share_;        // of the prospects
  MemoryShare place_share_;  // of the places
  std::vector<std::vector<Prospect>> prospects_;
  std::vector<std::vector<Place>> layers_;
};

}  // namespace quantiplan::checking
