// Limits of an exploration: memory, a request to stop, and progress.
#pragma once

#include <chrono>
#include <cstdint>
#include <string>

#include "quantiplan/formats.hpp"

namespace quantiplan::prism {

// What has been met so far.
struct Extent {
  std::uint64_t states = 0;    // met
  std::uint64_t explored = 0;  // of these
  std::uint64_t choices = 0;
  std::uint64_t outcomes = 0;
  std::uint64_t name_characters = 0;
  std::uint64_t set_bytes = 0;  // of the set of states
};

class ExplorationWatch {
 public:
  ExplorationWatch(std::string source, const ReadOptions& options);
  // To be called every some thousand outcomes. Throws Error(refused).
  void look(const Extent& extent);

 private:
  std::string source_;
  const ReadOptions& options_;
  std::uint64_t limit_;
  std::chrono::steady_clock::time_point last_;
  std::string phase_;
};

}  // namespace quantiplan::prism
