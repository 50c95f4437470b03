// Limits of an exploration, and its progress.
#pragma once

#include <chrono>
#include <cstdint>
#include <string>

#include "base/work_watch.hpp"
#include "quantiplan/formats.hpp"

namespace quantiplan::prism {

// What has been met so far.
struct Extent {
  std::uint64_t states = 0;    // met
  std::uint64_t explored = 0;  // of these
  std::uint64_t choices = 0;
  std::uint64_t outcomes = 0;
  std::uint64_t set_bytes = 0;  // of the set of states
};

class ExplorationWatch {
 public:
  ExplorationWatch(WorkWatch& watch, const ReadOptions& options, const Extent& extent);
  ~ExplorationWatch();
  ExplorationWatch(const ExplorationWatch&) = delete;
  ExplorationWatch& operator=(const ExplorationWatch&) = delete;

  // To be called every some thousand outcomes. Throws Error(refused).
  void look();
  // Before the set of states grows by this much at once.
  void ask(std::uint64_t bytes) { watch_.ask_if_large(bytes); }
  [[nodiscard]] bool has_room(std::uint64_t bytes) const { return watch_.has_room(bytes); }

 private:
  WorkWatch& watch_;
  const ReadOptions& options_;
  const Extent& extent_;
  std::chrono::steady_clock::time_point last_;
  std::string phase_;
};

}  // namespace quantiplan::prism
