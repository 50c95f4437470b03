// When the checker must end early: time, counted from here, a stop, or memory before it is taken.
//
//     ended(ns)          asked at every place, told how long that takes: looks at the clock after a
//                        millisecond of such work
//     require(ns)        the same where there is no other way out, as in a sort: throws LimitMet
//     MemoryShare::set   what one part holds, or is about to: throws LimitMet if it is too much
//
// LimitMet never leaves check(): the claim is then neither confirmed nor refuted.
#pragma once

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <thread>
#include <utility>

#include "base/memory.hpp"
#include "quantiplan/number.hpp"
#include "quantiplan/options.hpp"

namespace quantiplan::checking {

struct LimitMet {};

class CheckLimits {
 public:
  explicit CheckLimits(const Options& options)
      : options_(options),
        start_(std::chrono::steady_clock::now()),
        most_bytes_(options.memory_limit_bytes != 0 ? options.memory_limit_bytes
                                                    : free_memory_bytes() / 10 * 8) {}

  static constexpr std::uint64_t kPlace = 1000;  // nanoseconds of a place with a few outcomes

  // Once true it stays true.
  [[nodiscard]] bool ended(std::uint64_t nanoseconds = kPlace) {
    constexpr std::uint64_t kBetweenLooks = 1'000'000;
    work_ += nanoseconds;
    if (ended_ || work_ < kBetweenLooks) return ended_;
    work_ = 0;
    ended_ = is_over();
    return ended_;
  }
  void require(std::uint64_t nanoseconds = kPlace) {
    if (ended(nanoseconds)) throw LimitMet{};
  }
  // The same from any thread, which counts its work itself.
  void require_now() const {
    if (ended_ || is_over()) throw LimitMet{};
  }
  [[nodiscard]] unsigned threads() const {
    return options_.threads != 0 ? options_.threads
                                 : std::max(1U, std::thread::hardware_concurrency());
  }
  // Progress, some times a second; from the thread that checks.
  void report(std::string_view phase, double fraction) {
    if (!options_.progress) return;
    const auto now = std::chrono::steady_clock::now();
    if (now - last_report_ < std::chrono::milliseconds(100)) return;
    last_report_ = now;
    options_.progress({phase, fraction, std::nullopt});
  }

  // "the check ended early.", and of memory why.
  [[nodiscard]] std::string reason() const {
    return is_out_of_memory_
               ? "the check needs more than the memory limit of " + bytes_text(most_bytes_) + "."
               : "the check ended early.";
  }
  [[nodiscard]] std::string policy_was_not_followed() const {
    const std::string needs = is_out_of_memory_ ? ": it needs more than the memory limit of " +
                                                      bytes_text(most_bytes_) + "."
                                                : ".";
    return "The check ended early, before the policy was followed to its end" + needs;
  }

 private:
  friend class MemoryShare;

  [[nodiscard]] bool is_over() const {
    const std::chrono::duration<double> passed = std::chrono::steady_clock::now() - start_;
    return (options_.stop != nullptr && options_.stop->load()) ||
           (options_.time_limit_seconds > 0 && passed.count() > options_.time_limit_seconds);
  }

  const Options& options_;
  std::chrono::steady_clock::time_point start_;
  std::chrono::steady_clock::time_point last_report_ = start_;
  std::uint64_t most_bytes_;
  std::uint64_t bytes_ = 0;
  // The first question looks at the clock: a limit may have been met before.
  std::uint64_t work_ = 1'000'000;
  bool ended_ = false;
  bool is_out_of_memory_ = false;
};

// What one part of the checker holds; given back when that part is gone.
class MemoryShare {
 public:
  explicit MemoryShare(CheckLimits& limits) : limits_(&limits) {}
  // A copy holds as much again.
  MemoryShare(const MemoryShare& other) : limits_(other.limits_) { set(other.bytes_); }
  MemoryShare(MemoryShare&& other) noexcept
      : limits_(other.limits_), bytes_(std::exchange(other.bytes_, 0)) {}
  MemoryShare& operator=(const MemoryShare&) = delete;
  MemoryShare& operator=(MemoryShare&&) = delete;
  ~MemoryShare() { limits_->bytes_ -= bytes_; }

  void set(std::uint64_t bytes) {
    limits_->bytes_ += bytes - bytes_;
    bytes_ = bytes;
    if (limits_->bytes_ <= limits_->most_bytes_) return;
    limits_->is_out_of_memory_ = limits_->ended_ = true;
    throw LimitMet{};
  }
  void add(std::uint64_t bytes) { set(bytes_ + bytes); }

 private:
  CheckLimits* limits_;
  std::uint64_t bytes_ = 0;
};

// An order to sort by that looks at the clock.
template <class Less>
auto watched(CheckLimits& limits, const Less& less) {
  return [&limits, less](const auto& a, const auto& b) {
    limits.require(10);
    return less(a, b);
  };
}

// Bytes that a number holds outside of itself, and nanoseconds that a product of such numbers
// takes.
inline std::uint64_t bytes_beside(std::int64_t) { return 0; }
inline std::uint64_t bytes_beside(long double) { return 0; }
inline std::uint64_t bytes_beside(const Rational& number) {
  constexpr std::uint64_t kTwoBlocks = 64;
  return kTwoBlocks + 8 * (mpz_size(number.get_num_mpz_t()) + mpz_size(number.get_den_mpz_t()));
}
inline std::uint64_t nanoseconds_of(std::int64_t) { return 5; }
inline std::uint64_t nanoseconds_of(double) { return 5; }
inline std::uint64_t nanoseconds_of(long double) { return 5; }
inline std::uint64_t nanoseconds_of(const Rational& number) {
  // A product is reduced by its greatest common divisor, which is what takes the time.
  const std::uint64_t words = mpz_size(number.get_num_mpz_t()) + mpz_size(number.get_den_mpz_t());
  return 200 + 20 * words + words * words / 4;
}

}  // namespace quantiplan::checking
