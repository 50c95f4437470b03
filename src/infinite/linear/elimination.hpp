// Gaussian elimination for small dense systems (I - P) x = b of one policy, in rationals, zeros skipped. The
// matrices are M-matrices of proper policies, so they are regular.
#pragma once

#include <cstddef>
#include <utility>
#include <vector>

#include "quantiplan/number.hpp"

namespace quantiplan {

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
