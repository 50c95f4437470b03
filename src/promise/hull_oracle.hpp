// One problem of promises under many aims, as the search over weights sees it: points of the hull of
// all attainable (P, E).
//
// The targets are fixed when it is made: one run serves all of them.
#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include "base/limits.hpp"
#include "promise/aim.hpp"
#include "quantiplan/answer.hpp"

namespace quantiplan {

class HullOracle {
 public:
  virtual ~HullOracle() = default;
  // A prospect for each target. Nullopt if the limits ended it.
  virtual std::optional<std::vector<Prospect>> run(const Aim& aim, Limits& limits, Work& work) = 0;
  // The probability of an aim's policy for one of the targets, by position, in rationals. Nullopt if
  // that takes too long, or the prospect has it.
  virtual std::optional<Rational> exact_probability(const Aim& aim,
                                                    std::size_t target,
                                                    Limits& limits) = 0;
  // A weight that the runs can compute with, near this one.
  [[nodiscard]] virtual Rational rounded(const Rational& weight) const = 0;
};

}  // namespace quantiplan
