#include "base/limits.hpp"

#include <fmt/format.h>
#include <sched.h>

#include <algorithm>
#include <thread>

#include "base/checkpoint_folder.hpp"
#include "base/memory.hpp"
#include "base/stop_at_look.hpp"
#include "quantiplan/error.hpp"
#include "quantiplan/ranks.hpp"

namespace quantiplan {
namespace {

// The cores of this machine, shared among the processes on it, and no more than this one may use.
unsigned usual_threads(const Options& options) {
  unsigned cores = std::max(1U, std::thread::hardware_concurrency());
  if (!options.ranks) return cores;
  cores = std::max(1U, cores / options.ranks->on_this_machine());
  cpu_set_t usable;
  if (sched_getaffinity(0, sizeof usable, &usable) == 0)
    cores = std::min(cores, static_cast<unsigned>(std::max(1, CPU_COUNT(&usable))));
  return cores;
}

}  // namespace

Limits::Limits(const Options& options)
    : options_(options),
      call_(options.call ? options.call : std::make_shared<const Call>(options)),
      ended_(static_cast<int>(Status::solved)),
      last_report_(Call::Clock::now()),
      threads_(options.threads != 0 ? options.threads : usual_threads(options)),
      limit_(options.memory_limit_bytes != 0 ? options.memory_limit_bytes : call_->memory_limit()) {
}

Status Limits::status() const {
  const auto known = static_cast<Status>(ended_.load(std::memory_order_relaxed));
  if (known != Status::solved) return known;
  StopAtLook::look();
  const auto now = Call::Clock::now();
  Status found = Status::solved;
  const auto& ranks = options_.ranks;
  if (call_->is_stopped()) {
    found = Status::interrupted;
  } else if (now >= call_->deadline() || has_outgrown_memory(now) ||
             (ranks && ranks->is_given_up())) {
    found = Status::limit_reached;
  } else if (ranks && ranks->rank() > 0 && ranks->is_sent_away()) {
    found = Status::interrupted;
  }
  if (found == Status::solved) return found;
  if (ranks && ranks->rank() == 0) ranks->abandon();
  ended_.store(static_cast<int>(found), std::memory_order_relaxed);
  return found;
}

RankGroup* Limits::ranks() const {
  RankGroup* ranks = options_.ranks.get();
  if (ranks == nullptr || ranks->size() < 2 || ranks->is_abandoned() || call_->is_over())
    return nullptr;
  return ranks;
}

CheckpointFolder* Limits::checkpoints() const {
  CheckpointFolder* folder = call_->is_over() ? nullptr : call_->checkpoints();
  return folder != nullptr && folder->has_begun() ? folder : nullptr;
}

// Every two milliseconds, in which some megabytes can be filled, one of the threads looks.
bool Limits::has_outgrown_memory(Call::Clock::time_point now) const {
  constexpr auto kOften = std::chrono::milliseconds(2);
  Call::Clock::rep due = next_look_.load(std::memory_order_relaxed);
  if (now.time_since_epoch().count() < due) return false;
  const Call::Clock::rep next = (now + Call::Clock::duration(kOften)).time_since_epoch().count();
  if (!next_look_.compare_exchange_strong(due, next)) return false;
  if (call_->has_outgrown_memory()) return true;
  // A look that had to hand memory back took longer: no more than a tenth of the time is for it.
  const auto took = Call::Clock::now() - now;
  if (took > kOften) next_look_.store((Call::Clock::now() + 10 * took).time_since_epoch().count());
  return false;
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
  const auto now = Call::Clock::now();
  if (now - last_report_ < std::chrono::milliseconds(100)) return;
  last_report_ = now;
  options_.progress({phase, fraction, bracket_});
}

void refuse_unfinished(const std::string& what) {
  throw Error(ErrorCode::refused,
              what,
              "a limit was met before it was complete, expected a longer --time-limit or a larger "
              "--memory-limit");
}

}  // namespace quantiplan
