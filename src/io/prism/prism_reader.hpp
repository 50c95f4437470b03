// A model from a text in the PRISM language: parse, compile, explore.
//
//     text --parse--> Program --compile--> Machine --explore--> choices and outcomes of a builder
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/work_watch.hpp"
#include "io/prism/language/prism_syntax.hpp"
#include "quantiplan/formats.hpp"
#include "quantiplan/model.hpp"

namespace quantiplan {

// What is said of a model besides the model.
struct PrismFacts {
  std::vector<std::string> notices;
  std::vector<Definition> definitions;
};

// Feeds `builder`, made for `source`: states in the order of a breadth-first search, named by their
// variables, with labels, initial state and an infinite horizon. Throws Error(bad_model) with
// places "source:line:column", Error(bad_request) for a constant or reward structure that the
// program does not know, Error(refused) beyond a limit.
PrismFacts read_prism_model(std::string_view text,
                            const std::string& source,
                            const ReadOptions& options,
                            WorkWatch& watch,
                            ModelBuilder& builder);
// The same for a program that was read, from whatever text.
PrismFacts explore_program(const prism::Program& program,
                           const std::string& source,
                           const ReadOptions& options,
                           WorkWatch& watch,
                           ModelBuilder& builder);

}  // namespace quantiplan
