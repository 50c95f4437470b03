// How the command line is explained: help that fits a terminal, and what was wrong with the
// arguments.
#pragma once

#include <CLI/CLI.hpp>
#include <string>

namespace quantiplan::cli {

// CLI11's help with long descriptions wrapped, and without its notes on counts and exclusions.
class HelpFormatter : public CLI::Formatter {
 public:
  HelpFormatter();
  std::string make_option_opts(const CLI::Option* option) const override;
  std::string make_option_desc(const CLI::Option* option) const override;
};

// "quantiplan: solve: found '--foo', expected ...; see quantiplan solve --help"
std::string usage_problem(const CLI::App& program, const CLI::ParseError& error);

// Without line breaks.
std::string one_line(std::string text);

}  // namespace quantiplan::cli
