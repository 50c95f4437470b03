// Exact values in messages: all digits of a reasonable number, a short form of a monstrous one.
#pragma once

#include <string>

#include "quantiplan/number.hpp"

namespace quantiplan {

// "0.25", "1/3"; "about 0.333333333333 (the exact text has 412 characters)" where the text is too
// long.
std::string shown(const Rational& value);

}  // namespace quantiplan
