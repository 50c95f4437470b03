// Text to syntax: a recursive descent over the tokens of prism_lexer.hpp.
//
// By hand, not by a parsing library: the grammar is small and its statements begin with keywords,
// so every rule is a short function, and an error can say at its line and column what was found and
// what was expected. Expressions go by precedence climbing, from loosest to tightest:
//
//     ? :    =>    <=>    |    &    !    = !=    < <= >= >    + -    * /    unary -
//
// ("!x=1" is !(x=1).) Needs: valid UTF-8. Guarantees: an expression is at most kMostDepth deep, so
// that what walks it may recurse.
#pragma once

#include <string>
#include <string_view>

#include "base/work_watch.hpp"
#include "io/prism/language/prism_syntax.hpp"

namespace quantiplan::prism {

constexpr std::size_t kMostDepth = 1000;

// Throws Error(bad_model) with the place "source:line:column" for what is no program, and for
// model types and statements that are not supported (ctmc, pta, clocks, players, ...), by name.
// Error(refused) at a limit of `watch`.
Program parse(std::string_view text, const std::string& source, WorkWatch* watch = nullptr);
// One expression and nothing else; a message says "source: column 5: ..." . Throws
// Error(bad_request).
Expression parse_expression(std::string_view text, const std::string& source);

}  // namespace quantiplan::prism
