// A condition on the states of a finished model, whose names say what their variables are.
//
//     (s=3,x=1,b=true)      a valuation: names and whole numbers or truth values
#pragma once

#include <string>
#include <vector>

#include "quantiplan/formats.hpp"
#include "quantiplan/model.hpp"

namespace quantiplan {

// The states in which an expression of the PRISM language holds, ascending. It may use the
// variables of the state names (if all states are valuations of the same ones), the model's labels
// in quotation marks, and definitions. Throws Error(bad_request) at `flag`.
std::vector<State> states_satisfying(const Model& model,
                                     const std::vector<Definition>& definitions,
                                     const std::string& text,
                                     const char* flag);

// The variables of a name "(s=3,b=true)" and the texts of their values; empty if it is no
// valuation.
struct VariableText {
  std::string_view name;
  std::string_view value;
};
std::vector<VariableText> variables_of_name(std::string_view state_name);

}  // namespace quantiplan
