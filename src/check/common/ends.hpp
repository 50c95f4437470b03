// Where episodes end, or are cut off, and what the event is worth there.
//
//     in   the chance of the event if the wealth is enough, out   if it is not      in >= out
//
//                                   no goal      misses as the worst    misses as the best
//     terminal state                1, 0         0, 0                   1, 1
//     goal                          -            1, 0                   1, 0
//     the horizon                   1, 0         0, 0                   1, 1
//     cut off there (truncated)     1, 0         P(goal), 0             1, P(no goal)
//
// "Enough" is said of the wealth together with a tail: what follows a cut, bounded from one side
// (tail_bounds.hpp). So passes over time look at ends only here.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "check/common/counted.hpp"
#include "quantiplan/model.hpp"

namespace quantiplan::checking {

struct EndValue {
  Rational in = 1;
  Rational out = 0;
};

// What follows a cut, by state.
struct Cut {
  std::vector<EndValue> value;
  std::vector<Rational> tail;  // in units of time 0
  bool is_upper = false;       // values and tails are upper bounds, else lower ones
};

class Ends {
 public:
  // A finite horizon.
  Ends(const Model& model, const ResolvedSetting& setting, const Event& event);
  // Cut off after `steps`.
  Ends(const Model& model,
       const ResolvedSetting& setting,
       const Event& event,
       std::uint64_t steps,
       Cut cut);

  // Of a finite horizon, or of the cut.
  [[nodiscard]] const ResolvedSetting& setting() const { return setting_; }
  [[nodiscard]] std::uint64_t horizon() const { return setting_.horizon; }
  [[nodiscard]] const InitialStates& initial() const { return setting_.initial; }
  // Sums that round, and the most terms of one: a draw of the initial state is one more.
  [[nodiscard]] std::uint64_t sums() const { return horizon() + (initial().is_certain() ? 0 : 1); }
  [[nodiscard]] std::size_t most_terms(const Model& model) const {
    return std::max(model.most_outcomes(), initial().size());
  }
  [[nodiscard]] const Event& event() const { return event_; }
  [[nodiscard]] bool is_cut() const { return !cut_.value.empty(); }
  // The episode is over, whatever the time.
  [[nodiscard]] bool is_end(State s) const { return is_end_[index(s)]; }
  // At an end, or at the horizon.
  [[nodiscard]] const EndValue& value(State s) const {
    if (is_end(s)) return is_counted(s) ? counted_ : missed_;
    return is_cut() ? cut_.value[index(s)] : at_horizon_;
  }
  // 0 except where it is cut off.
  [[nodiscard]] const Rational& tail(State s) const {
    return is_cut() && !is_end(s) ? cut_.tail[index(s)] : zero_;
  }
  // The same as a ledger's wealth, rounded to the side it bounds.
  template <class Ledger>
  [[nodiscard]] typename Ledger::Wealth tail_in(const Ledger& ledger, State s) const {
    return cut_.is_upper ? ledger.at_least(tail(s)) : ledger.at_most(tail(s));
  }
  // The largest of all tails, in size.
  [[nodiscard]] Rational largest_tail() const;

 private:
  [[nodiscard]] bool is_counted(State s) const;

  ResolvedSetting setting_;
  Event event_;
  std::vector<bool> is_end_;
  EndValue counted_;
  EndValue missed_;
  EndValue at_horizon_;
  Cut cut_;
  Rational zero_ = 0;
};

}  // namespace quantiplan::checking
