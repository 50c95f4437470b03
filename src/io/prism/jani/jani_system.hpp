// Which automata of a JANI model act together: its sync vectors, as steps.
#pragma once

#include <vector>

#include "io/json/json_tree.hpp"
#include "io/prism/jani/jani_expression.hpp"
#include "io/prism/language/prism_syntax.hpp"

namespace quantiplan::prism {

// `modules` are the automata in their order. Without sync vectors every automaton acts alone. Throws
// Error(bad_model).
std::vector<Synchronisation> read_jani_system(const JsonNode& root,
                                              const std::vector<Module>& modules,
                                              const JaniExpressions& problems);

}  // namespace quantiplan::prism
