#include "help/usage.hpp"

#include <fmt/format.h>

#include "quantiplan/suggest.hpp"
#include "quantiplan/visible.hpp"

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

std::string names_of(const std::vector<const CLI::App*>& commands) {
  std::string names;
  for (const CLI::App* command : commands)
    names += (names.empty() ? "" : ", ") + command->get_name();
  return names;
}

std::string nearest_command(const std::vector<const CLI::App*>& commands,
                            const std::string& found) {
  std::vector<std::string> names;
  names.reserve(commands.size());
  for (const CLI::App* command : commands) names.push_back(command->get_name());
  return suggestion_among(found, names);
}

// Of "--taus=0.1", what stands before the sign.
std::string nearest_option(const CLI::App& command, const std::string& found) {
  std::vector<std::string> names;
  for (const CLI::Option* option : command.get_options()) {
    for (const std::string& name : option->get_lnames()) names.push_back("--" + name);
  }
  return suggestion_among(found.substr(0, found.find('=')), names);
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
std::string what_is_wrong(const CLI::App& command, const CLI::ParseError& error) {
  const std::vector<std::string> extras = command.remaining();
  const std::vector<const CLI::App*> below = command.get_subcommands({});
  if (!below.empty() && commands_given(command).empty()) {
    return fmt::format("found {}, expected a {}: {}{}",
                       extras.empty() ? "none" : fmt::format("'{}'", visible(extras.front())),
                       command.get_parent() == nullptr      ? "command"
                       : command.get_name() == "experiment" ? "figure"
                                                            : "domain",
                       names_of(below),
                       extras.empty() ? "" : nearest_command(below, extras.front()));
  }
  if (extras.empty()) return reworded(one_line(error.what()));
  const bool is_option = extras.front().starts_with('-');
  return fmt::format("found '{}', expected {}{}",
                     visible(extras.front()),
                     is_option ? "an option of this command" : "no further argument",
                     is_option ? nearest_option(command, extras.front()) : "");
}

}  // namespace

std::vector<const CLI::App*> commands_given(const CLI::App& program) {
  std::vector<const CLI::App*> path;
  const CLI::App* last = &program;
  while (true) {
    const std::vector<const CLI::App*> used =
        last->get_subcommands([](const CLI::App* command) { return command->parsed() > 0; });
    if (used.empty()) return path;
    path.push_back(last = used.front());
  }
}

std::string wrapped_at(const std::string& text, std::size_t width, const std::string& before) {
  std::string out = before;
  for (const char c : wrapped(text, width)) {
    out += c;
    if (c == '\n') out += before;
  }
  return out;
}

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
  const CLI::App* command = &program;
  std::string name;
  for (const CLI::App* given : commands_given(program)) {
    command = given;
    name += (name.empty() ? "" : " ") + given->get_name();
    if (!given->remaining().empty()) break;  // it is where the mistake is
  }
  return fmt::format("quantiplan: {}{}{}; see quantiplan {}{}--help",
                     name,
                     name.empty() ? "" : ": ",
                     what_is_wrong(*command, error),
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
