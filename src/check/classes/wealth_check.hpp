// Holds a policy that goes by wealth to its claim, without any code of the engines.
//
//     (a) the policy is well formed and has a rule wherever it comes
//     (b) P(W >= q) meets the demand of tau and side, q the claimed class of final wealths
//     (c) the claimed probability is that of P(W >= q)
//     (d) finite horizon: P(W = q) > 0, which holds for every policy whose quantile is the optimum
//     (e) no policy does better: for none P(W > q) meets the demand; of a threshold, for none
//         P(W >= q) exceeds what is claimed
//     (f) where a mean is claimed: the policy's is that, and no policy that keeps the promise has more
//         than its bound (class_means.hpp)
//
// The structure is taken at its word: how it updates and orders wealths. (e) and (f) are left out, and said
// to be, where there are too many places (time, state, wealth).
#pragma once

#include <memory>

#include "quantiplan/answer.hpp"
#include "quantiplan/model.hpp"
#include "quantiplan/options.hpp"
#include "quantiplan/policy.hpp"
#include "quantiplan/structure.hpp"

namespace quantiplan {

CheckReport check_wealth(const Model& model,
                         const std::shared_ptr<Structure>& structure,
                         const Policy& policy,
                         const PolicyClaim& claim,
                         const Options& options);

}  // namespace quantiplan
