// D at one target, from s0: only what bounds leave open is looked at.
//
//     forward:   nodes (t, s, y) met from (0, s0, target); a choice is followed unless its upper
//                bound  sum p * upper(t+1, s', y')  is certainly below another's lower bound; a
//                child whose bounds agree is not followed, unless a whole policy is wanted
//     backward:  D(t, s, y) = max over the choices followed of  sum p * D(t+1, s', y')
//
// Bounds come from passes on a coarse grid over all states; the nodes live on a grid near the
// finest, so what is found is nearly exact. In large models with short horizons a small part of the
// state space is ever touched. Best-first orders were not tried: the bounds leave about one choice
// a node. Cost: two bound look-ups for each outcome of each node. Ends without a result when a
// limit is met or there are more than most_nodes.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>

#include "base/limits.hpp"
#include "finite/expectation.hpp"
#include "finite/stages.hpp"
#include "finite/strategy.hpp"
#include "finite/windows.hpp"
#include "quantiplan/answer.hpp"

namespace quantiplan {

// Bounds of D(t, s, y), y in steps of the problem that is searched; each errs by rounding only, as
// a backward pass does.
class ValueBounds {
 public:
  struct Pair {
    double lower = 0;
    double upper = 1;
  };
  ValueBounds() = default;
  ValueBounds(const ValueBounds&) = delete;
  ValueBounds& operator=(const ValueBounds&) = delete;
  virtual ~ValueBounds() = default;
  [[nodiscard]] virtual Pair at(std::uint64_t time,
                                std::size_t slot,
                                std::int64_t residual) const = 0;
};

struct Found {
  double probability = 0;                       // errs as a backward pass does
  std::shared_ptr<const SettledPoints> points;  // the best choice at every node that was followed
};

// Counts its nodes as backups, and its products, in `work`.
std::optional<Found> search_point(const Stages& stages,
                                  const Windows& windows,
                                  const ValueBounds& bounds,
                                  std::int64_t target,
                                  bool whole_policy,
                                  std::uint64_t most_nodes,
                                  const Limits& limits,
                                  Work& work);

}  // namespace quantiplan
