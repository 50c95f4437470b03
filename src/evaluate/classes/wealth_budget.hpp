// What a computation in rationals may cost before doubles must do.
#pragma once

#include <limits>

#include "evaluate/infinite/pace.hpp"
#include "quantiplan/number.hpp"

namespace quantiplan {

class WealthBudget {
 public:
  struct Spent {};  // thrown: it takes longer than anybody asked for

  static constexpr double kNoEnd = std::numeric_limits<double>::infinity();
  // About nanoseconds.
  explicit WealthBudget(double left) : left_(left) {}

  static void spend(double) {}
  void spend(const Rational& product) {
    left_ -= cost_of(product);
    if (left_ < 0) throw Spent{};
  }

 private:
  double left_;
};

}  // namespace quantiplan
