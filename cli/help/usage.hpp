// How the command line is explained: help that fits a terminal, and what was wrong with the
// arguments.
#pragma once

#include <CLI/CLI.hpp>
#include <string>
#include <vector>

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

// The command that was given, the one below it that was given, and so on; none is below the last.
std::vector<const CLI::App*> commands_given(const CLI::App& program);

// Words in lines of at most this width; each line begins with `before`, which does not count.
std::string wrapped_at(const std::string& text, std::size_t width, const std::string& before);

// Without line breaks.
std::string one_line(std::string text);

}  // namespace quantiplan::cli
