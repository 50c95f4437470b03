// The comparison with the policy of the greatest expectation, where the final wealth is a number.
#pragma once

#include <memory>

#include "problem/quantile_problem.hpp"
#include "quantiplan/options.hpp"
#include "quantiplan/query.hpp"
#include "quantiplan/structure.hpp"

namespace quantiplan {

// Adds means and comparisons to the results of `answer`; leaves them out where wealth has no
// expectation, or where finding it would take more than the quantiles did.
void compare_expectations(const Model& model,
                          const ResolvedSetting& setting,
                          const std::shared_ptr<Structure>& structure,
                          const Options& options,
                          FoundQuantiles& answer);

// Nullopt if wealth has no expectation, or a limit was met.
std::optional<Policy> expected_wealth_policy(const Model& model,
                                             const ResolvedSetting& setting,
                                             const std::shared_ptr<Structure>& structure,
                                             const Options& options,
                                             std::uint64_t most_bytes);

}  // namespace quantiplan
