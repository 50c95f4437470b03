// Policies of (time, state) that reckon with later selves.
//
//     subgame-perfect   Z_t(s) = law of r + Z_{t+1}(s') under the a with the best quantile of it
//     recursive         V_t(s) = max_a Q_tau( r + gamma V_{t+1}(s') ),  a number instead of a law
//
// Among equals the greatest mean of what the policy itself will collect, then the model's order.
// Recursive values need no grid: they are rationals, of which only one outcome's probabilities are
// compared with theta.
#pragma once

#include <vector>

#include "attitudes/exact_numbers.hpp"
#include "base/limits.hpp"
#include "finite/stages.hpp"
#include "quantiplan/answer.hpp"
#include "quantiplan/query.hpp"

namespace quantiplan {

// By time and slot. Both throw WorkEnded; the first Error(refused) if memory is short.
std::vector<std::vector<Choice>> subgame_perfect_choices(const Stages& stages,
                                                         const ExactNumbers& numbers,
                                                         const Question& question,
                                                         Limits& limits,
                                                         Work& work);

struct RecursiveChoices {
  std::vector<std::vector<Choice>> choices;
  Rational value;  // V_0(s0)
};
RecursiveChoices recursive_choices(const Stages& stages,
                                   const ExactNumbers& numbers,
                                   const Question& question,
                                   const Limits& limits);

}  // namespace quantiplan
