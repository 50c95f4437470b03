// One question for each of several initial states, from one pass where the engine allows.
//
//     a finite horizon, exact wealth    one pass: it knows the functions of all states
//     states that behave alike          one answer (alike_starts)
//     others                            one after another
//
// Answers are those of solve, threshold and frontier with that initial state, in the order of the
// states; each is handed over once it is found, and no longer needed then. What the setting of the query
// has as initial states means nothing. One time limit holds for all of them. Throws as those functions do.
#pragma once

#include <functional>
#include <vector>

#include "quantiplan/solve.hpp"

namespace quantiplan {

template <class AnyAnswer>
using TakeAnswer = std::function<void(std::size_t start, AnyAnswer answer)>;

void solve_each(const Model& model,
                const std::vector<State>& starts,
                const Query& query,
                const Options& options,
                const TakeAnswer<Answer>& take);
void threshold_each(const Model& model,
                    const std::vector<State>& starts,
                    const ThresholdQuery& query,
                    const Options& options,
                    const TakeAnswer<ThresholdAnswer>& take);
void frontier_each(const Model& model,
                   const std::vector<State>& starts,
                   const Query& query,
                   const Options& options,
                   const TakeAnswer<Frontier>& take);

}  // namespace quantiplan
