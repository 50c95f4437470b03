// What a computation in rationals may cost before doubles must do.
#pragma once

#include <cstddef>
#include <limits>

#include "quantiplan/number.hpp"

namespace quantiplan {

class WealthBudget {
 public:
  struct Spent {};  // thrown: it takes longer than anybody asked for

  static constexpr double kNoEnd = std::numeric_limits<double>::infinity();
  // About nanoseconds.
  explicit WealthBudget(double left) : left_(left) {}

  static void spend(double) {}
  // Reducing a fraction is quadratic in its length.
  void spend(const Rational& product) {
    const auto limbs =
        static_cast<double>(mpz_size(product.get_num_mpz_t()) + mpz_size(product.get_den_mpz_t()));
    left_ -= 100 + limbs * limbs;
    if (left_ < 0) throw Spent{};
  }

 private:
  double left_;
};

}  // namespace quantiplan
