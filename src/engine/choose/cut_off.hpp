// Discounting without end: solved for T steps, what follows bounded.
//
//     W_T + gamma^T tail(s_T):   sure tails from below, greatest ones from above (tails.hpp)
//     T such that the two differ by a part of epsilon only
//
// Without goals the first T steps are a plain problem with the discount (its own engines, grids and
// brackets). With goals they are unfolded (unfold.hpp). The optimum may be a supremum that nobody
// attains; the bracket holds it, and the policy attains the lower end: it plays the T steps, and
// then choices that are certain of the tail. Source: semantics, section 4.
#pragma once

#include <vector>

#include "quantiplan/answer.hpp"
#include "quantiplan/options.hpp"
#include "quantiplan/query.hpp"

namespace quantiplan {

Answer solve_cut_off(const Model& model,
                     const ResolvedSetting& setting,
                     const std::vector<Question>& asked,
                     const Options& options);
ThresholdAnswer threshold_cut_off(const Model& model,
                                  const ResolvedSetting& setting,
                                  const std::vector<Total>& targets,
                                  const Options& options);
Frontier frontier_cut_off(const Model& model,
                          const ResolvedSetting& setting,
                          const std::vector<Question>& asked,
                          const Options& options);
// The distribution of a policy for such a setting: its first steps, and the tails as slack.
Distribution evaluate_cut_off(const Model& model, const Policy& policy, const Options& options);

}  // namespace quantiplan
