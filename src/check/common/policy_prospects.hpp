// What a policy may still collect from each (time, state) that it can come to, so that it need not
// be followed where the outcome is decided.
//
//     least    <=  what it collects from there on, at ends where wealth matters   <=  greatest
//     decided  within the event: wealth + least is enough, and all ends are worth 1 then
//              outside: wealth + greatest is not, and all ends are worth 0 then
//
// Of 2^22 wealths after 22 steps at the discount 1/2, two or three are open at each time: what
// follows is worth no more than what lies between two neighbours. All runs of a rule that its
// interval meets count (policy_reach.hpp). Ends are taken from both sides of the truth.
#pragma once

#include <optional>
#include <vector>

#include "check/common/policy_reach.hpp"
#include "check/common/wealth_ledger.hpp"

namespace quantiplan::checking {

template <class Ledger>
class PolicyProspects {
 public:
  using Wealth = typename Ledger::Wealth;
  using Course = WealthCourse<Ledger>;
  struct Decided {
    bool is_within = false;
    bool may_be_level = false;  // W' may be the level: asked of quantiles that are claimed exactly
  };

  // `low` and `high` are the same but for what follows a cut. All must outlive it.
  PolicyProspects(const Model& model,
                  const Ends& low,
                  const Ends& high,
                  const PolicyReach<Course>& reach,
                  Course& course,
                  Ledger& ledger,
                  CheckLimits& limits)
      : model_(model),
        low_(low),
        high_(high),
        reach_(reach),
        course_(course),
        ledger_(ledger),
        event_(ledger, low.event()),
        limits_(limits),
        share_(limits) {
    share_.set(reach.size() * sizeof(Prospect));
    prospects_.resize(reach.size());
    for (std::uint64_t time = reach.times(); time-- > 0;) {
      course_.move_to(time);
      for (const auto& met : reach.layer(time)) {
        Prospect& here = prospects_[reach.position(time, met.state)];
        here =
            time == low.horizon() || low.is_end(met.state) ? at_end(met.state) : before(time, met);
        share_.add(bytes_beside(here.least) + bytes_beside(here.greatest));
      }
    }
  }

  // Nullopt if the outcome is open there. Needs a place that the policy can come to.
  [[nodiscard]] std::optional<Decided> decided(std::uint64_t time,
                                               State s,
                                               const Wealth& wealth) const {
    const Prospect& to_come = prospects_[reach_.position(time, s)];
    const bool matters = to_come.matters;
    const auto fate = [&](bool is_within, const Wealth& nearest) {
      const bool is_level = matters && event_.is_level(nearest);
      return Decided{is_within, is_level || to_come.may_be_level};
    };
    const Wealth least = wealth + to_come.least;
    if (to_come.one_within && (!matters || event_.holds(least))) return fate(true, least);
    const Wealth greatest = wealth + to_come.greatest;
    if (to_come.zero_outside && (!matters || !event_.holds(greatest))) return fate(false, greatest);
    return std::nullopt;
  }

 private:
  struct Prospect {
    bool matters = false;
    bool one_within = true;
    bool zero_outside = true;
    bool may_be_level = false;  // at an end where wealth does not say
    Wealth least{};
    Wealth greatest{};
  };

  [[nodiscard]] Prospect at_end(State s) const {
    const EndValue& least = low_.value(s);
    const EndValue& most = high_.value(s);
    Prospect end;
    end.matters = least.in != least.out || most.in != most.out;
    end.one_within = least.in == 1;
    end.zero_outside = most.out == 0;
    const bool is_cut_off = low_.is_cut() && !low_.is_end(s);
    end.may_be_level = is_cut_off || (!end.matters && low_.event().level().is_miss());
    end.least = low_.tail_in(ledger_, s);
    end.greatest = high_.tail_in(ledger_, s);
    return end;
  }

  Prospect before(std::uint64_t time, const typename PolicyReach<Course>::Met& met) {
    Prospect all;
    course_.for_each_run(
        time, met.state, met.low, met.high, [&](Choice c, const auto&, const auto&) {
          for (const Outcome& o : model_.outcomes(c)) {
            limits_.require(50 + nanoseconds_of(met.low));
            const Prospect& next = prospects_[reach_.position(time + 1, o.next)];
            all.one_within = all.one_within && next.one_within;
            all.zero_outside = all.zero_outside && next.zero_outside;
            all.may_be_level = all.may_be_level || next.may_be_level;
            if (!next.matters) continue;
            const Wealth reward = ledger_.reward(time, o.reward);
            const Wealth low = reward + next.least;
            const Wealth high = reward + next.greatest;
            if (!all.matters || low < all.least) all.least = low;
            if (!all.matters || high > all.greatest) all.greatest = high;
            all.matters = true;
          }
        });
    // Nobody comes to a place without a rule; an interval may.
    if (!met.has_rule) all.one_within = all.zero_outside = false;
    return all;
  }

  const Model& model_;
  const Ends& low_;
  const Ends& high_;
  const PolicyReach<Course>& reach_;
  Course& course_;
  Ledger& ledger_;
  WealthEvent<Ledger> event_;
  CheckLimits& limits_;
  MemoryShare share_;
  std::vector<Prospect> prospects_;
};

}  // namespace quantiplan::checking
