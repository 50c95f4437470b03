#include "limits.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <fstream>
#include <limits>
#include <thread>

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

std::uint64_t first_number_in(const char* path, std::uint64_t otherwise) {
  std::ifstream file(path);
  std::uint64_t value = 0;
  return file >> value ? value : otherwise;
}

}  // namespace

std::uint64_t free_memory_bytes() {
  constexpr auto kUnknown = std::numeric_limits<std::uint64_t>::max();
  std::uint64_t available = kUnknown;
  std::ifstream meminfo("/proc/meminfo");
  for (std::string key; meminfo >> key;) {
    std::uint64_t kib = 0;
    if (key == "MemAvailable:" && meminfo >> kib) available = kib * 1024;
    meminfo.ignore(std::numeric_limits<std::streamsize>::max(), '\n');
  }
  const std::uint64_t group_limit = first_number_in("/sys/fs/cgroup/memory.max", kUnknown);
  const std::uint64_t group_used = first_number_in("/sys/fs/cgroup/memory.current", 0);
  if (group_limit != kUnknown) {
    available = std::min(available, group_limit > group_used ? group_limit - group_used : 0);
  }
  if (available == kUnknown) {
    available = static_cast<std::uint64_t>(sysconf(_SC_PHYS_PAGES)) *
                static_cast<std::uint64_t>(sysconf(_SC_PAGE_SIZE));
  }
  return available;
}

std::string bytes_text(std::uint64_t bytes) {
  if (bytes < 10240) return fmt::format("{} bytes", bytes);
  const char* units[] = {"KiB", "MiB", "GiB", "TiB", "PiB", "EiB"};
  double value = static_cast<double>(bytes) / 1024;
  std::size_t unit = 0;
  while (value >= 1024 && unit + 1 < std::size(units)) {
    value /= 1024;
    ++unit;
  }
  return fmt::format("{:.3g} {}", value, units[unit]);
}

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
