#include "exploration_watch.hpp"

#include <fmt/format.h>

#include <utility>

#include "memory.hpp"
#include "quantiplan/error.hpp"

namespace quantiplan::prism {
namespace {

// What the model and its builder hold: a name with its place in a table and in the order of names,
// a choice, an outcome. Vectors that grow hold up to twice what is in them.
std::uint64_t bytes_of(const Extent& e) {
  constexpr std::uint64_t kState = 80;
  constexpr std::uint64_t kChoice = 48;
  constexpr std::uint64_t kOutcome = 24;
  return e.set_bytes + e.states * kState + 2 * e.name_characters + e.choices * kChoice +
         e.outcomes * kOutcome;
}

}  // namespace

ExplorationWatch::ExplorationWatch(std::string source, const ReadOptions& options)
    : source_(std::move(source)),
      options_(options),
      limit_(options.memory_limit_bytes > 0 ? options.memory_limit_bytes
                                            : free_memory_bytes() / 10 * 8),
      last_(std::chrono::steady_clock::now()) {}

void ExplorationWatch::look(const Extent& extent) {
  if (options_.stop != nullptr && options_.stop->load(std::memory_order_relaxed)) {
    throw Error(ErrorCode::refused,
                source_,
                fmt::format("interrupted while it was explored, after {} states", extent.states));
  }
  if (const std::uint64_t needed = bytes_of(extent); needed > limit_) {
    throw Error(ErrorCode::refused,
                "memory",
                fmt::format("exploring the model needs more than {}, the limit, after {} states, "
                            "of which {} are explored; expected a smaller model, or more "
                            "memory",
                            bytes_text(limit_),
                            extent.states,
                            extent.explored));
  }
  if (!options_.progress) return;
  const auto now = std::chrono::steady_clock::now();
  constexpr auto kPause = std::chrono::milliseconds(100);
  if (now - last_ < kPause) return;
  last_ = now;
  phase_ = fmt::format("exploring: {} states, {} of them still open",
                       extent.states,
                       extent.states - extent.explored);
  Progress progress;
  progress.phase = phase_;
  progress.fraction = -1;  // how many states there are is what is being found out
  options_.progress(progress);
}

}  // namespace quantiplan::prism
