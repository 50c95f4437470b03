// Colours on a terminal. None where the output is no terminal, NO_COLOR is set (https://no-color.org)
// or TERM is dumb; none under mpirun, which gives its processes a terminal of their own, wherever
// their output goes.
#pragma once

#include <string>
#include <string_view>

namespace quantiplan::cli {

bool has_colours(int descriptor);

// A report: headings bold, certificates and verdicts by colour, how it was computed dim, bars cyan.
// What is read stays the same but for the escape sequences.
std::string coloured_report(std::string_view text);
// An error or a notice: its first word.
std::string coloured_message(std::string_view line);

}  // namespace quantiplan::cli
