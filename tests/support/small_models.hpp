// Small models whose answers are known by hand, shared by the tests.
#pragma once

#include "quantiplan/model.hpp"

namespace quantiplan::testing {

// Start 'home': bike surely -40; train -10, then 9/10 station, 1/10 home again; at the station
// wait: -15 with 4/5, -45 with 1/5. Horizon 3.
inline Model commute() {
  ModelBuilder b;
  b.name("commute").horizon(3).initial("home");
  b.begin_choice("home", "bike").add_outcome("office", 1, -40);
  b.begin_choice("home", "train")
      .add_outcome("station", "9/10", -10)
      .add_outcome("home", "1/10", -10);
  b.begin_choice("station", "wait")
      .add_outcome("office", "4/5", -15)
      .add_outcome("office", "1/5", -45);
  return b.build();
}

// One decision: surely 5, or 0 and 100 with probability 1/2 each.
inline Model safe_or_gamble() {
  ModelBuilder b;
  b.name("safe or gamble").horizon(1).initial("s");
  b.begin_choice("s", "gamble").add_outcome("end", "1/2", 0).add_outcome("end", "1/2", 100);
  b.begin_choice("s", "safe").add_outcome("end", 1, 5);
  return b.build();
}

// The paper's Example 2: gamma 9/10, in s1 either a1 (1/10: 1 and stay, 9/10: -1 and leave) or a2
// (1 and leave); s2 repeats itself for nothing.
inline Model paper_example_2(std::uint64_t horizon) {
  ModelBuilder b;
  b.name("example 2").horizon(horizon).discount("0.9").initial("s1");
  b.begin_choice("s1", "a1").add_outcome("s1", "0.1", 1).add_outcome("s2", "0.9", -1);
  b.begin_choice("s1", "a2").add_outcome("s2", 1, 1);
  b.begin_choice("s2", "a1").add_outcome("s2", 1, 0);
  b.begin_choice("s2", "a2").add_outcome("s2", 1, 0);
  return b.build();
}

// A fair coin tossed `tosses` times, 1 for heads and 0 for tails: a binomial total.
inline Model coin(std::uint64_t tosses) {
  ModelBuilder b;
  b.name("coin").horizon(tosses).initial("s");
  b.begin_choice("s", "toss").add_outcome("s", "1/2", 1).add_outcome("s", "1/2", 0);
  return b.build();
}

}  // namespace quantiplan::testing
