// Problems that are recast as plain ones (recast.hpp), asked and answered in the user's terms.
#pragma once

#include <vector>

#include "quantiplan/answer.hpp"
#include "quantiplan/options.hpp"
#include "quantiplan/query.hpp"

namespace quantiplan {

// `setting` has a finite horizon, and no discount if it has a goal.
Answer solve_recast(const Model& model,
                    const ResolvedSetting& setting,
                    const std::vector<Question>& asked,
                    bool compare,
                    const Options& options);
ThresholdAnswer threshold_recast(const Model& model,
                                 const ResolvedSetting& setting,
                                 const std::vector<Total>& targets,
                                 const Options& options);
Frontier frontier_recast(const Model& model,
                         const ResolvedSetting& setting,
                         const std::vector<Question>& asked,
                         const Options& options);

}  // namespace quantiplan
