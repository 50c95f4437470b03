// Modules and variables of a PRISM program from their tokens.
//
//     module M  x : [0..3] init 0;  b : bool;  [a] guard -> p : (x'=1)&(b'=true) + q : true; ...
//     endmodule
//     module M2 = M1 [x=y, a=b] endmodule
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "io/prism/language/prism_syntax.hpp"
#include "io/prism/language/prism_tokens.hpp"

namespace quantiplan::prism {

// From the word "module" to "endmodule". Throws at the token that does not fit, and for clocks,
// invariants, unbounded variables and interval probabilities.
Module read_module(Tokens& tokens);
// From the name to the semicolon.
Variable read_variable(Tokens& tokens);

// The name of an action in square brackets, or none.
std::string read_action(Tokens& tokens);
// from BETWEEN to, from BETWEEN to, ...: of a module "=", of actions "<-" (two tokens, see the
// lexer).
std::vector<Renaming> read_renamings(Tokens& tokens, std::string_view what, bool is_arrow);

}  // namespace quantiplan::prism
