// Syntax to machine: names, types, copies of modules, composition, rewards, the initial state.
#pragma once

#include <string>
#include <vector>

#include "base/work_watch.hpp"
#include "io/prism/language/prism_syntax.hpp"
#include "io/prism/language/scope.hpp"
#include "io/prism/prism_machine.hpp"
#include "quantiplan/formats.hpp"

namespace quantiplan::prism {

struct CompiledProgram {
  Machine machine;
  std::vector<std::string> notices;
  std::vector<Definition> definitions;
};

// Constants and the reward structure as the options say. Throws Error(bad_model) with up to 20
// problems, Error(bad_request) at "--const" or "--reward", or Error(refused) at a limit.
CompiledProgram compile(const Program& program,
                        const std::string& source,
                        const ReadOptions& options,
                        WorkWatch& watch);

}  // namespace quantiplan::prism
