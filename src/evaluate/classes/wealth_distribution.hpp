// The distribution of the final wealth of a policy that goes by wealth (policy.hpp).
//
//     finite horizon      by a forward walk over (time, state, wealth)       wealth_forward.hpp
//     infinite horizon    of a stationary policy, by its chain               wealth_limit.hpp
//
// Exact in rationals where that is quick or asked for, else in doubles with a certified error.
// Atoms hold positions in Distribution::classes.
#pragma once

#include <memory>

#include "quantiplan/distribution.hpp"
#include "quantiplan/model.hpp"
#include "quantiplan/options.hpp"
#include "quantiplan/policy.hpp"
#include "quantiplan/structure.hpp"

namespace quantiplan {

// `classes`: to state positions in, if not in the classes that the policy itself meets.
//
// Throws Error(bad_policy) where a rule is missing; Error(refused) if a limit is met, or if wealth
// does not settle at the infinite horizon.
Distribution evaluate_wealth(const Model& model,
                             const std::shared_ptr<Structure>& structure,
                             const Policy& policy,
                             const Options& options,
                             const std::shared_ptr<const WealthClasses>& classes = nullptr);

}  // namespace quantiplan
