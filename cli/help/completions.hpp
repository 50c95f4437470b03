// Completions for bash, zsh and fish, from the table of commands.
#pragma once

#include <string>

#include "help/command_table.hpp"

namespace quantiplan::cli {

// A script for the shell to read. Throws Error(bad_request) for other shells.
std::string completions(const CommandRow& program, const std::string& shell);

}  // namespace quantiplan::cli
