// Which episodes count as W >= y, where rewards never change their sign: the four constants that
// tell one kind of problem from another.
//
//                          gains (r >= 0)                 losses (r <= 0)
//     D(s, y), beyond      y <= 0: base                   y > 0: base
//     depth of y           d = y                          d = 1 - y
//     after a reward r     d - |r|                        d - |r|          base where it is below 1
//
//                          miss: none   worst   best      none   worst   best
//     base                 1       P(goal)  1             0      0       P(no goal)
//     at a goal            -       0        0             -      1       1
//     at another end       0       0        1             1      0       1
//     zero-reward cycle    0       0        1             1      0       1
//
// So both signs are one recursion on the depth, and "zero-reward cycle" says which fixpoint it has
// within a level: the least (reachability) or the greatest (safety). `best` is an adversary's view:
// minimising P(goal reached and W >= y) is maximising P(missed, or W < y). Source: semantics,
// section 4.
#pragma once

namespace quantiplan {

// What an episode counts as that never reaches a goal.
enum class Miss { none, worst, best };  // none: there is no goal

struct Event {
  bool gains = true;
  Miss miss = Miss::none;

  [[nodiscard]] bool goal_counts() const noexcept { return !gains; }
  [[nodiscard]] bool other_end_counts() const noexcept {
    return miss == Miss::best || (miss == Miss::none && !gains);
  }
  // True: the greatest fixpoint within a level.
  [[nodiscard]] bool staying_counts() const noexcept { return other_end_counts(); }
};

}  // namespace quantiplan
