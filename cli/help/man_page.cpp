#include "help/man_page.hpp"

#include <fmt/format.h>

namespace quantiplan::cli {
namespace {

// What troff would take for its own: backslashes, hyphens that are to be copied, quotes and dots at
// the beginning of a line.
std::string roff(const std::string& text) {
  std::string out;
  for (const char c : text) {
    const bool begins_line = out.empty() || out.back() == '\n';
    if (c == '\\') {
      out += "\\e";
    } else if (c == '-') {
      out += "\\-";
    } else if (begins_line && (c == '.' || c == '\'')) {
      out += std::string("\\&") + c;
    } else {
      out += c;
    }
  }
  return out;
}

std::string option_entry(const OptionRow& row) {
  std::string names;
  for (const std::string& name : row.names)
    names += (names.empty() ? "" : ", ") + fmt::format("\\fB{}\\fR", roff(name));
  if (!row.value.empty()) names += fmt::format(" \\fI{}\\fR", roff(row.value));
  return fmt::format(".TP\n{}\n{}\n", names, roff(row.help));
}

std::string verbatim(const std::string& text) {
  return fmt::format(".PP\n.nf\n{}.fi\n", roff(text));
}

void append_command(std::string& page, const std::string& path, const CommandRow& row) {
  page += fmt::format(".SS \"{}\"\n{}.\n", roff(path), roff(row.help));
  for (const OptionRow& argument : row.arguments) page += option_entry(argument);
  for (const OptionRow& option : row.options) page += option_entry(option);
  page += verbatim(row.examples);
  for (const CommandRow& below : row.below) append_command(page, path + " " + below.name, below);
}

}  // namespace

std::string man_page(const CommandRow& program, const std::string& version) {
  std::string page =
      fmt::format(".TH QUANTIPLAN 1 \"\" \"quantiplan {}\" \"User Commands\"\n", version);
  page += ".SH NAME\nquantiplan \\- quantile\\-optimal policies of Markov decision processes\n";
  page += ".SH SYNOPSIS\n.B quantiplan\n.I COMMAND\n.RI [ MODEL ]\n.RI [ OPTIONS ]\n";
  page += fmt::format(".SH DESCRIPTION\n{}\n", roff(program.help));
  for (const OptionRow& option : program.options) page += option_entry(option);
  page += ".SH COMMANDS\n";
  for (const CommandRow& command : program.below) append_command(page, command.name, command);
  page += ".SH \"EXIT STATUS\"\n";
  const char* const codes[] = {"solved",
                               "ended early, with a partial answer that holds",
                               "the request or the model is wrong or refused",
                               "our fault: please report it",
                               "a check failed"};
  int code = 0;
  for (const char* meaning : codes) page += fmt::format(".TP\n.B {}\n{}\n", code++, meaning);
  page += ".SH ENVIRONMENT\n.TP\n.B NO_COLOR\nset to anything: no colours on a terminal\n";
  return page + ".SH EXAMPLES\n" + verbatim(program.examples);
}

}  // namespace quantiplan::cli
