// Solves the equations of a level, block by block; remembers what the next level can use.
//
//     block of one group      v = max over options of their worth
//     cycle of groups         Real: policy iteration with sparse factors that are kept while the policy
//                             lasts; large cycles begin with some sweeps from the last level's
//                             values, which are often enough, and go on where factors fill in too much
//                             Exact: policy iteration from what doubles find, each policy's system
//                             solved in rationals (linear/rational_system.hpp)
//                             Sure: from 1 downwards; Possible: from 0 upwards
//
// Real is certified whatever it did: with rho the greatest |max over options of worth - v| that is
// left, and e >= 1 + max over options of f sum p e over inner arcs, one has |v - V| <= rho e (V the
// solution, and also the true worth of the policy that takes the maximising options): v + rho e is
// not increased and v - rho e not decreased by the equations, so V lies between. e, the greatest
// expected number of moves within the level, belongs to the structure and is computed once. This
// takes the place of iterating from both sides, and costs half of it. Compare [HM], [QK].
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "base/team.hpp"
#include "infinite/levels/equations.hpp"

namespace quantiplan {

// Cycles that rationals are not tried on unasked.
constexpr std::size_t kGreatestExactCycle = 400;

template <class A>
class Fixpoint {
 public:
  using Value = typename A::Value;
  using Row = typename Equations<A>::Row;
  using Rows = typename Equations<A>::Rows;

  // The equations must outlive it.
  Fixpoint(const Equations<A>& equations, Limits& limits);
  ~Fixpoint();
  Fixpoint(const Fixpoint&) = delete;
  Fixpoint& operator=(const Fixpoint&) = delete;

  // Fills `values`, and the best option of every group. Both hold the last level's on entry, where
  // there was one. Row 0 may be anything: it is the level's own. False if the limits ended it.
  bool solve(Rows rows, Row& values, std::vector<std::uint32_t>& options);

  // Real: how far the last values can be from the solution, if the rows were exact.
  [[nodiscard]] double error() const noexcept { return error_; }
  [[nodiscard]] double greatest_expected_moves() const noexcept { return moves_; }
  [[nodiscard]] std::uint64_t multiply_adds() const noexcept { return multiply_adds_; }

 private:
  struct Cycle;
  // Blocks begin .. end: a rank whose blocks go to all threads, or ranks that go to one.
  struct Stretch {
    std::size_t begin;
    std::size_t end;
    bool is_wide;
  };
  void bound_moves();
  void find_stretches();
  double solve_blocks(std::size_t begin,
                      std::size_t end,
                      const Rows& rows,
                      Row& values,
                      std::vector<std::uint32_t>& options) const;
  double solve_cycle(const typename Equations<A>::Block& block,
                     Cycle& cycle,
                     const Rows& rows,
                     Row& values,
                     std::vector<std::uint32_t>& options) const;
  void solve_groups(std::uint32_t first,
                    std::uint32_t end,
                    const Rows& rows,
                    Row& values,
                    std::vector<std::uint32_t>& options) const;

  const Equations<A>& equations_;
  Limits& limits_;
  std::vector<std::unique_ptr<Cycle>> cycles_;  // by block; null if it is a single group
  std::vector<Stretch> stretches_;
  std::unique_ptr<Team> team_;  // from the first wide stretch on
  double moves_ = 1;
  double rounding_ = 0;
  double error_ = 0;
  std::uint64_t multiply_adds_ = 0;
};

extern template class Fixpoint<Real>;
extern template class Fixpoint<Exact>;
extern template class Fixpoint<Sure>;
extern template class Fixpoint<Possible>;

}  // namespace quantiplan
