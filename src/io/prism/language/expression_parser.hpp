// One expression of the PRISM language from its tokens, by precedence climbing: an operator takes
// as operands all that binds tighter than itself.
//
//     tightest  unary -    * /    + -    < <= >= >    = !=    !    &    |    <=>    =>    ? :
//
// All but ? : group from the left, => too, as in PRISM: "a => b => c" is (a => b) => c. A negation
// may stand only where the grammar has one: "a & !b", but "a = (!b)".
//
// Chains of + * & | are one node. In a chain with +, or with more than one -, "- b" becomes the sum
// of a negative: "a - b - c" is the sum of a, -b, -c, so that no sum is deep. What remains deep (a
// chain of / or of comparisons, and whatever is nested) has kMostDepth levels at most.
#pragma once

#include <string_view>

#include "io/prism/language/prism_syntax.hpp"
#include "io/prism/language/prism_tokens.hpp"

namespace quantiplan::prism {

// Takes the longest expression. Throws at the token that does not fit, or is too deep.
Expression read_expression(Tokens& tokens);
// The same without comparisons and what is looser: 2*k of F<=2*k x=3.
Expression read_arithmetic(Tokens& tokens);
// How an operation is written: "+", "min", "? :".
std::string_view sign_of(Operation operation);

}  // namespace quantiplan::prism
