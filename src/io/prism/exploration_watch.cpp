#include "io/prism/exploration_watch.hpp"

#include <fmt/format.h>

namespace quantiplan::prism {
namespace {

// What the model and its builder hold: a state, a choice, an outcome. Vectors that grow hold up to twice what is in them. A check on what is
// resident, which says nothing where memory that was freed is used again.
std::uint64_t bytes_of(const Extent& e) {
  constexpr std::uint64_t kState = 16;
  constexpr std::uint64_t kChoice = 32;
  constexpr std::uint64_t kOutcome = 24;
  return e.set_bytes + e.states * kState + e.choices * kChoice + e.outcomes * kOutcome;
}

}  // namespace

ExplorationWatch::ExplorationWatch(WorkWatch& watch,
                                   const ReadOptions& options,
                                   const Extent& extent)
    : watch_(watch), options_(options), extent_(extent), last_(std::chrono::steady_clock::now()) {
  watch_.now("exploring the model", "explored", [&extent] {
    return fmt::format(
        ", after {} states, of which {} are explored", extent.states, extent.explored);
  });
}

// What follows is the builder's work on all of it.
ExplorationWatch::~ExplorationWatch() { watch_.now("exploring the model", "explored"); }

void ExplorationWatch::look() {
  watch_.look();
  watch_.require(bytes_of(extent_));
  if (!options_.progress) return;
  const auto now = std::chrono::steady_clock::now();
  constexpr auto kPause = std::chrono::milliseconds(100);
  if (now - last_ < kPause) return;
  last_ = now;
  phase_ = fmt::format("exploring: {} states, {} of them still open",
                       extent_.states,
                       extent_.states - extent_.explored);
  Progress progress;
  progress.phase = phase_;
  progress.fraction = -1;  // how many states there are is what is being found out
  options_.progress(progress);
}

}  // namespace quantiplan::prism
