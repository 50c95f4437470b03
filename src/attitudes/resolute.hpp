// Resolute play among the choices that a filter leaves: the usual pass, over fewer policies.
//
//     D_t(s, y) = max over allowed a of  sum p * D_{t+1}(s', y - R)      target: the quantile of D_0
//
// Windows, decisions and levels that only rationals can tell are those of the problem so restricted;
// where the choice is free, it is the allowed one with the greatest expectation.
#pragma once

#include <cstdint>

#include "finite/solve/instance.hpp"
#include "finite/windows.hpp"
#include "quantiplan/answer.hpp"
#include "quantiplan/policy.hpp"
#include "quantiplan/query.hpp"

namespace quantiplan {

struct ResolutePlay {
  Policy policy;
  std::int64_t level = 0;  // its target, and quantile in the instance's own problem
  double chance = 1;       // of at least that much, with the error of a backward pass
};

// The instance is laid out and has keys. Throws WorkEnded, or Error(refused) if memory is short.
ResolutePlay resolute_play(Instance& instance,
                           const ChoiceFilter& filter,
                           const Question& question,
                           Work& work);

}  // namespace quantiplan
