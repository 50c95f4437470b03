// One step of a pass on several ranks, before it is made: what it takes, and who does what.
//
//     work of a slot = (terms of its choices) * (levels of its span),   terms: outcomes, or 1 where a
//                      mixture is shared
//
// From spans alone, which all ranks know: they find the same plan. Cost: O(choices + slots log slots).
#pragma once

#include <cstdint>
#include <vector>

#include "finite/pass/pass.hpp"
#include "finite/pass/row_mixes.hpp"
#include "finite/pass/span.hpp"
#include "finite/segments.hpp"

namespace quantiplan {

struct RankPlan {
  std::vector<Interval> slabs;    // by rank: the levels it computes
  std::vector<Interval> reaches;  // by rank: the levels of the later layer it needs
  // As one process would count them.
  std::uint64_t backups = 0;
  std::uint64_t multiply_adds = 0;
  // Entries of the rank that has most: of its slab, its reach, the mixtures it computes.
  std::uint64_t most_now = 0;
  std::uint64_t most_later = 0;
  std::uint64_t most_mixed = 0;
};

// The least and the greatest reward at each time, in steps of that time.
class RewardRange {
 public:
  explicit RewardRange(const Stages& stages) : stages_(stages) {}
  struct Range {
    std::int64_t least = 0;
    std::int64_t most = 0;
  };
  [[nodiscard]] Range at(std::uint64_t time);

 private:
  const Stages& stages_;
  std::uint64_t known_at_ = ~std::uint64_t{0};
  std::vector<NumberId> met_;  // in the layer of known_at_
};

// `mixes`: planned for these spans, not yet restricted.
RankPlan plan_step(const PassInput<double>& input,
                   std::uint64_t time,
                   const std::vector<Span<double>>& spans,
                   const std::vector<Span<double>>& later,
                   const RowMixes& mixes,
                   const RewardRange::Range& rewards,
                   std::uint32_t ranks);

}  // namespace quantiplan
