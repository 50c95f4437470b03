// One step of time for probability that is held in arrays.
//
//     P_{t+1}(s', (w + R) 2^d) += p P_t(s, w)     for all w of a run of one choice at (t, s) at once
//
// The policy's runs are walked once, in order, and sorted by where they lead; then each row of the
// next time is one worker's, which adds runs slot by slot and outcome by outcome. So every number is
// the same sum in the same order, whatever the number of threads. Products that underflow count as
// the least double, as far from the truth as 0 would be: a level is met iff its number is positive.
// Cost: a multiply-add for each outcome of each level, met or not; 8 bytes a level and 12 for each
// outcome of each run.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "base/limits.hpp"
#include "evaluate/level_mass.hpp"
#include "evaluate/signed_sum.hpp"
#include "finite/stages.hpp"
#include "finite/strategy.hpp"
#include "kernels/backup.hpp"

namespace quantiplan {

class LevelStep {
 public:
  // From `now` at `time`, before the horizon; rows of terminal states are left alone. All must
  // outlive it. Throws Error(bad_policy) where the strategy has no rule for a level that is met.
  LevelStep(const Stages& stages,
            const Strategy& strategy,
            std::uint64_t time,
            const LevelMass& now);

  // Levels that the next time has room for, and bytes in all, before they are taken.
  [[nodiscard]] std::uint64_t cells() const noexcept { return cells_; }
  [[nodiscard]] std::uint64_t bytes() const noexcept;
  // Levels at which a choice is made, the nodes they would lead to one by one, the products that are
  // made of all levels, and the most that are added up to one number.
  [[nodiscard]] std::uint64_t nodes() const noexcept { return nodes_; }
  [[nodiscard]] std::uint64_t contributions() const noexcept {
    return left_ == 0 ? 0
                      : static_cast<std::uint64_t>(static_cast<double>(nodes_) /
                                                   static_cast<double>(left_) *
                                                   static_cast<double>(products_));
  }
  [[nodiscard]] std::uint64_t products() const noexcept { return products_; }
  [[nodiscard]] std::uint64_t most_additions() const noexcept { return most_additions_; }
  // Adds the mean of the rewards as they are, in steps of the time by 2^shift.
  void add_rewards(int shift, SignedSum& sum) const;

  // Nullopt if the limits ended it.
  [[nodiscard]] std::optional<LevelMass> run(const Limits& limits) const;

 private:
  struct Run {
    std::uint32_t slot;
    ChoiceRun levels;
  };
  // An outcome of a run, by the row it leads to.
  struct Piece {
    std::uint32_t run;
    std::uint32_t place;
    std::uint32_t slot;
  };
  struct Range {
    std::int64_t first;
    std::int64_t last;
  };

  void walk_runs(const Strategy& strategy);
  void require_rules(const Strategy& strategy,
                     std::size_t slot,
                     const std::vector<ChoiceRun>& runs) const;
  void sort_pieces();
  void fill(LevelMass& next, std::size_t slot, const Kernel& kernel, bool careful) const;

  const Stages& stages_;
  std::uint64_t time_;
  const LevelMass& now_;
  std::vector<Run> runs_;
  std::vector<Piece> pieces_;         // by the slot they lead to
  std::vector<std::uint64_t> begin_;  // of a slot's pieces; one more than slots
  std::vector<Range> ranges_;         // of the next time, by slot; empty if last < first
  std::uint64_t cells_ = 0;
  std::uint64_t nodes_ = 0;
  std::uint64_t left_ = 0;  // levels of all runs
  std::uint64_t products_ = 0;
  std::uint64_t most_additions_ = 0;
};

}  // namespace quantiplan
