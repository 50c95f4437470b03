// Doubles of either sign, moved up or down by what they may err: bounds whatever was rounded.
//
//     every sum and product errs by half a step, 2^-53 of its size, and so does a probability: (n + 4) 2^-52 of the sum of
//     sizes covers n products; a few operations on two numbers err by less than 2^-50 of their sizes
//
// The least normal number is added for what underflows. Probabilities without a sign: check/common/outward_interval.hpp.
#pragma once

#include <cmath>
#include <limits>

namespace quantiplan::checking {

// Sums of products in doubles, with what they may err by.
class OutwardSum {
 public:
  void add(double p, double value) {
    const double part = p * value;
    sum_ += part;
    size_ += std::abs(part);
    ++count_;
  }
  // p is within half a step of the probability; every sum and product errs by half a step at most.
  [[nodiscard]] double end(bool up) const {
    const double error = size_ * (count_ + 4) * 0x1p-52 + std::numeric_limits<double>::min();
    return up ? sum_ + error : sum_ - error;
  }

 private:
  double sum_ = 0;
  double size_ = 0;
  double count_ = 0;
};

// a - b: their own errors count beside that of the difference.
inline double difference(double a, double b, bool up) {
  const double error = (std::abs(a) + std::abs(b)) * 0x1p-50 + std::numeric_limits<double>::min();
  return up ? a - b + error : a - b - error;
}
inline double outward(double value, bool up) {
  const double error = std::abs(value) * 0x1p-50 + std::numeric_limits<double>::min();
  return up ? value + error : value - error;
}

}  // namespace quantiplan::checking
