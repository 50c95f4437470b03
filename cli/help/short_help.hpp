// What -h prints: a screen of a command's usage, where --help tells all.
#pragma once

#include <CLI/CLI.hpp>
#include <string>

namespace quantiplan::cli {

// Thrown by -h, as CLI11 throws for --help.
class CallForShortHelp : public CLI::Success {
 public:
  CallForShortHelp() : CLI::Success("CallForShortHelp", "short help", CLI::ExitCodes::Success) {}
};

// --help and -h, as the first options of a command.
void add_help_flags(CLI::App& command);

// Of the command that was given on the command line, or of the program.
std::string short_help(const CLI::App& program);

}  // namespace quantiplan::cli
