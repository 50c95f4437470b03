// The distribution of the class in which the wealth of a stationary policy settles.
//
// Mass goes through the chain of pairs (WealthChain), component after component: what enters one
// gives the expected visits to its pairs (TransientBlock), and these the mass that leaves; what
// comes to a decided pair ends there. In rationals all this is exact. In doubles every rounding is
// entered into a MassError, so that every probability and every sum of them errs by no more than
// relative_error and absolute_error say.
#pragma once

#include <optional>

#include "evaluate/classes/wealth_forward.hpp"

namespace quantiplan {

// Nullopt if the limits ended it. Throws as WealthChain does.
std::optional<Distribution> wealth_limit(const WealthProblem& problem, Arithmetic arithmetic);

}  // namespace quantiplan
