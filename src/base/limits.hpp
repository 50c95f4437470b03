// The limits of one call: time, a stop flag, memory. Engines poll the first two, at least every 50
// milliseconds of work, and ask for the third before they take it. A poll also looks at what is
// really resident (call.hpp).
#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <string>

#include "base/call.hpp"
#include "quantiplan/answer.hpp"
#include "quantiplan/options.hpp"

namespace quantiplan {

class Limits {
 public:
  explicit Limits(const Options& options);

  // solved while nothing ended the call; once it is ended it stays so. Safe from any thread.
  [[nodiscard]] Status status() const;
  [[nodiscard]] bool ended() const { return status() != Status::solved; }

  // Counts `bytes` as taken. Throws Error(refused) that says how much `what` would need if the
  // limit does not allow it. Only the solving thread asks.
  void take(std::uint64_t bytes, const std::string& what);
  void give_back(std::uint64_t bytes) { used_ -= bytes; }
  [[nodiscard]] bool would_fit(std::uint64_t bytes) const { return bytes <= limit_ - used_; }
  [[nodiscard]] std::uint64_t limit() const { return limit_; }
  [[nodiscard]] std::uint64_t peak() const { return peak_; }
  [[nodiscard]] unsigned threads() const { return threads_; }
  // The processes that take part; null where this one is alone, or goes on alone since a limit was
  // met.
  [[nodiscard]] RankGroup* ranks() const;
  // Where the passes of the call are kept for a resume; null if nobody asked for it.
  [[nodiscard]] CheckpointFolder* checkpoints() const;

  void report(std::string_view phase, double fraction) const;
  // The bracket that reports show from now on.
  void show_bracket(const Progress::Bracket& bracket) { bracket_ = bracket; }

 private:
  // True if it is time to look at the memory, and it was found outgrown.
  [[nodiscard]] bool has_outgrown_memory(Call::Clock::time_point now) const;

  const Options& options_;
  std::shared_ptr<const Call> call_;
  mutable std::atomic<int> ended_;
  mutable std::atomic<Call::Clock::rep> next_look_{0};
  mutable std::chrono::steady_clock::time_point last_report_;
  std::optional<Progress::Bracket> bracket_;
  unsigned threads_;
  std::uint64_t limit_;
  std::uint64_t used_ = 0;
  std::uint64_t peak_ = 0;
};

// For what means nothing half done: throws Error(refused) that names it.
[[noreturn]] void refuse_unfinished(const std::string& what);

}  // namespace quantiplan
