#include "limits.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <thread>

#include "memory.hpp"
#include "quantiplan/error.hpp"

namespace quantiplan {
namespace {

using Clock = std::chrono::steady_clock;

Clock::time_point deadline_of(const Options& options) {
  // A year is for ever here, and does not overflow the clock.
  constexpr double kForever = 365.0 * 24 * 3600;
  if (options.time_limit_seconds <= 0 || options.time_limit_seconds > kForever) {
    return Clock::time_point::max();
  }
  return Clock::now() + std::chrono::duration_cast<Clock::duration>(
                            std::chrono::duration<double>(options.time_limit_seconds));
}

}  // namespace

Limits::Limits(const Options& options)
    : options_(options),
      deadline_(deadline_of(options)),
      ended_(static_cast<int>(Status::solved)),
      last_report_(Clock::now()),
      threads_(options.threads != 0 ? options.threads
                                    : std::max(1U, std::thread::hardware_concurrency())),
      limit_(options.memory_limit_bytes != 0 ? options.memory_limit_bytes
                                             : free_memory_bytes() / 10 * 8) {}

Status Limits::status() const {
  const auto known = static_cast<Status>(ended_.load(std::memory_order_relaxed));
  if (known != Status::solved) return known;
  Status now = Status::solved;
  if (options_.stop != nullptr && options_.stop->load(std::memory_order_relaxed)) {
    now = Status::interrupted;
  } else if (deadline_ != Clock::time_point::max() && Clock::now() >= deadline_) {
    now = Status::limit_reached;
  }
  if (now != Status::solved) ended_.store(static_cast<int>(now), std::memory_order_relaxed);
  return now;
}

void Limits::take(std::uint64_t bytes, const std::string& what) {
  if (!would_fit(bytes)) {
    throw Error(
        ErrorCode::refused,
        "memory",
        fmt::format("{} would need {} besides {} in use, the limit is {}; raise --memory-limit, "
                    "shorten the horizon or coarsen the rewards",
                    what,
                    bytes_text(bytes),
                    bytes_text(used_),
                    bytes_text(limit_)));
  }
  used_ += bytes;
  peak_ = std::max(peak_, used_);
}

void Limits::report(std::string_view phase, double fraction) const {
  if (!options_.progress) return;
  const auto now = Clock::now();
  if (now - last_report_ < std::chrono::milliseconds(100)) return;
  last_report_ = now;
  options_.progress({phase, fraction, bracket_});
}

}  // namespace quantiplan
