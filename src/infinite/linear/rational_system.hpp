// The exact solution of a sparse regular system A x = b in rationals, by p-adic lifting.
//
//     x = x_0 + x_1 p + x_2 p^2 + ...    A x_k = r_k mod p,    r_0 = b,    r_(k+1) = (r_k - A x_k) / p
//
// Rows are multiplied by their denominators first. One factorisation modulo p serves all k [Di]; fractions are found
// from their residues modulo p^k by Euclid's algorithm [Wa], k = 1, 2, 3, 5, ..., and are taken where A x = b holds in
// whole numbers: a proof that owes nothing to how they were found. Cost: the factorisation, and for each of as many k
// as numerator and denominator of the solution have words, a solve and a product.
#pragma once

#include <optional>
#include <vector>

#include "infinite/linear/prime_field.hpp"
#include "infinite/linear/sparse_factors.hpp"
#include "quantiplan/number.hpp"

namespace quantiplan {

class RationalSystem {
 public:
  // Ends before it has begun where the limits do not allow the factors.
  RationalSystem(const SparseRows<Rational>& matrix, const Limits& limits);
  // False: the limits ended it, or the factors did not fit into memory.
  [[nodiscard]] bool is_ready() const noexcept { return factors_ && !factors_->empty(); }
  // Nullopt if the limits ended it.
  [[nodiscard]] std::optional<std::vector<Rational>> solve(const std::vector<Rational>& b,
                                                           const Limits& limits) const;

 private:
  using Number = PrimeField::Number;
  class Lifting;

  bool factor(std::uint64_t prime, const Limits& limits);

  SparseRows<Integer> rows_;    // A, each row times its scale
  std::vector<Integer> scale_;  // by row
  std::optional<PrimeField> field_;
  std::optional<SparseFactors<PrimeField>> factors_;
};

}  // namespace quantiplan
