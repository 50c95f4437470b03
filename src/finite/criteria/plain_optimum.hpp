// Other criteria than the quantile of plain problems (finite/solve/plain.hpp).
//
//     exact grid, cheap            rationals: the optimum itself
//     exact grid                   doubles: a bracket as narrow as their error
//     no such grid, or too fine    the problem rounded down and up (rounded_optimum.hpp)
#pragma once

#include "problem/quantile_problem.hpp"
#include "quantiplan/options.hpp"
#include "quantiplan/query.hpp"

namespace quantiplan {

FoundQuantiles optimum_plain(const Model& model,
                             const ResolvedSetting& setting,
                             const CriterionQuestions& asked,
                             const Options& options);

}  // namespace quantiplan
