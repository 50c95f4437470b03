// How modules run together: the system term, unfolded into steps.
//
//     A || B         on the actions that both have together, on the others alone
//     A ||| B        always alone
//     A |[a,b]| B    on a and b together, on the others alone
//     A / {a}        a loses its name          A {a<-b}   a is called b
//
// A step names an action and, for each module that takes part, the action of its commands: these
// may differ after renaming. Without a system term, all modules run under ||.
#pragma once

#include <optional>
#include <set>
#include <string>
#include <vector>

#include "io/prism/language/prism_syntax.hpp"
#include "io/prism/language/scope.hpp"

namespace quantiplan::prism {

// The actions of a module, in the order of its commands; an empty one if it has commands without.
struct ModuleActions {
  std::string name;
  std::vector<std::string> actions;
};

struct Participant {
  std::size_t module;
  std::string action;
};
struct Behaviour {
  std::string action;  // empty: none
  std::vector<Participant> participants;
};

// Those without an action first, by module; then by action, in the order of the modules. A problem
// is complained of, and leaves the list empty.
std::vector<Behaviour> compose(const std::vector<ModuleActions>& modules,
                               const std::optional<Composition>& system,
                               Complaints& complaints);

}  // namespace quantiplan::prism
