// When to look at the limits: after about a millisecond of work, whatever the length of its
// numbers.
#pragma once

#include <cstddef>

#include "base/limits.hpp"
#include "quantiplan/number.hpp"

namespace quantiplan {

// What a product and its way into a sum take, in about nanoseconds: reducing a fraction is
// quadratic in its length.
inline double cost_of(double) { return 50; }
inline double cost_of(const Rational& product) {
  const auto limbs =
      static_cast<double>(mpz_size(product.get_num_mpz_t()) + mpz_size(product.get_den_mpz_t()));
  return 100 + limbs * limbs;
}

// What it holds; a rational has two blocks of the heap.
inline std::uint64_t bytes_of(double) { return sizeof(double); }
inline std::uint64_t bytes_of(const Rational& value) {
  constexpr std::uint64_t kBlock = 16;
  const std::size_t limbs = mpz_size(value.get_num_mpz_t()) + mpz_size(value.get_den_mpz_t());
  return sizeof(Rational) + limbs * sizeof(mp_limb_t) + 2 * kBlock;
}

class Pace {
 public:
  explicit Pace(const Limits& limits) : limits_(limits) {}

  // Each is true if the limits ended the call; once they have, it stays so.
  template <class N>
  bool after(const N& product) {
    return after_nanoseconds(cost_of(product));
  }
  bool after_nanoseconds(double spent) {
    spent_ += spent;
    constexpr double kMillisecond = 1e6;
    if (spent_ < kMillisecond) return has_ended_;
    spent_ = 0;
    has_ended_ = limits_.ended();
    return has_ended_;
  }
  [[nodiscard]] bool has_ended() const { return has_ended_; }

 private:
  const Limits& limits_;
  double spent_ = 0;  // since the last look
  bool has_ended_ = false;
};

}  // namespace quantiplan
