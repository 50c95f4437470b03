#include "help/short_help.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "help/command_table.hpp"
#include "help/usage.hpp"

namespace quantiplan::cli {
namespace {

constexpr std::size_t kNameWidth = 30;
constexpr std::size_t kShortWidth = 80;

std::string names_with_value(const OptionRow& row) {
  std::string text;
  for (const std::string& name : row.names) text += (text.empty() ? "" : ", ") + name;
  return row.value.empty() ? text : text + " " + row.value;
}

std::string row_in_brief(const std::string& name, const std::string& help) {
  const std::string brief = in_brief(help);
  constexpr std::size_t kRoom = kShortWidth - kNameWidth;
  const std::string shown =
      brief.size() > kRoom ? brief.substr(0, brief.rfind(' ', kRoom - 4)) + " ..." : brief;
  if (name.size() + 4 > kNameWidth)
    return fmt::format("  {}\n{:{}}{}\n", name, "", kNameWidth, shown);
  return fmt::format("  {:{}}{}\n", name, kNameWidth - 2, shown);
}

}  // namespace

void add_help_flags(CLI::App& command) {
  command.set_help_flag("--help", "print this help and exit");
  command.add_flag_callback(
      "-h", [] { throw CallForShortHelp(); }, "print a short help and exit");
}

std::string short_help(const CLI::App& program) {
  const CLI::App* given = &program;
  std::string path = program.get_name();
  for (const CLI::App* command : commands_given(program)) {
    given = command;
    path += " " + command->get_name();
  }
  const CommandRow row = command_table(*given);
  std::string arguments;
  for (const OptionRow& argument : row.arguments) arguments += " " + argument.names.front();
  if (!row.below.empty()) arguments += given == &program ? " COMMAND" : " NAME";
  std::string text = fmt::format("{}\nUsage: {}{} [OPTIONS]\n\n", row.help, path, arguments);
  for (const CommandRow& below : row.below) text += row_in_brief(below.name, below.help);
  if (!row.below.empty()) text += "\n";
  // What is asked comes with a word; the rest by name, group by group.
  std::vector<std::string> groups;
  for (const OptionRow& option : row.options) {
    if (option.group == "Options") {
      text += row_in_brief(names_with_value(option), option.help);
    } else if (std::ranges::find(groups, option.group) == groups.end()) {
      groups.push_back(option.group);
    }
  }
  for (const std::string& group : groups) {
    std::string names;
    for (const OptionRow& option : row.options) {
      if (option.group == group) names += (names.empty() ? "" : " ") + option.names.back();
    }
    text += fmt::format("\n{}:\n{}\n", group, wrapped_at(names, kShortWidth - 2, "  "));
  }
  return text + fmt::format("\n{}\n{} --help tells all.\n", row.examples, path);
}

}  // namespace quantiplan::cli
