// How far E, or M = max { E + l P }, may err where it is computed in doubles.
//
//     |M_t| <= max |E_t| + l:   a backup of b outcomes errs by at most
//                               2 (b + 6) u ( max |g_t| + max |E_{t+1}| + l ),   and these add up over time
//     of any policy:            |E_t| <= max |g_t| + .. + max |g_{T-1}|, or 1 for a chance of the goal
//
// g: what an outcome adds (outcome_gain.hpp). In keys of time 0. Cost: O(T * outcomes), once.
#pragma once

#include "finite/expectation.hpp"
#include "finite/promise/outcome_gain.hpp"
#include "finite/stages.hpp"

namespace quantiplan {

class OptimumError {
 public:
  OptimumError(const Stages& stages,
               const Expectation<double>& expectation,
               const OutcomeGain& gain);
  [[nodiscard]] double of(double weight) const;
  // Of E of whatever policy; `chance`: it is one.
  [[nodiscard]] double of_policy(bool chance) const;

 private:
  double sums_;
  double terms_;
  double magnitude_ = 0;  // sum over time of max |g_t| + max |E_{t+1}|
  double totals_ = 0;     // sum over time of max |g_0| + .. + max |g_t|
};

}  // namespace quantiplan
