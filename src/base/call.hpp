// One call: when it has to end, and what memory the process may come to hold by then.
//
//     deadline = begin + time limit        one point in time, whatever phases the call goes through
//     resident - resident at the begin > memory limit        then it ends, too
//
// Engines count what they take (limits.hpp), and counts err: rationals grow, heaps keep holes.
// Therefore what is really resident is looked at besides. That measure is the process's: calls that
// run at the same time have the sum of their limits together. It is not looked at under sanitizers,
// whose own memory would be taken for the call's.
#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <memory>
#include <mutex>

#include "quantiplan/options.hpp"

namespace quantiplan {

class CheckpointFolder;

class Call {
 public:
  using Clock = std::chrono::steady_clock;

  explicit Call(const Options& options);
  ~Call();
  Call(const Call&) = delete;
  Call& operator=(const Call&) = delete;

  // True once the caller's flag is up; after the call its flag is not looked at any more.
  [[nodiscard]] bool is_stopped() const noexcept {
    const std::atomic<bool>* stop = stop_.load(std::memory_order_relaxed);
    return stop != nullptr && stop->load(std::memory_order_relaxed);
  }
  [[nodiscard]] Clock::time_point deadline() const noexcept { return deadline_; }
  [[nodiscard]] std::uint64_t memory_limit() const noexcept { return memory_limit_; }
  [[nodiscard]] std::uint64_t resident_at_begin() const noexcept { return resident_at_begin_; }
  // Null: there is none.
  [[nodiscard]] CheckpointFolder* checkpoints() const noexcept { return checkpoints_.get(); }
  void set_checkpoints(std::shared_ptr<CheckpointFolder> folder) {
    checkpoints_ = std::move(folder);
  }
  [[nodiscard]] bool is_over() const noexcept { return is_over_.load(std::memory_order_relaxed); }
  // True if the process has grown beyond the limit, although what is free was handed back to the
  // system. Takes some microseconds; milliseconds where it has grown. Safe from any thread.
  [[nodiscard]] bool has_outgrown_memory() const;

  // The call is over. What is left of its time is for what is asked for afterwards, and a tenth of
  // the limit at least: what was found up to the limit can still be written down.
  void end();

 private:
  friend class LaterWork;
  friend Options without_deadline(const Options& options);
  // `promise`: what the process may come to hold for it beside all calls that run now.
  Call(Clock::time_point deadline,
       std::uint64_t memory_limit,
       std::uint64_t promise,
       std::uint64_t resident,
       const std::atomic<bool>* stop);

  std::atomic<const std::atomic<bool>*> stop_;
  Clock::time_point deadline_;
  std::uint64_t memory_limit_;
  std::uint64_t promise_;
  std::uint64_t resident_at_begin_;
  std::shared_ptr<CheckpointFolder> checkpoints_;
  std::mutex lock_;
  bool has_ended_ = false;
  std::atomic<bool> is_over_{false};  // the same, for any thread
  Clock::duration least_left_{};
  // Once it has ended: the time left, and the work that is being done in it.
  Clock::duration left_{};
  std::uint32_t later_works_ = 0;
  std::shared_ptr<Call> later_;
  Clock::time_point later_begin_;
};

// The options of a call that begins here and ends with this object; a call within a call is part of
// that one, and has its deadline.
class BegunCall {
 public:
  explicit BegunCall(const Options& asked);
  ~BegunCall();
  BegunCall(const BegunCall&) = delete;
  BegunCall& operator=(const BegunCall&) = delete;
  [[nodiscard]] const Options& options() const noexcept { return options_; }

 private:
  Options options_;
  bool is_outermost_;
};

// What a result keeps of the options for later: nothing of the caller's that may be gone by then.
Options for_later(const Options& options);
// The same without a clock, for a piece that a solve in progress cannot do without.
Options without_deadline(const Options& options);

// Work that is asked for after a solve, such as a policy or a distribution: all of it together has
// the time that the solve left. Work within such work, or beside it, is part of it.
class LaterWork {
 public:
  explicit LaterWork(const Options& of_solve);
  ~LaterWork();
  LaterWork(const LaterWork&) = delete;
  LaterWork& operator=(const LaterWork&) = delete;
  [[nodiscard]] const Options& options() const noexcept { return options_; }
  // The solve has not ended yet: its own deadline holds.
  [[nodiscard]] bool is_within_solve() const noexcept { return solve_ == nullptr; }

 private:
  std::shared_ptr<Call> solve_;  // null while it runs
  Options options_;
};

}  // namespace quantiplan
