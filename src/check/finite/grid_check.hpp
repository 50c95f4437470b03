// Holds a policy on a grid to its claim: by its own index, what it counts it has surely collected.
#pragma once

#include "check/common/check_case.hpp"
#include "check/common/ends.hpp"

namespace quantiplan::checking {

// The chance of the claim's own event meets the demand and is at least what is claimed. Needs: a
// policy with a grid that is not malformed; `ends` bound what follows a cut from below.
void confirm_by_index(const CheckCase& task, const Ends& ends);

}  // namespace quantiplan::checking
