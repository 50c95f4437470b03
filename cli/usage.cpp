#include "usage.hpp"

#include <fmt/format.h>

namespace quantiplan::cli {
namespace {

constexpr std::size_t kColumnWidth = 32;
constexpr std::size_t kLineWidth = 80;

std::string wrapped(const std::string& text, std::size_t width) {
  std::string out;
  std::size_t used = 0;
  for (std::size_t begin = 0; begin < text.size();) {
    const std::size_t end = std::min(text.find(' ', begin), text.size());
    const std::size_t length = end - begin;
    if (used > 0) {
      const bool fits = used + 1 + length <= width;
      out += fits ? ' ' : '\n';
      used = fits ? used + 1 : 0;
    }
    out.append(text, begin, length);
    used += length;
    begin = end + 1;
  }
  return out;
}

std::string names_of(const CLI::App& program) {
  std::string names;
  for (const CLI::App* command : program.get_subcommands({}))
    names += (names.empty() ? "" : ", ") + command->get_name();
  return names;
}

// CLI11's sentences about counts, in our form: what was found, what was expected.
std::string reworded(const std::string& text) {
  constexpr std::string_view kRequired = " is required";
  constexpr std::string_view kOneOf = ": 1 required ";
  constexpr std::string_view kMissing = " missing";
  constexpr std::string_view kAtMost = ": At Most 1 required but received ";
  if (text.ends_with(kRequired))
    return fmt::format("{}: found none, expected one",
                       text.substr(0, text.size() - kRequired.size()));
  if (const std::size_t at = text.find(kAtMost); at != std::string::npos)
    return fmt::format("{}: found it {} times, expected once",
                       text.substr(0, at),
                       text.substr(at + kAtMost.size()));
  const std::size_t at = text.find(kOneOf);
  if (at == std::string::npos || !text.ends_with(kMissing)) return text;
  const std::size_t type = at + kOneOf.size();
  return fmt::format("{}: found no value, expected {}",
                     text.substr(0, at),
                     text.substr(type, text.size() - kMissing.size() - type));
}

// An argument nobody asked for explains more than the one that is missing because of it.
std::string what_is_wrong(const CLI::App& program,
                          const CLI::App* command,
                          const CLI::ParseError& error) {
  const std::vector<std::string> extras = (command != nullptr ? *command : program).remaining();
  if (command == nullptr) {
    return fmt::format("found {}, expected a command: {}",
                       extras.empty() ? "none" : fmt::format("'{}'", extras.front()),
                       names_of(program));
  }
  if (extras.empty()) return reworded(one_line(error.what()));
  return fmt::format(
      "found '{}', expected {}",
      extras.front(),
      extras.front().starts_with('-') ? "an option of this command" : "no further argument");
}

}  // namespace

HelpFormatter::HelpFormatter() { column_width(kColumnWidth); }

std::string HelpFormatter::make_option_opts(const CLI::Option* option) const {
  const std::string type = option->get_type_name();
  if (option->get_positional()) return {};
  return (type.empty() ? "" : " " + type) + (option->get_required() ? " REQUIRED" : "");
}

std::string HelpFormatter::make_option_desc(const CLI::Option* option) const {
  return wrapped(option->get_description(), kLineWidth - kColumnWidth);
}

std::string usage_problem(const CLI::App& program, const CLI::ParseError& error) {
  const std::vector<const CLI::App*> used =
      program.get_subcommands([](const CLI::App* command) { return command->parsed(); });
  const CLI::App* command = used.empty() ? nullptr : used.front();
  const std::string name = command == nullptr ? "" : command->get_name();
  return fmt::format("quantiplan: {}{}{}; see quantiplan {}{}--help",
                     name,
                     name.empty() ? "" : ": ",
                     what_is_wrong(program, command, error),
                     name,
                     name.empty() ? "" : " ");
}

std::string one_line(std::string text) {
  while (!text.empty() && text.back() == '\n') text.pop_back();
  for (char& c : text)
    if (c == '\n') c = ' ';
  return text;
}

}  // namespace quantiplan::cli
