// How probable the event is under a policy, by a forward pass over its wealth.
//
//     mass_0(s0, 0) = 1
//     mass_{t+1}(s', w + gamma^t r') += mass_t(s, w) * p           for the action taken
//     P(event) = sum over ends of  mass * (enough ? in : out)      (ends.hpp)
//
// One layer of time is kept at once, as a list sorted by (state, wealth); equal places are added,
// and those where the outcome is decided (policy_prospects.hpp) are not followed any further. What
// follows a cut is bounded from both sides, so there are two sums. Cost: O(n b log(n b)) per layer
// of n open places.
#pragma once

#include <algorithm>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "check/common/chance.hpp"
#include "check/common/check_limits.hpp"
#include "check/common/ends.hpp"
#include "check/common/outward_interval.hpp"
#include "check/common/policy_prospects.hpp"
#include "check/common/rule_book.hpp"
#include "check/common/wealth_ledger.hpp"

namespace quantiplan::checking {

template <class Probability>
struct Tally {
  Probability low;   // of the event, whatever follows a cut
  Probability high;  // at most, whatever follows
  // Facts about the graph, free of rounding: is there a history of positive probability?
  bool surely_some = false;
  bool maybe_some = false;
  bool surely_outside = false;
  bool maybe_outside = false;
  bool some_at = false;      // W' is the level
  std::uint64_t places = 0;  // (time, state, wealth) met with the outcome open
  // Out of time, or of room: nothing else here counts.
  bool ended = false;
  bool too_large = false;

  [[nodiscard]] Chance chance() const {
    const Bounds first = Bounds::of(low);
    const Bounds last = Bounds::of(high);
    Chance result{{first.low, last.high}, surely_some, maybe_some, !maybe_outside, !surely_outside};
    if (result.bounds.high > 1) result.bounds.high = 1;
    result.apply_facts();
    return result;
  }
};

template <class Wealth, class Probability>
struct Place {
  State state;
  Wealth wealth;
  Probability mass;
};

// Sorts by (state, wealth) and adds the masses of equal places.
template <class Wealth, class Probability>
void merge_places(std::vector<Place<Wealth, Probability>>& places, CheckLimits& limits) {
  using P = Place<Wealth, Probability>;
  const auto less = [](const P& a, const P& b) {
    return a.state != b.state ? a.state < b.state : a.wealth < b.wealth;
  };
  std::sort(places.begin(), places.end(), watched(limits, less));
  std::size_t kept = 0;
  for (std::size_t i = 0; i < places.size(); ++i) {
    limits.require(nanoseconds_of(places[i].mass));
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

template <class Ledger, class Probabilities>
class ForwardPass {
 public:
  using Wealth = typename Ledger::Wealth;
  using Probability = typename Probabilities::Probability;

  // Both ends are the same but for what follows a cut. `asks_level`: whether W' can be the level
  // matters. Needs a policy with a rule wherever it comes.
  ForwardPass(const Model& model,
              const Policy& policy,
              const Ends& low,
              const Ends& high,
              const PolicyProspects<Ledger>& prospects,
              bool asks_level,
              Ledger& ledger,
              CheckLimits& limits)
      : model_(model),
        policy_(policy),
        low_(low),
        high_(high),
        prospects_(prospects),
        asks_level_(asks_level),
        ledger_(ledger),
        event_(ledger, low.event()),
        probabilities_(model),
        rules_(policy),
        limits_(limits),
        share_(limits) {
    tally_.low = probabilities_.zero();
    tally_.high = probabilities_.zero();
  }

  Tally<Probability> run() {
    come_to(0, policy_.setting.initial, ledger_.zero(), probabilities_.one());
    layer_.swap(next_);
    for (std::uint64_t time = 0; !layer_.empty() && !is_over(); ++time) {
      tally_.places += layer_.size();
      next_.clear();
      for (std::size_t i = 0; i < layer_.size() && !is_over(); ++i) advance(time, i);
      merge_places(next_, limits_);
      layer_.swap(next_);
    }
    return std::move(tally_);
  }

 private:
  [[nodiscard]] bool is_over() const { return tally_.ended || tally_.too_large; }

  void advance(std::uint64_t time, std::size_t i) {
    const Place<Wealth, Probability>& place = layer_[i];
    tally_.ended = limits_.ended(100 + nanoseconds_of(place.mass));
    if (tally_.ended) return;
    if (low_.is_end(place.state) || time == low_.horizon()) {
      finish(place);
      return;
    }
    if (i == 0 || layer_[i - 1].state != place.state || !rule_)
      rule_ = rules_.rule(ledger_, time, place.state);
    for (const Outcome& o : model_.outcomes(rule_->decide(place.wealth))) {
      limits_.require(100 + nanoseconds_of(place.mass));
      come_to(time + 1,
              o.next,
              Wealth(place.wealth + ledger_.reward(time, o.reward)),
              Probability(place.mass * probabilities_.of(o)));
    }
  }

  void come_to(std::uint64_t time, State s, Wealth wealth, Probability mass) {
    const auto fate = prospects_.decided(time, s, wealth);
    if (fate && !(asks_level_ && fate->may_be_level && !tally_.some_at)) {
      decide(fate->is_within, mass);
      return;
    }
    if (next_.size() == next_.capacity()) make_room(wealth, mass);
    if (!tally_.too_large) next_.push_back({s, std::move(wealth), std::move(mass)});
  }

  void decide(bool is_within, const Probability& mass) {
    (is_within ? tally_.surely_some : tally_.surely_outside) = true;
    (is_within ? tally_.maybe_some : tally_.maybe_outside) = true;
    if (!is_within) return;
    tally_.low += mass;
    tally_.high += mass;
  }

  // Equal places become one before there is room for more.
  void make_room(const Wealth& wealth, const Probability& mass) {
    merge_places(next_, limits_);
    tally_.too_large = next_.size() > Ledger::kMostPlaces;
    const std::size_t wanted = std::max<std::size_t>(1024, 2 * next_.size());
    const std::uint64_t each = sizeof(next_[0]) + bytes_beside(wealth) + bytes_beside(mass);
    // This layer, the last one, and both copies of what is moved.
    share_.set((2 * wanted + layer_.capacity()) * each);
    next_.reserve(wanted);
  }

  void finish(const Place<Wealth, Probability>& place) {
    const Wealth low = place.wealth + low_.tail_in(ledger_, place.state);
    const Wealth high = place.wealth + high_.tail_in(ledger_, place.state);
    const EndValue& least = low_.value(place.state);
    const EndValue& most = high_.value(place.state);
    const Rational& surely = event_.holds(low) ? least.in : least.out;
    const Rational& maybe = event_.holds(high) ? most.in : most.out;
    add(tally_.low, place.mass, surely);
    add(tally_.high, place.mass, maybe);
    tally_.surely_some = tally_.surely_some || surely > 0;
    tally_.maybe_some = tally_.maybe_some || maybe > 0;
    tally_.surely_outside = tally_.surely_outside || maybe < 1;
    tally_.maybe_outside = tally_.maybe_outside || surely < 1;
    tally_.some_at = tally_.some_at || may_be_level(place, least);
  }

  [[nodiscard]] bool may_be_level(const Place<Wealth, Probability>& place,
                                  const EndValue& value) const {
    if (low_.is_cut() && !low_.is_end(place.state)) return true;
    if (value.in == value.out) return low_.event().level().is_miss();  // it is a miss
    return event_.is_level(place.wealth);
  }

  void add(Probability& sum, const Probability& mass, const Rational& share) {
    if (share == 0) return;
    sum += share == 1 ? mass : Probability(mass * probabilities_.of(share));
  }

  const Model& model_;
  const Policy& policy_;
  const Ends& low_;
  const Ends& high_;
  const PolicyProspects<Ledger>& prospects_;
  bool asks_level_;
  Ledger& ledger_;
  WealthEvent<Ledger> event_;
  Probabilities probabilities_;
  RuleBook rules_;
  CheckLimits& limits_;
  MemoryShare share_;
  Tally<Probability> tally_;
  std::vector<Place<Wealth, Probability>> layer_;
  std::vector<Place<Wealth, Probability>> next_;
  std::optional<WealthRule<Wealth>> rule_;
};

}  // namespace quantiplan::checking
