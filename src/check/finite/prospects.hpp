// What may still be collected from each (time, state) on, so that a place need not be followed where
// the outcome is decided.
//
//     least    <=  what is collected from there on, at ends where wealth matters   <=  greatest
//     decided  within the event: wealth + least is enough, and all ends are worth 1 then
//              outside: wealth + greatest is not, and all ends are worth 0 then
//
// Of 2^22 wealths after 22 steps at the discount 1/2, two or three are open at each time: what
// follows is worth no more than what lies between two neighbours. Of a policy, all runs of a rule
// count that its interval meets (policy_reach.hpp). Ends are taken from both sides of the truth:
// they differ in what follows a cut.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "check/common/check_limits.hpp"
#include "check/common/ends.hpp"
#include "check/common/wealth_ledger.hpp"
#include "quantiplan/model.hpp"

namespace quantiplan::checking {

// The outcome of a place where nothing that follows can change it.
struct Decided {
  bool is_within = false;
  bool may_be_level = false;  // W' may be the level: asked of quantiles that are claimed exactly
};

// What an end is worth: surely, and as far as can be excluded.
struct EndWorth {
  Rational surely;
  Rational maybe;
  bool may_be_level = false;
};

template <class Ledger>
struct Prospect {
  using Wealth = typename Ledger::Wealth;
  bool matters = false;
  bool one_within = true;
  bool zero_outside = true;
  bool may_be_level = false;  // at an end where wealth does not say
  Wealth least{};
  Wealth greatest{};

  // One more way to go on.
  void include(const Prospect& next, const Wealth& reward) {
    one_within = one_within && next.one_within;
    zero_outside = zero_outside && next.zero_outside;
    may_be_level = may_be_level || next.may_be_level;
    if (!next.matters) return;
    const Wealth low = reward + next.least;
    const Wealth high = reward + next.greatest;
    if (!matters || low < least) least = low;
    if (!matters || high > greatest) greatest = high;
    matters = true;
  }

  // Nullopt if the outcome is open.
  [[nodiscard]] std::optional<Decided> decided(const WealthEvent<Ledger>& event,
                                               const Wealth& wealth) const {
    const auto fate = [&](bool is_within, const Wealth& nearest) {
      return Decided{is_within, (matters && event.is_level(nearest)) || may_be_level};
    };
    const Wealth worst = wealth + least;
    if (one_within && (!matters || event.holds(worst))) return fate(true, worst);
    const Wealth best = wealth + greatest;
    if (zero_outside && (!matters || !event.holds(best))) return fate(false, best);
    return std::nullopt;
  }
};

// Where anybody can come: every state at every time, with any wealth.
template <class Ledger>
class WholeReach {
 public:
  struct Met {
    State state;
    typename Ledger::Wealth low{};
    typename Ledger::Wealth high{};
    bool has_rule = true;
  };
  WholeReach(const Model& model, const Ends& ends) : times_(ends.horizon() + 1) {
    for (std::uint32_t i = 0; i < model.state_count(); ++i) states_.push_back({State{i}});
  }

  [[nodiscard]] std::size_t size() const { return times_ * states_.size(); }
  [[nodiscard]] std::uint64_t times() const { return times_; }
  [[nodiscard]] const std::vector<Met>& layer(std::uint64_t) const { return states_; }
  [[nodiscard]] std::size_t position(std::uint64_t time, State s) const {
    return time * states_.size() + index(s);
  }

 private:
  std::vector<Met> states_;
  std::uint64_t times_;
};

template <class Ledger, class Reach, class Course>
class Prospects {
 public:
  using Wealth = typename Ledger::Wealth;

  // `low` and `high` are the same but for what follows a cut. All must outlive it.
  Prospects(const Model& model,
            const Ends& low,
            const Ends& high,
            const Reach& reach,
            Course& course,
            Ledger& ledger,
            CheckLimits& limits)
      : low_(low),
        high_(high),
        reach_(reach),
        ledger_(ledger),
        event_(ledger, low.event()),
        share_(limits) {
    share_.set(reach.size() * sizeof(Prospect<Ledger>));
    prospects_.resize(reach.size());
    for (std::uint64_t time = reach.times(); time-- > 0;) {
      course.move_to(time);
      for (const auto& met : reach.layer(time)) {
        limits.require(100);
        Prospect<Ledger>& here = prospects_[reach.position(time, met.state)];
        const auto include = [&](Choice c, const Wealth&, const Wealth&) {
          for (const Outcome& o : model.outcomes(c)) {
            const Prospect<Ledger>& next = prospects_[reach.position(time + 1, o.next)];
            limits.require(20 + nanoseconds_of(next.least));
            here.include(next, ledger.reward(time, o.reward));
          }
        };
        if (time == low.horizon() || low.is_end(met.state))
          here = at_end(met.state);
        else
          course.for_each_run(time, met.state, met.low, met.high, include);
        // Nobody comes to a place without a rule; an interval may.
        if (!met.has_rule) here.one_within = here.zero_outside = false;
        share_.add(bytes_beside(here.least) + bytes_beside(here.greatest));
      }
    }
  }

  // Nullopt if the outcome is open there. Needs a place that can be met.
  [[nodiscard]] std::optional<Decided> decided(std::uint64_t time,
                                               State s,
                                               const Wealth& wealth) const {
    return prospects_[reach_.position(time, s)].decided(event_, wealth);
  }
  // At an end, or at the horizon.
  [[nodiscard]] EndWorth end(State s, const Wealth& wealth) const {
    const EndValue& worst = low_.value(s);
    const EndValue& best = high_.value(s);
    EndWorth worth{event_.holds(Wealth(wealth + low_.tail_in(ledger_, s))) ? worst.in : worst.out,
                   event_.holds(Wealth(wealth + high_.tail_in(ledger_, s))) ? best.in : best.out,
                   event_.is_level(wealth)};
    if (worst.in == worst.out) worth.may_be_level = low_.event().level().is_miss();
    if (low_.is_cut() && !low_.is_end(s)) worth.may_be_level = true;
    return worth;
  }

 private:
  [[nodiscard]] Prospect<Ledger> at_end(State s) const {
    const EndValue& worst = low_.value(s);
    const EndValue& best = high_.value(s);
    const bool matters = worst.in != worst.out || best.in != best.out;
    const bool is_cut_off = low_.is_cut() && !low_.is_end(s);
    return {.matters = matters,
            .one_within = worst.in == 1,
            .zero_outside = best.out == 0,
            .may_be_level = is_cut_off || (!matters && low_.event().level().is_miss()),
            .least = low_.tail_in(ledger_, s),
            .greatest = high_.tail_in(ledger_, s)};
  }

  const Ends& low_;
  const Ends& high_;
  const Reach& reach_;
  Ledger& ledger_;
  WealthEvent<Ledger> event_;
  MemoryShare share_;
  std::vector<Prospect<Ledger>> prospects_;
};

}  // namespace quantiplan::checking
