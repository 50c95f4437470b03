// What a long pass leaves in the checkpoint folder of its call, and finds there again.
//
// A pass is known by a digest of all that its result depends on, so that a resumed call, which asks
// the same again, finds each of its passes: over, begun, or not at all. Results have the same bits.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/stopwatch.hpp"
#include "finite/decisions.hpp"
#include "finite/pass/dense_backend.hpp"
#include "finite/pass/pass.hpp"
#include "finite/pass/step_layer.hpp"

namespace quantiplan {

class CheckpointFolder;

class PassStore {
 public:
  // Null where the call keeps no checkpoints, or the pass is part of another.
  static std::unique_ptr<PassStore> open(const PassInput<double>& input,
                                         Limits& limits,
                                         const Work& work);

  // The outcome, if the pass was over; its decisions and layers are counted as taken.
  std::optional<PassOutput<double>> finished(Work& work);

  // Where the pass stood. Then `sparse` is the layer of `time`, or the backend is to restore it.
  struct Place {
    std::uint64_t time = 0;
    bool is_dense = false;
    std::uint64_t layer_bytes = 0;
    std::uint64_t dense_layers = 0;
    std::uint64_t entries = 0;
    SpannedSteps<double> sparse;  // if dense: its spans only
    std::shared_ptr<Decisions> decisions;
    std::uint64_t decision_bytes = 0;
    std::uint64_t record_bytes = 0;
  };
  std::optional<Place> begun(Work& work);
  void restore(const Place& place, DenseBackend& backend) const;

  // Before a layer: whether it is time. After it: writes, if so. The layer is in the backend or, if
  // that is null, in `sparse`.
  void before_layer();
  void after_layer(const Place& place,
                   DenseBackend* backend,
                   const SpannedSteps<double>& sparse,
                   const Decisions* decisions,
                   const Work& work);
  // Keeps the outcome, if it took long; where there are several ranks, all go on once it is kept.
  void finish(const PassOutput<double>& output, const Work& work);

 private:
  PassStore(const PassInput<double>& input, Limits& limits, const Work& work);
  [[nodiscard]] std::string name(const std::string& end) const { return name_ + "." + end; }
  void put_progress(const Work& work, std::vector<std::byte>& out) const;
  void put_pending(std::uint64_t upto, const Decisions* decisions);
  void keep(const PassOutput<double>& output, const Work& work);
  void load_segments(std::uint64_t count, Place& place);
  void write_part(std::uint64_t time,
                  DenseBackend& backend,
                  const std::vector<Interval>& owners,
                  std::size_t rank);

  const PassInput<double>& input_;
  Limits& limits_;
  CheckpointFolder& folder_;
  std::string name_;
  Work before_;            // of the call, when the pass began
  std::uint64_t pending_;  // times below it, down to where the pass stands, are not written yet
  std::vector<std::pair<std::uint64_t, std::uint64_t>> segments_;  // (first, end) of times written
  std::vector<Interval> owners_;  // of the parts found, by the rank that wrote them
  Stopwatch watch_;
};

}  // namespace quantiplan
