// A policy followed over the steps of a finite horizon: where its wealth ends, and how probably.
//
//     mass_0(s0, w0) = 1      mass_{t+1}(s', w o r) += mass_t(s, w) * p     for the action taken
//
// One layer of time is kept at once, as a list sorted by (state, wealth); equal places are added.
// Cost: O(n b log(n b)) per layer of n places.
#pragma once

#include <algorithm>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "check/classes/wealth_level.hpp"
#include "check/classes/wealth_rule_book.hpp"
#include "check/common/chance.hpp"
#include "check/common/check_limits.hpp"

namespace quantiplan::checking {

template <class Probability>
struct WealthEnds {
  std::map<WealthId, Probability> mass;
  std::uint64_t places = 0;          // (time, state, wealth) met
  std::optional<std::string> fault;  // the policy has no rule where it needs one
  // Out of time, or of room: nothing else here counts.
  bool ended = false;
  bool too_large = false;

  // P(W >= level).
  [[nodiscard]] Chance chance(const WealthLevel& level, Probability sum) const {
    bool some_within = false;
    bool some_outside = false;
    for (const auto& [wealth, p] : mass) {
      if (level.is_reached_by(wealth)) {
        some_within = true;
        sum += p;
      } else {
        some_outside = true;
      }
    }
    Bounds bounds = Bounds::of(sum);
    if (bounds.high > 1) bounds.high = 1;
    return Chance::of(bounds, some_within, some_outside);
  }
  [[nodiscard]] bool some_at(const WealthLevel& level) const {
    return std::any_of(
        mass.begin(), mass.end(), [&](const auto& end) { return level.contains(end.first); });
  }
};

template <class Probabilities>
class WealthReplay {
 public:
  using Probability = typename Probabilities::Probability;

  WealthReplay(const Model& model, Structure& structure, const Policy& policy, CheckLimits& limits)
      : model_(model),
        structure_(structure),
        policy_(policy),
        limits_(limits),
        share_(limits),
        probabilities_(model),
        rules_(structure, policy) {}

  WealthEnds<Probability> run() {
    layer_.push_back({policy_.setting.initial, structure_.initial(), probabilities_.one()});
    for (std::uint64_t time = 0; !layer_.empty() && !is_over(); ++time) {
      ends_.places += layer_.size();
      next_.clear();
      for (const Place& place : layer_) {
        advance(time, place);
        if (is_over()) break;
      }
      merge(next_);
      layer_.swap(next_);
    }
    return std::move(ends_);
  }

 private:
  struct Place {
    State state;
    WealthId wealth;
    Probability mass;
  };
  static constexpr std::size_t kMostPlaces = 4'000'000;

  [[nodiscard]] bool is_over() const { return ends_.fault || ends_.ended || ends_.too_large; }

  void advance(std::uint64_t time, const Place& place) {
    ends_.ended = limits_.ended(CheckLimits::kPlace + nanoseconds_of(place.mass));
    if (ends_.ended) return;
    if (model_.is_terminal(place.state) || time == policy_.setting.horizon) {
      const auto [end, is_new] = ends_.mass.try_emplace(place.wealth, place.mass);
      if (!is_new) end->second += place.mass;
      return;
    }
    const auto choice = rules_.decide(time, place.state, place.wealth);
    if (!choice) {
      ends_.fault = "The policy reaches " + describe_place(model_, policy_, time, place.state) +
                    " and has no rule for it.";
      return;
    }
    for (const Outcome& o : model_.outcomes(*choice)) {
      limits_.require(200 + nanoseconds_of(place.mass));
      if (next_.size() == next_.capacity()) make_room(place.mass);
      if (ends_.too_large) return;
      next_.push_back({o.next,
                       structure_.update(place.wealth, o.reward),
                       Probability(place.mass * probabilities_.of(o))});
    }
  }

  // Equal places become one before there is room for more.
  void make_room(const Probability& mass) {
    merge(next_);
    ends_.too_large = next_.size() > kMostPlaces;
    const std::size_t wanted = std::max<std::size_t>(1024, 2 * next_.size());
    const std::uint64_t each = sizeof(Place) + bytes_beside(mass);
    // This layer, the last one, and both copies of what is moved; ends are kept in a tree.
    share_.set((2 * wanted + layer_.capacity() + 2 * ends_.mass.size()) * each +
               structure_.bytes());
    next_.reserve(wanted);
  }

  void merge(std::vector<Place>& places) {
    const auto less = [](const Place& a, const Place& b) {
      return a.state != b.state ? a.state < b.state : a.wealth < b.wealth;
    };
    std::sort(places.begin(), places.end(), watched(limits_, less));
    std::size_t kept = 0;
    for (std::size_t i = 0; i < places.size(); ++i) {
      if (kept > 0 && places[kept - 1].state == places[i].state &&
          places[kept - 1].wealth == places[i].wealth) {
        places[kept - 1].mass += places[i].mass;
      } else {
        if (kept != i) places[kept] = std::move(places[i]);
        ++kept;
      }
    }
    places.erase(places.begin() + static_cast<std::ptrdiff_t>(kept), places.end());
  }

  const Model& model_;
  Structure& structure_;
  const Policy& policy_;
  CheckLimits& limits_;
  MemoryShare share_;
  Probabilities probabilities_;
  WealthRuleBook rules_;
  WealthEnds<Probability> ends_;
  std::vector<Place> layer_;
  std::vector<Place> next_;
};

}  // namespace quantiplan::checking
