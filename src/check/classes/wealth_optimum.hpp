// The greatest P(W > level) over all policies, over the steps of a finite horizon.
//
//     B(s, w) = [w > level] at an end or at the horizon
//     B_t(s, w) = max_a  sum over outcomes (s',p,r) of  p * B_{t+1}(s', w o r)
//
// Plain recursion on the places (t, s, w) reachable by any policy at all, layer by layer so that
// long horizons need no stack.
#pragma once

#include <algorithm>
#include <compare>
#include <cstdint>
#include <optional>
#include <vector>

#include "check/classes/wealth_level.hpp"
#include "check/common/check_limits.hpp"
#include "check/common/outward_interval.hpp"
#include "quantiplan/query.hpp"

namespace quantiplan::checking {

class WealthOptimum {
 public:
  // Beyond them optimality is not rechecked.
  static constexpr std::size_t kMostPlaces = 300'000;

  WealthOptimum(const Model& model,
                Structure& structure,
                const ResolvedSetting& setting,
                CheckLimits& limits)
      : model_(model), structure_(structure), setting_(setting), limits_(limits), share_(limits) {}

  // Finds the places. False if there are too many, or time is up.
  bool expand();
  [[nodiscard]] std::size_t places() const { return places_; }

  // B_0(s0, w0), after a successful expand(); nullopt if time is up.
  template <class Probabilities>
  std::optional<typename Probabilities::Probability> best(const WealthLevel& level,
                                                          Probabilities probabilities) {
    using Probability = typename Probabilities::Probability;
    std::vector<Probability> after;
    std::uint64_t bytes_after = 0;
    MemoryShare share(limits_);
    for (std::uint64_t time = layers_.size(); time-- > 0;) {
      std::vector<Probability> values;
      values.reserve(layers_[time].size());
      std::uint64_t bytes = layers_[time].size() * sizeof(Probability);
      for (const Place& place : layers_[time]) {
        if (limits_.ended()) return std::nullopt;
        if (is_end(time, place)) {
          values.push_back(level.is_exceeded_by(place.wealth) ? probabilities.one()
                                                              : probabilities.zero());
        } else {
          values.push_back(value(time, place, after, probabilities));
        }
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
    WealthId wealth;
    friend bool operator==(const Place&, const Place&) = default;
    friend auto operator<=>(const Place&, const Place&) = default;
  };

  [[nodiscard]] bool is_end(std::uint64_t time, const Place& place) const {
    return time == setting_.horizon || model_.is_terminal(place.state);
  }
  void successors(const Place& place, std::vector<Place>& next);

  template <class Probabilities>
  typename Probabilities::Probability value(
      std::uint64_t time,
      const Place& place,
      const std::vector<typename Probabilities::Probability>& after,
      Probabilities& probabilities) {
    using Probability = typename Probabilities::Probability;
    const std::vector<Place>& layer = layers_[time + 1];
    Probability best = probabilities.zero();
    for (const Choice c : model_.choices(place.state)) {
      Probability sum = probabilities.zero();
      for (const Outcome& o : model_.outcomes(c)) {
        limits_.require(200 + nanoseconds_of(sum));
        const Place reached{o.next, structure_.update(place.wealth, o.reward)};
        const auto found = std::lower_bound(layer.begin(), layer.end(), reached);
        sum += probabilities.of(o) * after[static_cast<std::size_t>(found - layer.begin())];
      }
      best = larger(best, sum);
    }
    return best;
  }

  const Model& model_;
  Structure& structure_;
  const ResolvedSetting& setting_;
  CheckLimits& limits_;
  MemoryShare share_;
  std::vector<std::vector<Place>> layers_;
  std::size_t places_ = 0;
};

}  // namespace quantiplan::checking
