// At the infinite horizon: the policy that ends well most probably, and then has the best expected
// total of the episodes that do.
//
//     P(s) = max P(ends well)
//     K(s) = max over choices that keep P of  sum p ( r P(s') + K(s') )       E[W; ends well]
//
//     ends well      a goal is reached; without one, losses: the total is finite (an end, or a
//                    zero-reward component); gains: always, P = 1
//
// A choice that keeps P need not attain it: whoever goes round for ever keeps everything, and saves
// the costs. Components of choices that keep P and pay nothing are therefore collapsed to their best
// way out (equations.hpp). Any other cycle costs something each time, so policy iteration that
// begins with a policy that gets on never comes to one that does not. Where a cycle gains, K has no
// bound, and no policy attains it; without a goal one stays there, and the total is infinite.
//
// P is compared exactly: on the graph where it is 1, else in rationals. K is found in rationals
// where that is cheap, else in doubles: what such a policy attains is to be evaluated, not taken
// from here.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "base/limits.hpp"
#include "infinite/levels/good_ends.hpp"
#include "infinite/levels/moves.hpp"

namespace quantiplan {

struct BestArrivals {
  std::vector<std::uint32_t> choice = {};  // by slot: of the graph; kNoChoice at ends
  KeptChances kept = {};  // P, by slot, and who keeps it; not where gains never end
  bool has_bound = true;  // false: a supremum, and no choices
  static constexpr std::uint32_t kNoChoice = ~std::uint32_t{0};
};

// Counted rewards of one sign. From s0, or from every slot: then the choices do not stop at those that
// s0 comes to. Nullopt if the limits ended it, or if P is less than 1 and the part
// that can be met too large for rationals.
std::optional<BestArrivals> best_arrivals(
    const Moves& moves, bool has_goal, bool gains, Whence whence, Limits& limits);

}  // namespace quantiplan
