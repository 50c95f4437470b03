// Stretches of residuals with one choice: what a policy does at (time, slot), over an interval.
//
//     ..least] free   ..sure] the sure choice   ..upto_0] ..upto_1] .. possible] decisions   above: free
//
// The same rule as ResidualRule (strategy.hpp), interval by interval instead of point by point.
#pragma once

#include <algorithm>
#include <cstdint>

#include "finite/decisions.hpp"
#include "finite/strategy.hpp"

namespace quantiplan {

// Residuals (above, upto].
struct Interval {
  std::int64_t above = 0;
  std::int64_t upto = 0;

  [[nodiscard]] bool empty() const noexcept { return upto <= above; }
  [[nodiscard]] std::int64_t size() const noexcept { return empty() ? 0 : upto - above; }
  // The least interval that holds this and (from, to].
  void cover(std::int64_t from, std::int64_t to) noexcept {
    *this = empty() ? Interval{from, to} : Interval{std::min(above, from), std::max(upto, to)};
  }
};

// Calls visit(above, upto, choice) for the stretches inside the window (least, possible] that cover
// the interval, in ascending order.
template <class Visit>
void for_each_open_segment(const Groundwork& ground,
                           const Decisions& decisions,
                           std::uint64_t time,
                           std::size_t slot,
                           const Interval& interval,
                           const Visit& visit) {
  const Window& w = ground.windows->at(time, slot);
  const Interval open{std::max(interval.above, w.least), std::min(interval.upto, w.possible)};
  if (open.empty()) return;
  if (open.above < w.sure) visit(open.above, std::min(open.upto, w.sure), w.sure_choice);
  if (open.upto <= w.sure) return;
  const Stages& stages = *ground.stages;
  const std::size_t first = index(stages.model().choices(stages.layer(time).state(slot))[0]);
  decisions.for_each_run(time,
                         slot,
                         std::max(open.above, w.sure),
                         open.upto,
                         [&](std::int64_t above, std::int64_t upto, std::uint32_t local) {
                           visit(above, upto, Choice{static_cast<std::uint32_t>(first + local)});
                         });
}

}  // namespace quantiplan
