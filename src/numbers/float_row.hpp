// The probabilities of one choice that are given as floats, exact and normalised, without the heap.
//
//     p_i = n_i 10^-k_i (its shortest decimal),   m_i = n_i 10^(K - k_i),   M = sum of m_i
//     share_i = m_i / M in lowest terms,          K = max k_i <= 28, so that all fit 127 bits
//
// Guarantees: what ProbabilitySum gives. Cost: a std::to_chars and, where M is not 10^K, a gcd of
// words an outcome.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "numbers/bits_table.hpp"
#include "numbers/fraction.hpp"
#include "numbers/shortest_decimal.hpp"

namespace quantiplan {

// A number that is ready to be interned.
struct SettledNumber {
  LongFraction value;
  std::uint64_t hash = 0;
};

// How far from 1 rows may sum, for each K.
class RowTolerance {
 public:
  static constexpr int kMostDecimals = 28;
  explicit RowTolerance(const Rational& tolerance);
  // The greatest |M - 10^K| that is within it.
  [[nodiscard]] UInt128 most(int decimals) const noexcept {
    return most_[static_cast<std::size_t>(decimals)];
  }

 private:
  std::array<UInt128, kMostDecimals + 1> most_{};
};

class FloatRow {
 public:
  // False if the row is not for this way: a probability outside [0, 1], more than 28 decimals, a sum
  // beyond the tolerance. Else `out` has the shares; 0 where the probability is.
  template <class Float>
  [[nodiscard]] bool settle(std::span<const Float> row,
                            const RowTolerance& tolerance,
                            std::span<SettledNumber> out);
  // Of the row that was settled last: |sum - 1| in units of 10^-28, and the sum.
  [[nodiscard]] UInt128 deviation() const noexcept { return deviation_; }
  [[nodiscard]] LongFraction sum() const noexcept;  // not in lowest terms

 private:
  void share(std::span<SettledNumber> out) const;

  BitsTable<Decimal> known_;
  std::vector<Decimal> decimals_;
  int most_decimals_ = 0;  // K
  UInt128 total_ = 0;      // M
  UInt128 deviation_ = 0;
};

}  // namespace quantiplan
