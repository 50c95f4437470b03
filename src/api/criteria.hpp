// A query about another criterion than the quantile.
#pragma once

#include "problem/quantile_problem.hpp"
#include "quantiplan/query.hpp"

namespace quantiplan {

// Throws Error(bad_request) if taus are missing, out of range, or given to a criterion that takes none.
CriterionQuestions criterion_questions(const Query& query);

// Entropic risk, EVaR and nested CVaR go by (time, state) alone.
bool needs_no_wealth(const Criterion& criterion);
FoundQuantiles wealth_free_optima(const Model& model,
                                  const ResolvedSetting& setting,
                                  const CriterionQuestions& asked,
                                  const Options& options);

// What the policy of a result says of itself.
std::optional<PolicyClaim> criterion_claim(const FoundQuantile& found);

// Where the criterion is the mean itself.
void add_mean(Result& result);

}  // namespace quantiplan
