// The commands and their options as rows, read off the parser: what the short help, the manual page
// and the completions of shells are made of.
#pragma once

#include <CLI/CLI.hpp>
#include <string>
#include <vector>

namespace quantiplan::cli {

struct OptionRow {
  std::vector<std::string> names;    // "-o" and "--output"; of a positional argument "MODEL"
  std::string value;                 // "FILE", "lower|upper|both"; empty: a flag
  std::string help;                  // a sentence without a capital and a full stop
  std::string group;                 // "Options" for those without
  std::vector<std::string> choices;  // the words that the value may be, where these are all
  bool is_file = false;              // the value may be the name of a file
  bool is_required = false;
};

struct CommandRow {
  std::string name;
  std::string help;
  std::string examples;
  std::string group;
  std::vector<OptionRow> arguments;  // positional
  std::vector<OptionRow> options;
  std::vector<CommandRow> below;
};

CommandRow command_table(const CLI::App& program);

// The first part of a description: up to a semicolon or a colon, if that says enough.
std::string in_brief(const std::string& help);

}  // namespace quantiplan::cli
