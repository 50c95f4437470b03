#include "base/work_watch.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "base/call.hpp"
#include "base/memory.hpp"
#include "quantiplan/error.hpp"

namespace quantiplan {
namespace {

using Clock = std::chrono::steady_clock;

Clock::time_point deadline_after(double seconds) {
  // A year is for ever here, and does not overflow the clock.
  constexpr double kForever = 365.0 * 24 * 3600;
  if (seconds <= 0 || seconds > kForever) return Clock::time_point::max();
  return Clock::now() +
         std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(seconds));
}

}  // namespace

WorkWatch::WorkWatch(Words words,
                     std::uint64_t memory_limit_bytes,
                     double time_limit_seconds,
                     const std::atomic<bool>* stop)
    : words_(std::move(words)),
      limit_(memory_limit_bytes != 0 ? memory_limit_bytes : free_memory_bytes() / 10 * 8),
      held_before_(resident_bytes()),
      deadline_(deadline_after(time_limit_seconds)),
      stop_(stop) {}

void WorkWatch::count_from(const Call* call) {
  if (call != nullptr) held_before_ = std::min(held_before_, call->resident_at_begin());
}

void WorkWatch::now(std::string doing, std::string done, std::function<std::string()> so_far) {
  words_.doing = std::move(doing);
  words_.done = std::move(done);
  so_far_ = std::move(so_far);
}

void WorkWatch::ask(std::uint64_t bytes) {
  steps_ = 0;
  if (stop_ != nullptr && stop_->load(std::memory_order_relaxed)) {
    throw Error(ErrorCode::refused,
                words_.place,
                fmt::format("interrupted while it was {}{}", words_.done, so_far()));
  }
  if (deadline_ != Clock::time_point::max() && Clock::now() >= deadline_) {
    throw Error(ErrorCode::refused,
                words_.place,
                fmt::format("the time limit was met while it was {}{}; expected a longer "
                            "--time-limit",
                            words_.done,
                            so_far()));
  }
  require(held() + bytes);
}

std::uint64_t WorkWatch::held() const {
  const std::uint64_t now = resident_bytes();
  return now > held_before_ ? now - held_before_ : 0;
}

bool WorkWatch::has_room(std::uint64_t bytes) const { return held() + bytes <= allowed(); }

// Buffers, heaps and libraries take as much, whatever is done: no limit is below that.
std::uint64_t WorkWatch::allowed() const {
  constexpr std::uint64_t kLeast = 2U << 20U;
  return std::max(limit_, kLeast);
}

void WorkWatch::require(std::uint64_t counted) const {
  if (counted <= allowed()) return;
  throw Error(ErrorCode::refused,
              "memory",
              fmt::format("{} needs more than {}, the limit{}; expected a smaller model, or more "
                          "memory",
                          words_.doing,
                          bytes_text(limit_),
                          so_far()));
}

}  // namespace quantiplan
