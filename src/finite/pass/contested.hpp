// Whether rounding leaves open which of two choices is better.
//
// Each value errs by a factor within 1 +- gamma_n. The runner-up is certainly worse if it is below
// best * (1 - 8 gamma_n): twice the two errors, and twice again for evaluating this in doubles.
// Values near underflow are always contested. A contested choice is never wrong by itself: it only
// means that an exact solve must look at the other choices too.
#pragma once

#include <cstdint>

#include "quantiplan/number.hpp"

namespace quantiplan {

template <class N>
class Contest {
 public:
  Contest(std::uint64_t, std::uint64_t) {}
  // Exact values: nothing is open.
  [[nodiscard]] bool is_open(const N&, const N&) const { return false; }
};

template <>
class Contest<double> {
 public:
  Contest(std::uint64_t horizon, std::uint64_t most_outcomes)
      : factor_(1.0 - 8.0 * 1.2e-16 * static_cast<double>(horizon) *
                          (static_cast<double>(most_outcomes) + 2)) {}
  [[nodiscard]] bool is_open(double best, double second) const {
    return second >= best * factor_ || best < 1e-290;
  }
  // For a backend that asks elsewhere.
  [[nodiscard]] double factor() const noexcept { return factor_; }

 private:
  double factor_;  // may be negative for absurd horizons: then everything is contested
};

}  // namespace quantiplan
