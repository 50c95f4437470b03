// The residuals that can be met at all if the target at s0 lies in a given interval.
//
//     need_0(s0) = targets,   need_{t+1}(s') covers  (y - R) 2^shift  for the open y of need_t(s)
//
// Open means inside the window (sure, possible]: elsewhere D is known and nothing is asked later.
// One interval is kept for each time and slot. This is how a refinement looks only where the answer
// can lie: near s0 few residuals are needed, near the horizon the windows are narrow by themselves.
// Cost: O(T * outcomes), 16 bytes for each time and slot.
#pragma once

#include <cstdint>
#include <vector>

#include "base/limits.hpp"
#include "finite/segments.hpp"
#include "finite/stages.hpp"
#include "finite/windows.hpp"

namespace quantiplan {

class Needs {
 public:
  Needs(const Stages& stages, const Windows& windows, Interval targets, const Limits& limits);
  [[nodiscard]] const Interval& at(std::uint64_t time, std::size_t slot) const noexcept {
    return at_[time][slot];
  }
  [[nodiscard]] bool complete() const noexcept { return complete_; }

 private:
  std::vector<std::vector<Interval>> at_;
  bool complete_ = false;
};

}  // namespace quantiplan
