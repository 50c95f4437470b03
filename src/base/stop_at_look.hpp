// For tests: a request to stop that comes at a look at the limits, not at a moment in time.
//
// Looks of all calls are counted. At the n-th of them the flag goes up, which is the one that the
// call was given (Options::stop): from there on all is as if the user had stopped it just then.
#pragma once

#include <atomic>
#include <cstdint>

namespace quantiplan {

struct StopAtLook {
  static inline std::atomic<std::int64_t> looks_left{0};  // 0: no look does
  static inline std::atomic<bool> flag{false};

  static void look() noexcept {
    if (looks_left.load(std::memory_order_relaxed) > 0 && looks_left.fetch_sub(1) == 1) flag = true;
  }
};

}  // namespace quantiplan
