// Other criteria than the quantile, in the terms of problems that answer for quantiles; and what is refused.
#pragma once

#include "problem/quantile_problem.hpp"
#include "quantiplan/query.hpp"

namespace quantiplan {

// The best worst case is the upper 0-quantile, whatever the problem.
FoundQuantiles worst_case(QuantileProblem& problem, const CriterionQuestions& asked);

// Refuses goals and adversaries, saying why.
void require_plain_criterion(const Criterion& criterion, const ResolvedSetting& setting);
void refuse_adversary(const Criterion& criterion, const ResolvedSetting& setting);
[[noreturn]] void refuse_goal(const Criterion& criterion);

}  // namespace quantiplan
