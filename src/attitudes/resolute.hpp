// Resolute play among the choices that a filter leaves: the usual pass, over fewer policies.
//
//     D_t(s, y) = max over allowed a of  sum p * D_{t+1}(s', y - R)      target: the quantile of D_0
//
// Windows, decisions and levels that only rationals can tell are those of the problem so restricted;
// where the choice is free, it is the allowed one with the greatest expectation. Without a grid, and
// where the rationals for it are few, ties are decided by the policy's own mean, then by the order of
// the model; among all policies it is that of solve().
#pragma once

#include <cstdint>

#include "finite/solve/finite_layout.hpp"
#include "finite/windows.hpp"
#include "quantiplan/answer.hpp"
#include "quantiplan/policy.hpp"
#include "quantiplan/query.hpp"

namespace quantiplan {

struct ResolutePlay {
  Policy policy;
  // On a grid: its target, the quantile in the layout's own problem, and the chance of at least
  // that much, with the error of a backward pass.
  std::int64_t level = 0;
  double chance = 1;
};

// The layout is laid out and has keys. Throws WorkEnded, or Error(refused) if memory is short.
ResolutePlay resolute_play(FiniteLayout& layout,
                           const ChoiceFilter& filter,
                           const Question& question,
                           Work& work);

}  // namespace quantiplan
