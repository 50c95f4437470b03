// What each self could have, and would do: one pass over all policies, for all questions.
//
//     q_t(s)   = max_a q^a_t(s)                         the best quantile of the self at (t, s)
//     replan:  the a with the greatest D^a_t(s, q_t(s)), then the greatest own mean
//     within:  the a with  q^a_t(s) >= q_t(s) - delta,  delta in units of time t
//
// q^a_t(s) is the quantile of choosing a and then as the resolute self of (t, s) would. Where wealth
// is rounded down, all of this is that of the rounded problem.
#pragma once

#include <cstdint>
#include <vector>

#include "attitudes/exact_numbers.hpp"
#include "attitudes/own_means.hpp"
#include "base/limits.hpp"
#include "finite/stages.hpp"
#include "quantiplan/answer.hpp"
#include "quantiplan/query.hpp"

namespace quantiplan {

// By time and choice: which choices a tolerance leaves.
using AllowedChoices = std::vector<std::vector<bool>>;

// What one question found.
struct Selves {
  std::vector<std::vector<std::int64_t>> best;  // q_t(s) by time and slot, in steps of the time
  std::vector<std::vector<Choice>> replanned;   // by time and slot; empty if not asked for
  std::vector<AllowedChoices> allowed;          // beside the tolerances asked for
};

struct SelvesAsked {
  std::vector<Question> questions;
  bool replan = false;
  std::vector<Rational> deltas;
};

// What the answer takes, with what it is made of.
std::uint64_t bytes_of_selves(const Stages& stages, const SelvesAsked& asked);

// One for each question. Throws WorkEnded, or Error(refused) if memory is short.
std::vector<Selves> find_selves(const Stages& stages,
                                const ExactNumbers& numbers,
                                const SelvesAsked& asked,
                                Limits& limits,
                                Work& work);

}  // namespace quantiplan
