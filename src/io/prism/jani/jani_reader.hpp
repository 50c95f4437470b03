// Reads a JANI model (jani-spec.org), the format of the QVBS and QComp benchmarks: an MDP or a DTMC.
//
//     automata       modules: a variable for the location where there are several, an edge a command
//     sync vectors   steps (Synchronisation)
//     transient      truth values given by locations are labels, numbers are reward structures, of
//                    states (given by locations) and of updates (assigned by destinations)
//
// The JSON becomes the syntax tree of a PRISM program (prism_syntax.hpp) and is compiled and explored
// as such. Clocks, continuous variables, rates, arrays, functions and the like are refused by name.
#pragma once

#include <string>
#include <string_view>

#include "base/work_watch.hpp"
#include "io/prism/language/prism_syntax.hpp"
#include "io/prism/prism_reader.hpp"
#include "quantiplan/formats.hpp"
#include "quantiplan/model.hpp"

namespace quantiplan {

// Throws Error(bad_model), Error(bad_request), Error(refused).
PrismFacts read_jani_model(std::string_view text,
                           const std::string& source,
                           const ReadOptions& options,
                           WorkWatch& watch,
                           ModelBuilder& builder);

namespace prism {
// The syntax alone.
Program parse_jani(std::string_view text, const std::string& source, WorkWatch& watch);
}  // namespace prism

}  // namespace quantiplan
