// What the parts of the command line share when they read its words.
#pragma once

#include <string>

#include "quantiplan/error.hpp"

namespace quantiplan::cli {

// "found 'text', expected ...", of a flag.
Error unexpected(const std::string& text, const char* flag, const char* expected);

std::string without_blanks_around(const std::string& text);

}  // namespace quantiplan::cli
