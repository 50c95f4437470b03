// The policy of a level: stationary in (state, residual target), for the pairs it can meet.
//
//     gains:   y <= 0: the base's choice;   y in (sigma_{k-1}, sigma_k]: that of level k
//     losses:  y >  0: the base's choice;   y in (-sigma_{k+1}, -sigma_k]: that of level k
//
// Choices come from the pass, done again with its decisions kept; so whoever asks for no policy
// does not pay for one. Where a budget for costs is lost (lost_budget.hpp), at any y, another policy
// takes over, which changes no D. Within an end component they make for the way out that the value comes
// from.
#pragma once

#include <optional>
#include <vector>

#include "infinite/levels/lost_budget.hpp"
#include "infinite/levels/whole.hpp"
#include "quantiplan/policy.hpp"

namespace quantiplan {

// Rules for a target at `level` (gains: 0 is the base). `by_index`: `upto` counts whole units, for
// a grid. `lost`: of losses with a goal; null: there is no budget to be lost, and the base's choices
// are taken. Nullopt if the limits ended it.
template <class A>
std::optional<std::vector<PolicyRule>> stationary_rules(const EpochProblem& problem,
                                                        const WholeValues<A>& base,
                                                        const LostBudget* lost,
                                                        std::uint64_t level,
                                                        bool by_index,
                                                        Limits& limits);

// The same choice of a slot at every residual.
std::vector<PolicyRule> constant_rules(const Moves& moves,
                                       const std::vector<std::uint32_t>& choice);

}  // namespace quantiplan
