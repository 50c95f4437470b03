// Which form a layer of a pass has: step by step (sparse) or level by level (dense), by the work that
// either takes, and the room that dense layers need.
#pragma once

#include <vector>

#include "finite/pass/dense_backend.hpp"
#include "finite/pass/pass.hpp"
#include "finite/pass/step_layer.hpp"

namespace quantiplan {

// The layer at t, for spans and a later layer in the steps of time t. A sparse step costs about eight
// dense ones.
bool is_cheaper_dense(const PassInput<double>& input,
                      std::uint64_t t,
                      const std::vector<Span<double>>& spans,
                      const SpannedSteps<double>& later,
                      unsigned threads);
// A layer much wider than the steps of its functions is better sparse again: near s0 of a fine grid,
// or where a narrow layer follows wide ones.
bool is_cheaper_sparse(const PassInput<double>& input,
                       std::uint64_t t,
                       const std::vector<Span<double>>& spans,
                       DenseBackend& wide);

// Entries of the widest layer that lies ahead; two layers of that size are held.
class EntriesAhead {
 public:
  // `unforeseen`: values may be dropped, and layers are counted as they are made.
  EntriesAhead(const Stages& stages, const Windows& windows, const Needs* needs, bool unforeseen)
      : stages_(stages), windows_(windows), needs_(needs), unforeseen_(unforeseen) {}

  // From t down to 0.
  [[nodiscard]] double most(std::uint64_t t);
  [[nodiscard]] std::uint64_t bytes_needed(std::uint64_t t);

 private:
  const Stages& stages_;
  const Windows& windows_;
  const Needs* needs_;  // null: everything is
  bool unforeseen_;
  std::vector<double> most_;  // by time
};

}  // namespace quantiplan
