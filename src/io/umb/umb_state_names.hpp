// Names of states from their valuations: "(x=1,b=true)".
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "base/work_watch.hpp"
#include "io/umb/umb_arrays.hpp"

namespace quantiplan {

// Each with its variables; nullopt if two states have the same, or if there are no valuations: then
// states are named by number. Throws Error(bad_model), Error(refused) at a limit.
std::optional<std::vector<std::string>> umb_state_names(const UmbFiles& files,
                                                        const UmbIndex& index,
                                                        WorkWatch& watch);

}  // namespace quantiplan
