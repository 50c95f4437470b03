// Who owns the dense layers of a pass: the threads of this host, or a device with memory of its own.
//
//     upload D_{t+1}   ->   step(t): D_t from D_{t+1}, and its decisions   ->   ...   ->   read D_t
//
// A pass decides where functions are stored, what is dense and what is recorded; a backend holds the
// arrays and does the arithmetic. What lies outside a span are the constants and lines of the span
// (span.hpp): no backend knows what the numbers mean. All backends add the terms of a backup in the
// order of backup.hpp, without fused multiply-adds, so they give the same bits.
#pragma once

#include <cstdint>
#include <functional>
#include <limits>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "base/limits.hpp"
#include "finite/decisions.hpp"
#include "finite/pass/dense_layer.hpp"
#include "finite/pass/pass.hpp"
#include "finite/pass/step_layer.hpp"
#include "finite/segments.hpp"

namespace quantiplan {

class RowMixes;

// Every level there can be.
constexpr Interval kAllLevels{std::numeric_limits<std::int64_t>::min() / 2,
                              std::numeric_limits<std::int64_t>::max() / 2};

// Who computes one process's part of a layer, if not the threads of its host.
class SlabWorker {
 public:
  SlabWorker() = default;
  SlabWorker(const SlabWorker&) = delete;
  SlabWorker& operator=(const SlabWorker&) = delete;
  virtual ~SlabWorker() = default;

  // full: nothing was done, and the host takes over for good.
  enum class Outcome { done, ended, full };
  // Fills the rows of `now`, parts of functions cut to a slab, from as much of `later` as they reach.
  // `rules`: the runs of the parts, not closed at the ends of functions; null if nobody asks.
  virtual Outcome back_up(std::uint64_t t,
                          const DenseLayer& later,
                          const RowMixes& mixes,
                          DenseLayer& now,
                          Decisions::LayerRules* rules) = 0;
};

// One layer at a time; memory is taken from the limits of the pass and given back with the backend.
class DenseBackend {
 public:
  DenseBackend() = default;
  DenseBackend(const DenseBackend&) = delete;
  DenseBackend& operator=(const DenseBackend&) = delete;
  virtual ~DenseBackend() = default;

  // The layer of time t, by breakpoints, or as a checkpoint of an earlier pass.
  virtual void upload(std::uint64_t t, SpannedSteps<double> layer) = 0;
  virtual void upload(const DenseLayer& layer) = 0;
  // Keeps every 2^shift-th level.
  virtual void coarsen(unsigned shift) = 0;
  // From the layer of t + 1, in the steps of time t, to that of t; `rules`: null if nobody asks. False
  // if the limits ended it.
  virtual bool step(std::uint64_t t,
                    std::vector<Span<double>> spans,
                    Decisions::LayerRules* rules) = 0;

  // The layer held: where its functions are stored, on how many entries, and the functions.
  [[nodiscard]] virtual std::span<const Span<double>> spans() const = 0;
  [[nodiscard]] virtual std::uint64_t entries() const = 0;
  [[nodiscard]] virtual const DenseLayer& read() = 0;

  // For checkpoints: the levels that each process holds of the layer, this one's part, and the way
  // back. `fill` puts the values of the levels it is given into rows cut to them; `entries` as they
  // were counted.
  using Fill = std::function<void(const Interval& levels, DenseLayer& into)>;
  [[nodiscard]] virtual std::vector<Interval> owners() const { return {kAllLevels}; }
  [[nodiscard]] virtual const DenseLayer& own_part() { return read(); }
  virtual void restore(std::vector<Span<double>> spans,
                       std::uint64_t entries,
                       const Fill& fill) = 0;
  // For a process that shares layers with others: who computes its part, if not the threads of its
  // host. Asked for once, before anything else; null: they do.
  [[nodiscard]] virtual std::unique_ptr<SlabWorker> slab_worker() { return nullptr; }
  // The number of steps of each function, or nothing if one has more than a sixteenth of its span.
  [[nodiscard]] virtual std::optional<std::vector<std::uint64_t>> few_steps() = 0;
};

// What a backend is made for; all must outlive it. `most_entries(t)`: of the layers from t down to 0,
// where that can be foreseen.
struct BackendInput {
  const PassInput<double>& input;
  const Arithmetics<double>& numbers;
  std::function<std::uint64_t(std::uint64_t t)> most_entries;
  Limits& limits;
  Work& work;
};

// The threads of this host.
std::unique_ptr<DenseBackend> make_host_backend(const BackendInput& input);
// The threads of several processes, each with a slab of levels (src/finite/cluster).
std::unique_ptr<DenseBackend> make_rank_backend(const BackendInput& input, RankGroup& group);

}  // namespace quantiplan
