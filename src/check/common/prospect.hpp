// What may still be collected from a place on, so that it need not be followed where the outcome is
// decided.
//
//     least    <=  what is collected from there on, at ends where wealth matters   <=  greatest
//     decided  within the event: wealth + least is enough, and all ends are worth 1 then
//              outside: wealth + greatest is not, and all ends are worth 0 then
//
// Ends are taken from both sides of the truth: they differ in what follows a cut.
#pragma once

#include <optional>

#include "check/common/ends.hpp"
#include "check/common/wealth_ledger.hpp"

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
EndWorth end_worth(const Ends& low,
                   const Ends& high,
                   const Ledger& ledger,
                   const WealthEvent<Ledger>& event,
                   State s,
                   const typename Ledger::Wealth& wealth) {
  using Wealth = typename Ledger::Wealth;
  const EndValue& worst = low.value(s);
  const EndValue& best = high.value(s);
  EndWorth worth{event.holds(Wealth(wealth + low.tail_in(ledger, s))) ? worst.in : worst.out,
                 event.holds(Wealth(wealth + high.tail_in(ledger, s))) ? best.in : best.out,
                 event.is_level(wealth)};
  if (worst.in == worst.out) worth.may_be_level = low.event().level().is_miss();
  if (low.is_cut() && !low.is_end(s)) worth.may_be_level = true;
  return worth;
}

template <class Ledger>
struct Prospect {
  using Wealth = typename Ledger::Wealth;
  bool matters = false;
  bool one_within = true;
  bool zero_outside = true;
  bool may_be_level = false;  // at an end where wealth does not say
  Wealth least{};
  Wealth greatest{};

  static Prospect at_end(const Ends& low, const Ends& high, const Ledger& ledger, State s) {
    const EndValue& worst = low.value(s);
    const EndValue& best = high.value(s);
    Prospect end;
    end.matters = worst.in != worst.out || best.in != best.out;
    end.one_within = worst.in == 1;
    end.zero_outside = best.out == 0;
    const bool is_cut_off = low.is_cut() && !low.is_end(s);
    end.may_be_level = is_cut_off || (!end.matters && low.event().level().is_miss());
    end.least = low.tail_in(ledger, s);
    end.greatest = high.tail_in(ledger, s);
    return end;
  }

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

}  // namespace quantiplan::checking
