// How far a mean that is claimed as a double may lie from the truth.
//
//     8 (b + 6) 2^-53 T^2 max |r|, for T sums of at most b terms
//
// A solve in doubles errs by half of that, and claims the lower end of what it knows. One double more,
// for the text.
#pragma once

#include <algorithm>

#include "check/common/check_case.hpp"
#include "check/common/ends.hpp"

namespace quantiplan::checking {

inline Rational mean_tolerance(const CheckCase& task, const Ends& ends) {
  Rational largest = 0;
  for (std::size_t c = 0; c < task.model.choice_count(); ++c)
    for (const Outcome& o : task.model.outcomes(Choice{static_cast<std::uint32_t>(c)}))
      if (const Rational size = abs(task.model.reward(o)); size > largest) largest = size;
  const Integer sums(static_cast<unsigned long>(ends.sums()));
  const Integer terms(std::max(task.model.most_outcomes(), ends.initial().size()));
  return largest * Rational(sums * sums * (terms + 6) + 1) * Rational(0x1p-50);
}

}  // namespace quantiplan::checking
