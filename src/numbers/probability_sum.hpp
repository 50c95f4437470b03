// Exact sum of the probabilities of one choice, fast where a common denominator fits 62 bits.
//
//     sum p_i = (sum n_i * (L / d_i)) / L,   L = lcm of the d_i
//
// Needs: every p_i in [0, 1]. Guarantees: never rounded. Cost: two divisions an outcome while L
// fits, one addition of rationals an outcome afterwards.
#pragma once

#include <cstddef>
#include <cstdint>

#include "numbers/fraction.hpp"
#include "quantiplan/number.hpp"

namespace quantiplan {

class ProbabilitySum {
 public:
  static constexpr std::size_t kMostBits = 65536;

  // False, and nothing else holds any more, if the common denominator passes kMostBits: a file of a
  // few megabytes could otherwise keep us busy for days.
  [[nodiscard]] bool add(const Number& probability);
  [[nodiscard]] bool is_one() const;
  [[nodiscard]] Rational value() const;
  // probability / sum, exactly; the sum must be positive.
  [[nodiscard]] Number share(const Number& probability) const;

 private:
  bool add_small(const Fraction& probability);

  bool wide_ = false;
  std::int64_t denominator_ = 1;  // L, while not wide
  Int128 numerator_ = 0;
  Rational total_;  // the sum, once wide
};

}  // namespace quantiplan
