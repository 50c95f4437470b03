// How the modules of a PRISM program run side by side, from its tokens: system ... endsystem.
//
//     tightest  A/{a,b}  A{a<-b}     A |[a,b]| B     A ||| B     A || B
//
// As in PRISM, || is the loosest. A |[a]| B |[b]| C is (A |[a]| B) |[b]| C, which PRISM would not
// take without parentheses.
#pragma once

#include "io/prism/language/prism_syntax.hpp"
#include "io/prism/language/prism_tokens.hpp"

namespace quantiplan::prism {

// From the word "system" to "endsystem"; a name behind "system" is passed over. Guarantees: at most
// kMostDepth deep. Throws at the token that does not fit.
Composition read_system(Tokens& tokens);

}  // namespace quantiplan::prism
