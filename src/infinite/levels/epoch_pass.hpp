// The pass over the levels of the residual target, for all states at once, one level at a time.
//
//     V_k(s) = max_a  sum over (s', p, w) of  p * V_j(s'),    j = the level that w refers to from k
//     gains:  V_k = D(., y) for y in (sigma_{k-1}, sigma_k]      k = 1, 2, ...   never rising
//     losses: V_k = D(., -c) for c in [sigma_k, sigma_{k+1})     k = 0, 1, ...   never falling
//
// Within a level only zero-reward moves matter (equations.hpp). Rows of levels that no weight can
// refer to any more are dropped. Source: semantics, section 4; level by level as in [BK], [HK].
#pragma once

#include <cstdint>
#include <deque>
#include <optional>
#include <vector>

#include "infinite/levels/event.hpp"
#include "infinite/levels/fixpoint.hpp"
#include "infinite/levels/ladder.hpp"
#include "infinite/levels/weights.hpp"

namespace quantiplan {

// What every pass of one problem shares, whatever its arithmetic.
struct EpochProblem {
  const Moves& moves;
  const Weights& weights;
  Event event;
  bool start_only = false;  // nobody asks for more than the values at s0 of the whole model
};

// The options of all groups, level after level, where they change.
class DecisionRecord {
 public:
  explicit DecisionRecord(std::size_t groups) : runs_(groups) {}
  void add(std::uint64_t level, const std::vector<std::uint32_t>& options);
  // Of a group, at a level that was added.
  [[nodiscard]] std::uint32_t at(std::uint32_t group, std::uint64_t level) const;
  [[nodiscard]] std::uint64_t bytes() const noexcept { return 16 * count_; }

 private:
  struct Run {
    std::uint64_t from;
    std::uint32_t option;
  };
  std::vector<std::vector<Run>> runs_;
  std::uint64_t count_ = 0;
};

template <class A>
class EpochPass {
 public:
  using Value = typename A::Value;
  using Row = typename Equations<A>::Row;

  // base: D beyond the boundary, by slot (event.hpp), known to within `base_error`.
  EpochPass(const EpochProblem& problem,
            const std::vector<Value>& base,
            double base_error,
            Limits& limits,
            bool record);
  ~EpochPass();
  EpochPass(const EpochPass&) = delete;
  EpochPass& operator=(const EpochPass&) = delete;

  // Solves the next level: gains begin with level 1, losses with level 0. False if the limits
  // ended it, or if there is no further level (then is_over(): V stays what it is for ever).
  bool advance();
  [[nodiscard]] bool is_over() const noexcept { return is_over_; }

  [[nodiscard]] std::uint64_t level() const noexcept { return ladder_.level(); }
  [[nodiscard]] std::uint64_t sigma(std::uint64_t level) const { return ladder_.sigma(level); }
  // V at an initial slot, and how far it can be from the truth.
  [[nodiscard]] const Value& value(std::size_t start = 0) const {
    return rows_.back()[starts_[start]];
  }
  [[nodiscard]] std::size_t starts() const noexcept { return starts_.size(); }
  [[nodiscard]] double error() const noexcept { return error_; }

  [[nodiscard]] const Equations<A>& equations() const noexcept { return equations_; }
  [[nodiscard]] const DecisionRecord& record() const noexcept { return record_; }
  [[nodiscard]] std::uint64_t multiply_adds() const { return fixpoint_.multiply_adds(); }
  [[nodiscard]] std::uint64_t levels_solved() const noexcept { return solved_; }
  // Levels whose values are held now: those that can still be referred to.
  [[nodiscard]] std::size_t rows_held() const noexcept { return rows_.size(); }

 private:
  bool solve_level();

  const EpochProblem& problem_;
  Limits& limits_;
  Equations<A> equations_;
  Fixpoint<A> fixpoint_;
  Ladder ladder_;
  std::vector<std::uint32_t> starts_;  // groups of the initial slots
  Row base_;
  std::deque<Row> rows_;  // of levels first_row_ ..
  std::uint64_t first_row_ = 0;
  std::vector<std::uint32_t> options_;
  bool has_begun_ = false;
  bool is_over_ = false;
  bool records_;
  DecisionRecord record_;
  double error_;
  std::uint64_t solved_ = 0;
  std::uint64_t held_bytes_ = 0;
};

extern template class EpochPass<Real>;
extern template class EpochPass<Exact>;
extern template class EpochPass<Sure>;
extern template class EpochPass<Possible>;

}  // namespace quantiplan
