#include "help/command_table.hpp"

#include <algorithm>

namespace quantiplan::cli {
namespace {

// "lower|upper|both" are words to choose from; "N|infinite" and "FILE" are not all there is.
std::vector<std::string> choices_of(const std::string& type) {
  const auto is_plain = [](char c) { return (c >= 'a' && c <= 'z') || c == '-' || c == '|'; };
  if (type.find('|') == std::string::npos || !std::ranges::all_of(type, is_plain)) return {};
  std::vector<std::string> words{""};
  for (const char c : type) {
    if (c == '|') {
      words.emplace_back();
    } else {
      words.back() += c;
    }
  }
  return words;
}

OptionRow row_of_option(const CLI::Option& option) {
  OptionRow row;
  if (option.get_positional()) {
    row.names = {option.get_name(true)};
  } else {
    for (const std::string& name : option.get_snames()) row.names.push_back("-" + name);
    for (const std::string& name : option.get_lnames()) row.names.push_back("--" + name);
  }
  row.value = option.get_type_name();
  row.help = option.get_description();
  row.group = option.get_group();
  row.choices = choices_of(row.value);
  row.is_file = option.get_positional() || row.value.find("FILE") != std::string::npos;
  row.is_required = option.get_required();
  return row;
}

}  // namespace

CommandRow command_table(const CLI::App& program) {
  CommandRow row{program.get_name(),
                 program.get_description(),
                 program.get_footer(),
                 program.get_group(),
                 {},
                 {},
                 {}};
  for (const CLI::Option* option : program.get_options())
    (option->get_positional() ? row.arguments : row.options).push_back(row_of_option(*option));
  for (const CLI::App* below : program.get_subcommands({}))
    row.below.push_back(command_table(*below));
  // What is explained is one of them.
  for (CommandRow& below : row.below) {
    for (OptionRow& argument : below.arguments) {
      if (argument.names.front() != "COMMAND") continue;
      for (const CommandRow& each : row.below) argument.choices.push_back(each.name);
    }
  }
  return row;
}

std::string in_brief(const std::string& help) {
  constexpr std::size_t kTooShort = 16;  // "instead" says nothing
  for (const char* end : {"; ", ": "}) {
    const std::size_t at = help.find(end);
    if (at != std::string::npos && at >= kTooShort) return in_brief(help.substr(0, at));
  }
  return help;
}

}  // namespace quantiplan::cli
