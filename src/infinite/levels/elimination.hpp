// Gaussian elimination for the small dense systems (I - P) x = b of one policy on one cycle.
//
// Doubles: with partial pivoting, factors kept for further right-hand sides. Rationals: exact,
// zeros skipped. The matrices are M-matrices of proper policies, so they are regular.
#pragma once

#include <cmath>
#include <cstddef>
#include <utility>
#include <vector>

#include "quantiplan/number.hpp"

namespace quantiplan {

// Row-major n x n.
class Factors {
 public:
  Factors() = default;
  Factors(std::vector<double> matrix, std::size_t n) : n_(n), at_(std::move(matrix)), pivot_(n) {
    for (std::size_t k = 0; k < n_; ++k) {
      std::size_t best = k;
      for (std::size_t i = k + 1; i < n_; ++i) {
        if (std::abs(at_[i * n_ + k]) > std::abs(at_[best * n_ + k])) best = i;
      }
      pivot_[k] = best;
      if (best != k) {
        for (std::size_t j = 0; j < n_; ++j) std::swap(at_[k * n_ + j], at_[best * n_ + j]);
      }
      const double diagonal = at_[k * n_ + k];
      for (std::size_t i = k + 1; i < n_; ++i) {
        double& factor = at_[i * n_ + k];
        if (factor == 0) continue;
        factor /= diagonal;
        for (std::size_t j = k + 1; j < n_; ++j) at_[i * n_ + j] -= factor * at_[k * n_ + j];
      }
    }
  }
  [[nodiscard]] bool empty() const noexcept { return n_ == 0; }

  void solve(std::vector<double>& b) const {
    for (std::size_t k = 0; k < n_; ++k) std::swap(b[k], b[pivot_[k]]);
    for (std::size_t i = 1; i < n_; ++i) {
      for (std::size_t j = 0; j < i; ++j) b[i] -= at_[i * n_ + j] * b[j];
    }
    for (std::size_t i = n_; i-- > 0;) {
      for (std::size_t j = i + 1; j < n_; ++j) b[i] -= at_[i * n_ + j] * b[j];
      b[i] /= at_[i * n_ + i];
    }
  }

 private:
  std::size_t n_ = 0;
  std::vector<double> at_;
  std::vector<std::size_t> pivot_;
};

// x of matrix x = b, in place of b; false as soon as `ended()` says so.
template <class Ended>
bool eliminate(std::vector<Rational>& matrix, std::vector<Rational>& b, const Ended& ended) {
  const std::size_t n = b.size();
  for (std::size_t k = 0; k < n; ++k) {
    std::size_t pivot = k;
    while (matrix[pivot * n + k] == 0) ++pivot;
    if (pivot != k) {
      for (std::size_t j = k; j < n; ++j) std::swap(matrix[k * n + j], matrix[pivot * n + j]);
      std::swap(b[k], b[pivot]);
    }
    const Rational inverse = 1 / matrix[k * n + k];
    for (std::size_t j = k; j < n; ++j) {
      if (matrix[k * n + j] != 0) matrix[k * n + j] *= inverse;
    }
    b[k] *= inverse;
    for (std::size_t i = 0; i < n; ++i) {
      if (ended()) return false;
      if (i == k || matrix[i * n + k] == 0) continue;
      const Rational factor = matrix[i * n + k];
      for (std::size_t j = k; j < n; ++j) {
        if (matrix[k * n + j] != 0) matrix[i * n + j] -= factor * matrix[k * n + j];
      }
      b[i] -= factor * b[k];
    }
  }
  return true;
}

}  // namespace quantiplan
