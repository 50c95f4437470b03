// What a policy may still collect from each (time, state) that it can come to (prospect.hpp).
//
// Of 2^22 wealths after 22 steps at the discount 1/2, two or three are open at each time: what
// follows is worth no more than what lies between two neighbours. All runs of a rule that its
// interval meets count (policy_reach.hpp).
#pragma once

#include <optional>
#include <vector>

#include "check/common/policy_reach.hpp"
#include "check/common/prospect.hpp"

namespace quantiplan::checking {

template <class Ledger>
class PolicyProspects {
 public:
  using Wealth = typename Ledger::Wealth;
  using Course = WealthCourse<Ledger>;

  // `low` and `high` are the same but for what follows a cut. All must outlive it.
  PolicyProspects(const CheckCase& task,
                  const Ends& low,
                  const Ends& high,
                  const PolicyReach<Course>& reach,
                  Course& course,
                  Ledger& ledger)
      : task_(task),
        low_(low),
        high_(high),
        reach_(reach),
        course_(course),
        ledger_(ledger),
        event_(ledger, low.event()),
        share_(task.limits) {
    share_.set(reach.size() * sizeof(Prospect<Ledger>));
    prospects_.resize(reach.size());
    for (std::uint64_t time = reach.times(); time-- > 0;) {
      course_.move_to(time);
      for (const auto& met : reach.layer(time)) {
        Prospect<Ledger>& here = prospects_[reach.position(time, met.state)];
        here = time == low.horizon() || low.is_end(met.state)
                   ? Prospect<Ledger>::at_end(low, high, ledger, met.state)
                   : before(time, met);
        share_.add(bytes_beside(here.least) + bytes_beside(here.greatest));
      }
    }
  }

  // Nullopt if the outcome is open there. Needs a place that the policy can come to.
  [[nodiscard]] std::optional<Decided> decided(std::uint64_t time,
                                               State s,
                                               const Wealth& wealth) const {
    return prospects_[reach_.position(time, s)].decided(event_, wealth);
  }
  // At an end, or at the horizon.
  [[nodiscard]] EndWorth end(State s, const Wealth& wealth) const {
    return end_worth(low_, high_, ledger_, event_, s, wealth);
  }

 private:
  Prospect<Ledger> before(std::uint64_t time, const typename PolicyReach<Course>::Met& met) {
    Prospect<Ledger> all;
    course_.for_each_run(
        time, met.state, met.low, met.high, [&](Choice c, const auto&, const auto&) {
          for (const Outcome& o : task_.model.outcomes(c)) {
            task_.limits.require(50 + nanoseconds_of(met.low));
            all.include(prospects_[reach_.position(time + 1, o.next)],
                        ledger_.reward(time, o.reward));
          }
        });
    // Nobody comes to a place without a rule; an interval may.
    if (!met.has_rule) all.one_within = all.zero_outside = false;
    return all;
  }

  const CheckCase& task_;
  const Ends& low_;
  const Ends& high_;
  const PolicyReach<Course>& reach_;
  Course& course_;
  Ledger& ledger_;
  WealthEvent<Ledger> event_;
  MemoryShare share_;
  std::vector<Prospect<Ledger>> prospects_;
};

}  // namespace quantiplan::checking
