// The price of a promise in plain problems (plain.hpp): tradeoff.hpp has the question.
//
//     by level         levels of the frontier from the quantile of the mean-optimal policy to the
//                      greatest one; one search over weights serves them all (promise_search.hpp)
//     by probability   the hull at one target (hull.hpp)
//
// Where wealth is rounded, levels are steps of one grid: policies are those of the problem rounded
// down, bounds those of the one rounded up.
#pragma once

#include "problem/quantile_problem.hpp"

namespace quantiplan {

// Throws Error(refused) if one pass does not fit.
Tradeoff tradeoff_plain(const Model& model,
                        const ResolvedSetting& setting,
                        const TradeoffQuestion& question,
                        const Options& options);

}  // namespace quantiplan
