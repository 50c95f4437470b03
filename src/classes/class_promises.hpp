// Which of the policies that keep the promise of a class is the one to follow.
//
//     mean          the best mean, where wealth is a number
//     probability   the greatest probability of the promise, and then the best mean
//     classes       the greatest probability of the next class, and so on (promised_class.hpp)
//
// By the search over weights, in rationals, each weight a pass over the expansion:
//
//     M(t, s, w) = u(w) + l [class(w) >= k]                  where the episode ends
//     M(t, s, w) = max_c sum_i p_i M(t+1, s_i, w o r_i)      elsewhere
//
// with u the number of a wealth, or [class(w) >= next]. Source: criteria, section 2.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/limits.hpp"
#include "classes/expansion.hpp"
#include "problem/quantile_problem.hpp"
#include "quantiplan/options.hpp"

namespace quantiplan {

struct ClassPromisesInput {
  const Model& model;
  const ResolvedSetting& setting;
  std::shared_ptr<Structure> structure;
  std::shared_ptr<const WealthClasses> classes;
  std::shared_ptr<const Expansion> expansion;  // null: it is still to be made
  const Options& options;
};

// Replaces the policies of `answer` by better ones, with what is known of them. Says in its engine
// report what was left out, and why. Throws Error(refused) where wealth is no number and the best
// mean is asked for, or where the next class is asked for and there are too many products.
void prefer_classes(const ClassPromisesInput& input,
                    const Wishes& wishes,
                    Limits& limits,
                    FoundQuantiles& answer);

}  // namespace quantiplan
