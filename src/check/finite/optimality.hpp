// The greatest probability of an event over all policies, over the steps of a finite horizon.
//
//     B(s, w) = enough ? in : out, at an end or at the horizon                  (ends.hpp)
//     B_t(s, w) = max_a  sum over outcomes (s',p,r) of  p * B_{t+1}(s', w o r)
//
// Sums are one wealth among others: there w o r is w + gamma^t r'. Plain recursion on the places (t, s, w) reachable by any policy at all, layer by layer so that
// long horizons need no stack. A place is left out where every continuation is within the event
// (B = 1) or none is (B = 0).
#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>
#include <vector>

#include "check/common/check_limits.hpp"
#include "check/common/demand.hpp"
#include "check/common/ends.hpp"
#include "check/common/policy_reach.hpp"
#include "check/finite/mixes.hpp"
#include "check/finite/prospects.hpp"

namespace quantiplan::checking {

// Places that are stored; beyond them optimality is not rechecked.
inline constexpr std::size_t kMostPlaces = 300'000;
// .. and before arrays are tried, where there may be some (whole_needs.hpp).
inline constexpr std::size_t kFewPlaces = 20'000;
// Steps of the recursion for the least and greatest wealth to come, and their storage.
inline constexpr std::uint64_t kMostBoundSteps = 200'000'000;
inline constexpr std::uint64_t kMostBounds = 4'000'000;

// Of a course, what wealth becomes; of an outlook, where the outcome is decided (forward_pass.hpp).
template <class Course, class Outlook>
class Optimality {
 public:
  using Wealth = typename Course::Key;

  Optimality(const Model& model,
             const Ends& ends,
             Course& course,
             const Outlook& outlook,
             CheckLimits& limits)
      : model_(model),
        ends_(ends),
        course_(course),
        outlook_(outlook),
        limits_(limits),
        share_(limits) {}

  // Finds the places. False if there are more than `most`, or time is up.
  bool expand(std::size_t most = kMostPlaces) {
    layers_.assign(1, {});
    for (const State s : ends_.initial().states())
      if (!decided_at_start(s)) layers_[0].push_back({s, course_.start()});
    places_ = layers_[0].size();
    for (std::uint64_t time = 0; !layers_.back().empty(); ++time) {
      std::vector<Place<Wealth>> next;
      course_.move_to(time);
      for (const Place<Wealth>& place : layers_.back()) {
        if (time == ends_.horizon()) break;
        if (limits_.ended()) return false;
        if (next.size() == next.capacity()) share_.set(bytes_of(places_ + 3 * next.size()));
        successors(time, place, next);
        if (next.size() <= 2 * most) continue;
        unique_places(next, limits_);
        if (next.size() > most) return false;
      }
      unique_places(next, limits_);
      places_ += next.size();
      share_.set(bytes_of(2 * places_));
      if (places_ > most) return false;
      layers_.push_back(std::move(next));
    }
    return true;
  }
  [[nodiscard]] std::size_t places() const { return places_; }

  // B_0(s0, w0), or the sum of mu(s) B_0(s, w0), after a successful expand(); nullopt if time is up.
  template <class Mix>
  std::optional<typename Mix::Value> best(Mix mix) {
    using Value = typename Mix::Value;
    std::vector<Value> after;
    std::uint64_t bytes_after = 0;
    MemoryShare share(limits_);
    for (std::uint64_t time = layers_.size(); time-- > 0;) {
      std::vector<Value> values;
      values.reserve(layers_[time].size());
      std::uint64_t bytes = layers_[time].size() * sizeof(Value);
      course_.move_to(time);
      mix.move_to(time);
      for (const Place<Wealth>& place : layers_[time]) {
        if (limits_.ended()) return std::nullopt;
        values.push_back(value(time, place, after, mix));
        bytes += bytes_beside(values.back());
        share.set(bytes + bytes_after);
      }
      after.swap(values);
      bytes_after = bytes;
    }
    return drawn(after, mix);
  }

 private:
  // `open`: the values of the initial states that are not decided, in their order.
  template <class Mix>
  auto drawn(const std::vector<typename Mix::Value>& open, Mix& mix) const {
    using Value = typename Mix::Value;
    Value sum = mix.start();
    std::size_t next = 0;
    for (const auto& [state, mu] : ends_.initial()) {
      const auto known = decided_at_start(state);
      Value value = !known ? open[next++] : known->is_within ? mix.one() : mix.zero();
      if (mu == 1) return value;
      if (!known || known->is_within || Mix::kZeroMatters) mix.add(sum, mix.share(mu), value);
    }
    return sum;
  }

  [[nodiscard]] std::uint64_t bytes_of(std::size_t places) const {
    return places * (sizeof(Place<Wealth>) + bytes_beside(Wealth{})) + course_.bytes();
  }
  [[nodiscard]] std::optional<Decided> decided_at_start(State s) const {
    return outlook_.decided(0, s, course_.start());
  }

  void successors(std::uint64_t time,
                  const Place<Wealth>& place,
                  std::vector<Place<Wealth>>& next) {
    for (const Choice c : model_.choices(place.state)) {
      for (const Outcome& o : model_.outcomes(c)) {
        limits_.require(50 + nanoseconds_of(place.key));
        Wealth wealth = course_.after(place.key, o);
        if (!outlook_.decided(time + 1, o.next, wealth))
          next.push_back({o.next, std::move(wealth)});
      }
    }
  }

  template <class Mix>
  auto value(std::uint64_t time,
             const Place<Wealth>& place,
             const std::vector<typename Mix::Value>& after,
             Mix& mix) {
    using Value = typename Mix::Value;
    if (time == ends_.horizon() || ends_.is_end(place.state))
      return Value(mix.constant(outlook_.end(place.state, place.key).surely));
    Value best = mix.zero();
    for (const Choice c : model_.choices(place.state)) {
      Value sum = mix.start();
      for (const Outcome& o : model_.outcomes(c)) {
        limits_.require(100 + nanoseconds_of(sum));
        const Place<Wealth> reached{o.next, course_.after(place.key, o)};
        if (const auto known = outlook_.decided(time + 1, reached.state, reached.key)) {
          if (known->is_within || Mix::kZeroMatters)
            mix.add(sum, mix.weight(o), known->is_within ? mix.one() : mix.zero());
          continue;
        }
        const std::vector<Place<Wealth>>& layer = layers_[time + 1];
        const auto found = std::lower_bound(layer.begin(), layer.end(), reached);
        mix.add(sum, mix.weight(o), after[static_cast<std::size_t>(found - layer.begin())]);
      }
      if constexpr (Mix::kCharges) mix.charge(sum, c);
      keep_larger(best, std::move(sum));
    }
    return best;
  }

  const Model& model_;
  const Ends& ends_;
  Course& course_;
  const Outlook& outlook_;
  CheckLimits& limits_;
  MemoryShare share_;
  std::vector<std::vector<Place<Wealth>>> layers_;
  std::size_t places_ = 0;
};

// Bounds of the greatest probability of the ends' event, sharp enough to say whether it meets a
// demand, or exact; exact at once where there are no more than `few` places. Nullopt if there are
// too many places, or time is up.
template <class Course, class Outlook, class IsSettled>
std::optional<Bounds> greatest_chance(const Model& model,
                                      const Ends& ends,
                                      Course& course,
                                      const Outlook& outlook,
                                      std::size_t few,
                                      CheckLimits& limits,
                                      const IsSettled& is_settled,
                                      std::size_t most_places = kMostPlaces) {
  Optimality optimality(model, ends, course, outlook, limits);
  if (!optimality.expand(most_places)) return std::nullopt;
  if (optimality.places() > few) {
    const auto rough = optimality.best(IntervalMix(model));
    if (rough && is_settled(Bounds::of(*rough))) return Bounds::of(*rough);
  }
  const auto best = optimality.best(RationalMix(model));
  if (!best) return std::nullopt;
  return Bounds::of(*best);
}

// The same of sums.
template <class Ledger, class IsSettled>
std::optional<Bounds> greatest_chance(const Model& model,
                                      const Ends& ends,
                                      Ledger& ledger,
                                      CheckLimits& limits,
                                      const IsSettled& is_settled,
                                      std::size_t most_places = kMostPlaces) {
  const std::uint64_t horizon = ends.horizon();
  if (horizon >= kMostBounds / model.state_count() ||
      horizon > kMostBoundSteps / (1 + model.outcome_count()))
    return std::nullopt;
  SumCourse<Ledger> course(model, ledger);
  const WholeReach<Ledger> reach(model, ends);
  const Prospects prospects(model, ends, ends, reach, course, ledger, limits);
  return greatest_chance(
      model, ends, course, prospects, /*few=*/0, limits, is_settled, most_places);
}

}  // namespace quantiplan::checking
