// Expected visits to the states of a strongly connected, transient part of a Markov chain.
//
//     v = m + v Q        m: mass that enters, Q: moves within the part, leak_i = 1 - sum_j Q_ij > 0
//                        for some i; then v (I - Q) = m has one solution, and it is not negative
//
// States are eliminated one after another, those with few neighbours first. The pivot of state k is
// d_k = leak_k + sum_{j != k} a_kj, which equals 1 - a_kk but is never computed by subtraction
// (Grassmann, Taksar and Heyman [GTH]), so that in doubles every number has a small relative error:
//
//     eliminate k:  a_ij += a_ik a_kj / d_k     leak_i += a_ik leak_k / d_k
//     forward:      m_j += m_k a_kj / d_k
//     backward:     v_k = ( m_k + sum_{i later} v_i a_ik ) / d_k
//
// What leaves a state, v_i leak_i, is a ratio of two polynomials of degree n in the moves between
// different states, with coefficients that are not negative (the all-minors matrix tree theorem).
// If each move errs by a factor (1 + u)^(+-e), it errs by (1 + u)^(+-2ne). Moves are rounded once;
// the step that leaves r states computes theirs with at most r + 3 roundings each; in the forward
// and the backward pass an error grows by at most 2n + 3 roundings from one state to the next, n
// times. So what leaves errs by at most
//
//     2n + sum_r 2r (r + 3) + 2n (2n + 3)  <=  n^3 + 8 n^2 + 12 n    roundings.
//
// Needs: strongly connected, or at least that every state can leave. N is double or Rational.
// Cost: that of the fill-in; a solution costs two passes over what elimination has kept.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "base/limits.hpp"
#include "quantiplan/number.hpp"

namespace quantiplan {

// The moves within a part, by row.
template <class N>
struct BlockMoves {
  struct Move {
    std::uint32_t to;
    N probability;
  };
  std::vector<std::vector<Move>> rows;  // each state at most once in a row
  std::vector<N> leak;                  // by row
};

template <class N>
class TransientBlock {
 public:
  // Nullopt if it would take more than `most_work` multiplications, or if the limits ended it.
  static std::optional<TransientBlock> make(const BlockMoves<N>& moves,
                                            std::uint64_t most_work,
                                            const Limits& limits);

  // On entry the mass that enters each state, on return its expected visits. False if the limits
  // ended it.
  [[nodiscard]] bool solve(std::vector<N>& mass, const Limits& limits) const;

  [[nodiscard]] std::uint64_t entries() const { return to_.size() + from_.size(); }

 private:
  struct Step {
    std::uint32_t state;
    N inverse_pivot;
    std::uint64_t to_begin;    // of `to`: a_kj / d_k for the states j that were left
    std::uint64_t from_begin;  // of `from`: a_ik / d_k
  };
  std::vector<Step> steps_;  // in the order of elimination
  std::vector<typename BlockMoves<N>::Move> to_;
  std::vector<typename BlockMoves<N>::Move> from_;
};

// Roundings by which what leaves a block of n states may err: see above.
double block_roundings(std::size_t n);

}  // namespace quantiplan
