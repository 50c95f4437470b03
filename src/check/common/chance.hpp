// The probability of an event under one policy: bounds, and the facts that no rounding touches.
#pragma once

#include "check/common/demand.hpp"

namespace quantiplan::checking {

struct Chance {
  Bounds bounds;
  // Is there a history of positive probability within the event? One outside? Each surely, and as
  // far as can be excluded; they differ where what follows a cut is only bounded.
  bool surely_some = false;
  bool maybe_some = false;
  bool surely_all = false;
  bool maybe_all = false;

  // Certainty and possibility are facts about the graph, not about sums.
  static Chance of(Bounds bounds, bool some_within, bool some_outside) {
    Chance chance{std::move(bounds), some_within, some_within, !some_outside, !some_outside};
    chance.apply_facts();
    return chance;
  }
  void apply_facts() {
    if (surely_all) bounds = Bounds::of(Rational(1));
    if (!maybe_some) bounds = Bounds::of(Rational(0));
  }

  [[nodiscard]] Verdict meets(const Demand& demand) const {
    const auto fact = [](bool surely, bool maybe) {
      return surely ? Verdict::yes : maybe ? Verdict::open : Verdict::no;
    };
    if (demand.theta == 1 && demand.side == Side::upper) return fact(surely_all, maybe_all);
    if (demand.theta == 0 && demand.side == Side::lower) return fact(surely_some, maybe_some);
    return demand.met_by(bounds);
  }
};

}  // namespace quantiplan::checking
