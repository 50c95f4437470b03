// The policy that choices at the nodes of an expansion make.
#pragma once

#include "classes/forward_pass.hpp"
#include "quantiplan/policy.hpp"

namespace quantiplan {

// Rules and wealths, of what the policy can meet.
Policy policy_of_nodes(const Expansion& expansion,
                       const ResolvedSetting& setting,
                       const NodeChoices& choices);

}  // namespace quantiplan
