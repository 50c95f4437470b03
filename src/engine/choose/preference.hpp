// Quantiles by another order than that of sums: classes of final wealths, ranked.
//
//     residuals         one pass over the levels still to come      (engine/ranked)
//     any structure     the wealth so far in the state              (engine/forward)
//     without end       max, min, monotone automata: reachability and safety (preference_endless)
//
// For a question (tau, side) the answer is the greatest class k whose chance meets 1 - tau. In
// doubles most classes are certainly above or below; what is not is put to the graph where
// 1 - tau is 0 or 1, and to rationals elsewhere.
#pragma once

#include <memory>
#include <vector>

#include "quantiplan/answer.hpp"
#include "quantiplan/options.hpp"
#include "quantiplan/query.hpp"
#include "quantiplan/structure.hpp"

namespace quantiplan {

Answer solve_preference(const Model& model,
                        const ResolvedSetting& setting,
                        const std::shared_ptr<Structure>& structure,
                        const std::vector<Question>& asked,
                        bool compare,
                        const Options& options);
Frontier frontier_preference(const Model& model,
                             const ResolvedSetting& setting,
                             const std::shared_ptr<Structure>& structure,
                             const std::vector<Question>& asked,
                             const Options& options);

// The infinite horizon; throws Error(refused) for structures that have no limit there.
Answer solve_preference_endless(const Model& model,
                                const ResolvedSetting& setting,
                                const std::shared_ptr<Structure>& structure,
                                const std::vector<Question>& asked,
                                const Options& options);
Frontier frontier_preference_endless(const Model& model,
                                     const ResolvedSetting& setting,
                                     const std::shared_ptr<Structure>& structure,
                                     const std::vector<Question>& asked,
                                     const Options& options);

}  // namespace quantiplan
