// A policy's rules by residual in whole steps of the stages, and where the residual matters.
//
//     low_t(s)  = min( the first upto,  R + low_{t+1}(s')  over outcomes of the first run's choice )
//     high_t(s) = max( the last upto,   R + high_{t+1}(s') over outcomes of the last run's choice )
//
// At y <= low the first run decides, now and ever after; at y > high the last one does. Such residuals
// are all written kBelow, or kAbove.
#pragma once

#include <cstdint>
#include <limits>
#include <vector>

#include "finite/stages.hpp"
#include "quantiplan/policy.hpp"

namespace quantiplan {

class ResidualRuns {
 public:
  static constexpr std::int64_t kBelow = std::numeric_limits<std::int64_t>::min();
  static constexpr std::int64_t kAbove = std::numeric_limits<std::int64_t>::max();

  ResidualRuns(const Stages& stages, const Policy& policy);

  [[nodiscard]] std::int64_t first_residual() const { return reduced(0, 0, target_); }
  // The slot must be one that the policy meets, and not over.
  [[nodiscard]] Choice choose(std::uint64_t time, std::uint32_t slot, std::int64_t residual) const;
  // What is left to collect after an outcome.
  [[nodiscard]] std::int64_t next_residual(std::uint64_t time,
                                           std::int64_t residual,
                                           const Outcome& o,
                                           std::uint32_t next_slot) const;

 private:
  struct Run {
    std::int64_t upto = kAbove;
    Choice choice{};
  };
  struct Range {
    std::int64_t low = kAbove;
    std::int64_t high = kBelow;
  };
  void read_runs(const Policy& policy);
  void find_range(std::uint64_t time, std::uint32_t slot);
  [[nodiscard]] std::int64_t reduced(std::uint64_t time,
                                     std::uint32_t slot,
                                     std::int64_t residual) const;

  const Stages& stages_;
  std::int64_t target_ = 0;
  std::vector<std::vector<std::vector<Run>>> runs_;  // by time and slot; none if it is never met
  std::vector<std::vector<Range>> range_;
};

}  // namespace quantiplan
