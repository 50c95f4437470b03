// The chance that counted wealth is enough, and what that says of a demand.
#pragma once

#include <cstdint>

#include "check/common/check_limits.hpp"
#include "check/common/counted_claim.hpp"
#include "check/common/demand.hpp"
#include "check/finite/index_course.hpp"
#include "check/finite/index_problem.hpp"
#include "check/finite/mixes.hpp"

namespace quantiplan::checking {

struct Reach {
  Extent extent = Extent::fits;  // else nothing below counts
  Bounds bounds;
  Verdict met = Verdict::open;  // the demand
  std::uint64_t places = 0;     // (time, state, need) with a value of their own
};

// Products of a pass in long doubles, about 5 ns each, and in rationals.
inline constexpr std::uint64_t kMostProducts = 4'000'000'000;
inline constexpr std::uint64_t kMostExactProducts = 200'000;

// Of a policy, for its claim. Bounds are exact where long doubles leave the demand open, or whether
// the probability is as claimed, and rationals are affordable. Certainty and possibility are facts
// about the graph and never left open.
Reach reach_of(IndexProblem& problem,
               IndexCourse& course,
               const CountedClaim& claim,
               CheckLimits& limits);
// Of the best policy.
Reach best_reach_of(IndexProblem& problem,
                    const Demand& demand,
                    std::uint64_t most_products,
                    CheckLimits& limits);

}  // namespace quantiplan::checking
