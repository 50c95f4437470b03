// The manual page quantiplan(1), in the macros of man(7), from the table of commands.
#pragma once

#include <string>

#include "help/command_table.hpp"

namespace quantiplan::cli {

std::string man_page(const CommandRow& program, const std::string& version);

}  // namespace quantiplan::cli
