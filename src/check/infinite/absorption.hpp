// Where a chain goes from a block of nodes that lead to one another, without a subtraction.
//
//     x_i = sum over j of p_ij x_j + b_i,     leave_i = what leaves the block from i
//
// Nodes are eliminated one after the other: who comes to k leaves it again in the end, to j with
// probability p_kj / (leave_k + sum over the other j of p_kj). The denominator is 1 - p_kk, but as
// a sum of non-negative numbers it loses no digits however rarely k is left. Source: Grassmann,
// Taksar and Heyman, 1985; the relative error is about n u, whatever the numbers.
// Needs: nodes from which the block is left in the end. Cost: n^3 / 3 multiplications.
#pragma once

#include <cstddef>
#include <vector>

namespace quantiplan::checking {

template <class N>
class Absorption {
 public:
  explicit Absorption(std::size_t size)
      : size_(size), p_(size * size, N(0)), leave_(size, N(0)), sum_(size, N(0)) {}

  N& p(std::size_t i, std::size_t j) { return p_[i * size_ + j]; }
  N& leave(std::size_t i) { return leave_[i]; }

  // Solves for several b at once, in place. `spend(count, number)` is asked before each row whether
  // there is time left; false: it was not solved.
  template <class Spend>
  bool solve(std::vector<std::vector<N>>& sides, const Spend& spend) {
    for (std::size_t k = size_; k-- > 0;) {
      sum_[k] = leave_[k];
      for (std::size_t j = 0; j < k; ++j) sum_[k] += p(k, j);
      for (std::size_t i = 0; i < k; ++i) {
        if (p(i, k) == 0) continue;
        const N factor = p(i, k) / sum_[k];
        if (!spend(k + 2, factor)) return false;
        for (std::size_t j = 0; j < k; ++j) {
          if (j != i && p(k, j) != 0) p(i, j) += factor * p(k, j);
        }
        leave_[i] += factor * leave_[k];
        for (std::vector<N>& b : sides) b[i] += factor * b[k];
      }
    }
    for (std::size_t k = 0; k < size_; ++k) {
      if (!spend(k + 1, sum_[k])) return false;
      for (std::vector<N>& b : sides) {
        for (std::size_t j = 0; j < k; ++j) {
          if (p(k, j) != 0) b[k] += p(k, j) * b[j];
        }
        b[k] /= sum_[k];
      }
    }
    return true;
  }

 private:
  std::size_t size_;
  std::vector<N> p_;
  std::vector<N> leave_;
  std::vector<N> sum_;
};

}  // namespace quantiplan::checking
