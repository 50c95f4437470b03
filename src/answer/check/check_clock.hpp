// When the checker must end early: the time limit of the options, counted from here, or a stop.
#pragma once

#include <chrono>
#include <cstdint>

#include "quantiplan/options.hpp"

namespace quantiplan::checking {

class CheckClock {
 public:
  explicit CheckClock(const Options& options)
      : options_(options), start_(std::chrono::steady_clock::now()) {}

  // To be asked at every node: looks at the clock now and then only. Once true it stays true.
  [[nodiscard]] bool ended() {
    if (ended_ || (++asked_ & 1023) != 1) return ended_;
    const std::chrono::duration<double> passed = std::chrono::steady_clock::now() - start_;
    ended_ = (options_.stop != nullptr && options_.stop->load()) ||
             (options_.time_limit_seconds > 0 && passed.count() > options_.time_limit_seconds);
    return ended_;
  }

 private:
  const Options& options_;
  std::chrono::steady_clock::time_point start_;
  std::uint64_t asked_ = 0;
  bool ended_ = false;
};

}  // namespace quantiplan::checking
