// Breadth-first exploration: from the initial state, every state that can be reached.
//
//     for each state met:   the enabled commands, and of each step every combination of them
//     for each combination: every combination of updates, with the product of their probabilities
//
// mdp: a combination is a choice. dtmc: a state has one choice, and takes each combination with the
// same probability. Rewards: of the state and of the action, on every outcome of the choice; those
// with a target, on the outcomes that get there.
#pragma once

#include <string>
#include <vector>

#include "base/work_watch.hpp"
#include "io/prism/compile.hpp"
#include "quantiplan/formats.hpp"
#include "quantiplan/model.hpp"

namespace quantiplan::prism {

// Feeds the builder; returns notices. Throws Error(bad_model) where a state makes no sense (an
// update beyond a range, probabilities that are none), with the place and the state, and
// Error(refused) beyond a limit or when it is told to stop.
std::vector<std::string> explore(const Machine& machine,
                                 const Complaints& complaints,
                                 const ReadOptions& options,
                                 WorkWatch& watch,
                                 ModelBuilder& builder);

}  // namespace quantiplan::prism
