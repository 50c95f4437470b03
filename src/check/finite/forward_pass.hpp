// How probable the event is under a policy, by a forward pass over its wealth.
//
//     mass_0(s0, w0) = 1      mass_{t+1}(s', w o r) += mass_t(s, w) * p     for the action taken
//     P(event) = sum over ends of  mass * (enough ? in : out)                       (ends.hpp)
//
// Sums are one wealth among others: there w o r is w + gamma^t r'. One layer of time is kept at
// once, as a list sorted by (state, wealth); equal places are added, and those where the outcome is
// decided (prospects.hpp) are not followed any further. What follows a cut is bounded from both
// sides, so there are two sums. Cost: O(n b log(n b)) per layer of n open places.
#pragma once

#include <algorithm>
#include <cstdint>
#include <limits>
#include <utility>
#include <vector>

#include "check/common/chance.hpp"
#include "check/common/check_limits.hpp"
#include "check/common/ends.hpp"
#include "check/common/outward_interval.hpp"
#include "check/common/policy_reach.hpp"
#include "check/finite/prospects.hpp"
#include "quantiplan/model.hpp"

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
  bool stopped = false;  // more places than were asked for

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
struct Mass {
  Place<Wealth> place;
  Probability mass;
};

// Sorts by (state, wealth) and adds the masses of equal places.
template <class Wealth, class Probability>
void merge_places(std::vector<Mass<Wealth, Probability>>& places, CheckLimits& limits) {
  using M = Mass<Wealth, Probability>;
  const auto less = [](const M& a, const M& b) { return a.place < b.place; };
  std::sort(places.begin(), places.end(), watched(limits, less));
  std::size_t kept = 0;
  for (std::size_t i = 0; i < places.size(); ++i) {
    limits.require(nanoseconds_of(places[i].mass));
    if (kept > 0 && places[kept - 1].place == places[i].place) {
      places[kept - 1].mass += places[i].mass;
    } else {
      if (kept != i) places[kept] = std::move(places[i]);
      ++kept;
    }
  }
  places.erase(places.begin() + static_cast<std::ptrdiff_t>(kept), places.end());
}

// A course says what a policy does and what its wealth becomes (policy_reach.hpp); an outlook says
// decided(t, s, wealth), where it is, and what an end(s, wealth) is worth.
template <class Course, class Outlook, class Probabilities>
class ForwardPass {
 public:
  using Wealth = typename Course::Key;
  using Probability = typename Probabilities::Probability;

  // `asks_level`: whether W' can be the level matters. Needs a policy with a rule wherever it comes.
  ForwardPass(const Model& model,
              const Ends& ends,
              Course& course,
              const Outlook& outlook,
              bool asks_level,
              CheckLimits& limits)
      : model_(model),
        ends_(ends),
        course_(course),
        outlook_(outlook),
        asks_level_(asks_level),
        probabilities_(model),
        limits_(limits),
        share_(limits) {
    tally_.low = probabilities_.zero();
    tally_.high = probabilities_.zero();
  }

  // Stops where more places than this are met, and many at one time.
  Tally<Probability> run(std::uint64_t most_places = std::numeric_limits<std::uint64_t>::max()) {
    for (const auto& [state, mu] : ends_.initial())
      come_to(0, state, course_.start(), mu == 1 ? probabilities_.one() : probabilities_.of(mu));
    layer_.swap(next_);
    for (std::uint64_t time = 0; !layer_.empty() && !is_over(); ++time) {
      tally_.places += layer_.size();
      tally_.stopped = tally_.places > most_places && layer_.size() > kFewAtOnce;
      if (tally_.stopped) break;
      next_.clear();
      course_.move_to(time);
      for (std::size_t i = 0; i < layer_.size() && !is_over(); ++i) advance(time, layer_[i]);
      merge_places(next_, limits_);
      layer_.swap(next_);
    }
    return std::move(tally_);
  }

 private:
  static constexpr std::size_t kFewAtOnce = 500;

  [[nodiscard]] bool is_over() const { return tally_.ended || tally_.too_large; }

  void advance(std::uint64_t time, const Mass<Wealth, Probability>& here) {
    tally_.ended = limits_.ended(100 + nanoseconds_of(here.mass));
    if (tally_.ended) return;
    const auto& [state, wealth] = here.place;
    if (ends_.is_end(state) || time == ends_.horizon()) {
      finish(here);
      return;
    }
    const Choice choice = *course_.decide(time, state, wealth);
    for (const Outcome& o : model_.outcomes(choice)) {
      limits_.require(100 + nanoseconds_of(here.mass));
      come_to(time + 1,
              o.next,
              course_.after(wealth, o),
              Probability(here.mass * probabilities_.of(o)));
    }
  }

  void come_to(std::uint64_t time, State s, Wealth wealth, Probability mass) {
    const auto fate = outlook_.decided(time, s, wealth);
    if (fate && !(asks_level_ && fate->may_be_level && !tally_.some_at)) {
      decide(fate->is_within, mass);
      return;
    }
    if (next_.size() == next_.capacity()) make_room(wealth, mass);
    if (!tally_.too_large) next_.push_back({{s, std::move(wealth)}, std::move(mass)});
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
    tally_.too_large = next_.size() > Course::kMostPlaces;
    const std::size_t wanted = std::max<std::size_t>(1024, 2 * next_.size());
    const std::uint64_t each = sizeof(next_[0]) + bytes_beside(wealth) + bytes_beside(mass);
    // This layer, the last one, and both copies of what is moved.
    share_.set((2 * wanted + layer_.capacity()) * each + course_.bytes());
    next_.reserve(wanted);
  }

  void finish(const Mass<Wealth, Probability>& here) {
    const EndWorth worth = outlook_.end(here.place.state, here.place.key);
    add(tally_.low, here.mass, worth.surely);
    add(tally_.high, here.mass, worth.maybe);
    tally_.surely_some = tally_.surely_some || worth.surely > 0;
    tally_.maybe_some = tally_.maybe_some || worth.maybe > 0;
    tally_.surely_outside = tally_.surely_outside || worth.maybe < 1;
    tally_.maybe_outside = tally_.maybe_outside || worth.surely < 1;
    tally_.some_at = tally_.some_at || worth.may_be_level;
  }

  void add(Probability& sum, const Probability& mass, const Rational& share) {
    if (share == 0) return;
    sum += share == 1 ? mass : Probability(mass * probabilities_.of(share));
  }

  const Model& model_;
  const Ends& ends_;
  Course& course_;
  const Outlook& outlook_;
  bool asks_level_;
  Probabilities probabilities_;
  CheckLimits& limits_;
  MemoryShare share_;
  Tally<Probability> tally_;
  std::vector<Mass<Wealth, Probability>> layer_;
  std::vector<Mass<Wealth, Probability>> next_;
};

}  // namespace quantiplan::checking
