// How far probabilities can be off when mass is followed forward in doubles.
//
// A rounding that makes mass m out of m (1 + d), |d| <= u, is as if m d had been put in at that
// place. From there on mass is only divided, so no event's probability changes by more than |m d|:
// the error of every probability, and of every sum of them, is at most the sum of all |m d|. It
// does not grow with the number of steps that follow. N is double, or Rational, where there is
// none.
#pragma once

#include <cmath>
#include <cstdint>

#include "numbers/rounding_bound.hpp"
#include "quantiplan/number.hpp"

namespace quantiplan {

// The relative error after so many roundings one after the other, rounded up.
inline double relative_after(const Integer& roundings) {
  const RoundingBound bound = RoundingBound::after(roundings, 0);
  return std::nextafter(to_nearest_double(bound.relative), 2.0);
}

template <class N>
class MassError;

template <>
class MassError<double> {
 public:
  void rounded(double mass, double roundings) {
    roundings_ += mass * roundings;
    ++operations_;
  }
  // Mass that was put in or taken away besides.
  void moved(double mass) { moved_ += mass; }
  [[nodiscard]] double bound() const {
    // The sums are rounded too, by far less than the factor; a product that underflows loses less
    // than 2^-1074.
    constexpr double kRoundedUp = 1 + 0x1p-16;
    return (roundings_ * 0x1p-53 + moved_) * kRoundedUp +
           static_cast<double>(4 * operations_) * 0x1p-1074;
  }

 private:
  double roundings_ = 0;  // mass times number of roundings
  double moved_ = 0;
  std::uint64_t operations_ = 0;
};

template <>
class MassError<Rational> {
 public:
  void rounded(const Rational&, double) {}
  [[nodiscard]] static double bound() { return 0; }
};

}  // namespace quantiplan
