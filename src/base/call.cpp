#include "base/call.hpp"

#include <features.h>
#ifdef __GLIBC__
#include <malloc.h>
#endif

#include <algorithm>
#include <atomic>

#include "base/checkpoint_folder.hpp"
#include "base/memory.hpp"
#include "quantiplan/ranks.hpp"

namespace quantiplan {
namespace {

using Clock = Call::Clock;

// What a process needs besides what its engines take: stacks of threads, a heap for each. And a
// twentieth of the limit, so that those who ask before they take are refused before the call ends.
constexpr std::uint64_t kProgram = 4U << 20U;

// The limits of all calls that run now.
std::atomic<std::uint64_t> promised{0};

Clock::time_point deadline_of(const Options& options) {
  // A year is for ever here, and does not overflow the clock.
  constexpr double kForever = 365.0 * 24 * 3600;
  if (options.time_limit_seconds <= 0 || options.time_limit_seconds > kForever)
    return Clock::time_point::max();
  return Clock::now() + std::chrono::duration_cast<Clock::duration>(
                            std::chrono::duration<double>(options.time_limit_seconds));
}

std::uint64_t memory_limit_of(const Options& options) {
  if (options.memory_limit_bytes != 0) return options.memory_limit_bytes;
  return options.ranks ? options.ranks->memory_limit() : free_memory_bytes() / 10 * 8;
}

}  // namespace

Call::Call(const Options& options)
    : Call(deadline_of(options),
           memory_limit_of(options),
           memory_limit_of(options),
           resident_bytes(),
           options.stop) {
  if (deadline_ == Clock::time_point::max()) return;
  least_left_ = std::chrono::duration_cast<Clock::duration>(
      std::chrono::duration<double>(options.time_limit_seconds / 10));
}

Call::Call(Clock::time_point deadline,
           std::uint64_t memory_limit,
           std::uint64_t promise,
           std::uint64_t resident,
           const std::atomic<bool>* stop)
    : stop_(stop),
      deadline_(deadline),
      memory_limit_(memory_limit),
      promise_(promise),
      resident_at_begin_(resident) {
  promised += promise_;
}

Call::~Call() { end(); }

void Call::end() {
  const std::scoped_lock lock(lock_);
  if (has_ended_) return;
  has_ended_ = true;
  is_over_.store(true);
  stop_ = nullptr;
  promised -= promise_;
  left_ = deadline_ == Clock::time_point::max()
              ? Clock::duration::max()
              : std::max({deadline_ - Clock::now(), least_left_, Clock::duration::zero()});
}

bool Call::has_outgrown_memory() const {
  const auto outgrown = [&] {
    const std::uint64_t limit = std::max(promised.load(), memory_limit_);
    return resident_bytes() > resident_at_begin_ + limit + limit / 20 + kProgram;
  };
  if (!outgrown()) return false;
#ifdef __GLIBC__
  malloc_trim(0);
#endif
  return outgrown();
}

BegunCall::BegunCall(const Options& asked) : options_(asked), is_outermost_(!asked.call) {
  options_.validate();
  if (options_.ranks && options_.ranks->rank() > 0) {
    // Rank 0 decides when the call ends.
    options_.time_limit_seconds = 0;
    options_.stop = nullptr;
  }
  if (!is_outermost_) return;
  options_.call = std::make_shared<Call>(options_);
  if (!options_.checkpoint.empty())
    options_.call->set_checkpoints(std::make_shared<CheckpointFolder>(options_));
}

BegunCall::~BegunCall() {
  if (!is_outermost_) return;
  options_.call->end();
  // Others may still wait for a rank that has gone its own way.
  if (options_.ranks && options_.ranks->is_abandoned()) options_.ranks->dismiss();
}

Options for_later(const Options& options) {
  Options copy = options;
  copy.stop = options.stop_later.get();
  copy.progress = options.progress_later;
  copy.ranks = nullptr;
  copy.checkpoint.clear();
  return copy;
}

Options without_deadline(const Options& options) {
  Options copy = for_later(options);
  copy.time_limit_seconds = 0;
  if (options.call) {
    // Part of a call that runs, it has that one's memory, not as much again.
    const std::uint64_t limit = options.call->memory_limit_;
    copy.call.reset(new Call(Clock::time_point::max(),
                             limit,
                             options.call->is_over() ? limit : 0,
                             options.call->resident_at_begin_,
                             options.call->stop_));
  }
  return copy;
}

LaterWork::LaterWork(const Options& of_solve) : options_(for_later(of_solve)) {
  if (!of_solve.call) return;
  Call& solve = *of_solve.call;
  const std::scoped_lock lock(solve.lock_);
  // Within the solve itself it is part of that.
  if (!solve.has_ended_) return;
  solve_ = of_solve.call;
  if (solve.later_works_++ == 0) {
    const bool forever = solve.left_ == Clock::duration::max();
    solve.later_begin_ = Clock::now();
    solve.later_.reset(
        new Call(forever ? Clock::time_point::max() : solve.later_begin_ + solve.left_,
                 solve.memory_limit_,
                 solve.memory_limit_,
                 solve.resident_at_begin_,
                 options_.stop_later.get()));
  }
  options_.call = solve.later_;
}

LaterWork::~LaterWork() {
  if (!solve_) return;
  const std::scoped_lock lock(solve_->lock_);
  if (--solve_->later_works_ > 0) return;
  solve_->later_.reset();
  if (solve_->left_ == Clock::duration::max()) return;
  solve_->left_ =
      std::max(solve_->left_ - (Clock::now() - solve_->later_begin_), Clock::duration::zero());
}

}  // namespace quantiplan
