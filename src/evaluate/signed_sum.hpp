// A sum of products of doubles, of any sign, and how far it may err.
//
//     N terms x_i, each with a relative error e beside some roundings of its own:
//     |sum - truth| <= (e + (N + roundings) 2^-53) sum |x_i|      a little more, for the last sum
#pragma once

#include <algorithm>
#include <cmath>

#include "numbers/mean_value.hpp"

namespace quantiplan {

class SignedSum {
 public:
  // A term is a product of some factors; one of them may be a sum of `added` doubles.
  void add(double term, double added = 0) {
    sum_ += term;
    size_ += std::abs(term);
    terms_ += 1;
    most_added_ = std::max(most_added_, added);
  }
  // The mean, where terms are probabilities with this relative error times multiples of the unit.
  [[nodiscard]] Value value(const Rational& unit, double relative_error) const {
    constexpr double kFactors = 10;
    const double roundings = terms_ + most_added_ + kFactors;
    const double error = (1 + 0x1p-20) * size_ * (relative_error + roundings * 0x1p-53);
    if (!std::isfinite(error)) return {sum_ * to_nearest_double(unit)};
    return mean_within(Rational(sum_) * unit, Rational(error) * unit);
  }

 private:
  double sum_ = 0;
  double size_ = 0;
  double terms_ = 0;
  double most_added_ = 0;
};

}  // namespace quantiplan
