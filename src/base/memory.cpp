#include "base/memory.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <fstream>
#include <limits>

#if defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer) || \
    __has_feature(memory_sanitizer)
#define QUANTIPLAN_SANITIZED
#endif
#endif

namespace quantiplan {
namespace {

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

std::uint64_t resident_bytes() {
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__) || defined(QUANTIPLAN_SANITIZED)
  return 0;  // most of it would be the sanitizer's
#else
  // Pages: the whole address space, what is resident of it, and what of that is files.
  std::ifstream statm("/proc/self/statm");
  std::uint64_t size = 0;
  std::uint64_t resident = 0;
  std::uint64_t files = 0;
  if (!(statm >> size >> resident >> files) || resident < files) return 0;
  return (resident - files) * static_cast<std::uint64_t>(sysconf(_SC_PAGE_SIZE));
#endif
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

}  // namespace quantiplan
