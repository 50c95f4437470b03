// Exact D_T(s0, y) for one target, on the part of the model that matters to it.
//
//     forward:   nodes (t, s, y) met from (0, s0, target) inside the windows; where the pass was
//                certain of the best choice, only that one is followed, elsewhere all are
//     backward:  D(t, s, y) = max_a  sum p * D(t+1, s', y - R)   in rationals; 1, 0 outside windows
//
// Used where the rounding bound leaves a comparison with theta open (semantics, section 3): it
// settles the comparison, and the policy comes from the same rationals. Cost: a hash look-up and a
// rational product for each outcome of each node. Ends without a result when a limit is met.
#pragma once

#include <limits>
#include <memory>
#include <optional>

#include "base/limits.hpp"
#include "finite/decisions.hpp"
#include "finite/expectation.hpp"
#include "finite/stages.hpp"
#include "finite/strategy.hpp"
#include "finite/windows.hpp"
#include "quantiplan/answer.hpp"

namespace quantiplan {

struct Settled {
  Rational probability;
  std::shared_ptr<const SettledPoints> points;  // the exact best choice at every node
  bool is_bound = false;  // what the points attain is at least `probability`, no more is known
};

struct SettleInput {
  const Stages& stages;
  const Windows& windows;
  // Order in which equal choices are preferred: that of the expectation.
  const Expectation<double>& expectation;
  ChoiceFilter filter;
  const Decisions* hints = nullptr;  // null: every choice is looked at everywhere
  std::uint64_t most_nodes = std::numeric_limits<std::uint64_t>::max();  // no result beyond
};

// Counts its nodes in `work`.
std::optional<Settled> settle(const SettleInput& input,
                              WealthKey target,
                              Limits& limits,
                              Work& work);

}  // namespace quantiplan
