// A text as a JSON string, the same text for whoever reads it back.
//
// What has no glyph of its own (quoted.hpp) is written as \uXXXX, too, though JSON demands it of
// some control characters only: a report is also read on a terminal.
#pragma once

#include <string>
#include <string_view>

namespace quantiplan {

// Bytes that are no UTF-8 stay as they are.
void append_json_string(std::string& out, std::string_view text);

}  // namespace quantiplan
