// Where episodes end well at the infinite horizon, and which choices keep the greatest chance of it.
//
//     ends well      a goal is reached; without one, losses: the total is finite (an end, or a
//                    zero-reward component); gains: always
//     keeps P        sum p P(s') = P(s),   P(s) = max P(ends well)
//
// P is compared exactly: on the graph where it is 0 or 1, else in rationals.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "base/limits.hpp"
#include "infinite/levels/moves.hpp"
#include "model/end_components.hpp"

namespace quantiplan {

// By choice: whether none of its rewards is other than 0; by arc, the same as rows of equations.
struct Payments {
  explicit Payments(const Moves& moves);
  std::vector<bool> is_free;
  std::vector<std::uint32_t> row_of_arc;
};

// Where episodes end well, and where they end otherwise.
struct Endings {
  std::vector<bool> well;   // by slot
  std::vector<bool> other;  // ends that are not well
  EndComponents staying;    // zero-reward components, where staying is an end
};

Endings endings_of(const Moves& moves, const Payments& payments, bool has_goal, bool gains);

// Whose chances are wanted: those of s0, where it is enough to know P among the slots that keep it,
// or those of every slot.
enum class Whence { start, everywhere };

// P by slot, and the choices that keep it where it is more than 0.
struct KeptChances {
  std::vector<Rational> chance;
  std::vector<bool> keeps;  // by choice
};

// Nullopt if the limits ended it, or it is too large for rationals and the graph does not tell.
std::optional<KeptChances> keep_chances(const Moves& moves,
                                        const Endings& endings,
                                        Whence whence,
                                        Limits& limits);

}  // namespace quantiplan
