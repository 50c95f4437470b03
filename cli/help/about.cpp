// quantiplan help, version, man, completion: what the program says of itself.
#include <fmt/format.h>

#include <memory>

#include "commands/commands.hpp"
#include "console/console.hpp"
#include "help/command_table.hpp"
#include "help/completions.hpp"
#include "help/man_page.hpp"
#include "quantiplan/error.hpp"
#include "quantiplan/solve.hpp"
#include "quantiplan/suggest.hpp"
#include "quantiplan/visible.hpp"

namespace quantiplan::cli {
namespace {

constexpr const char* kAboutGroup = "About the program";

CLI::App* about_command(CLI::App& program,
                        const char* name,
                        const char* help,
                        const std::string& examples) {
  CLI::App* command = program.add_subcommand(name, help);
  add_help_flags(*command);
  command->group(kAboutGroup);
  command->footer("Examples:\n" + examples);
  return command;
}

const CLI::App& command_named(const CLI::App& program, const std::vector<std::string>& words) {
  const CLI::App* command = &program;
  for (const std::string& word : words) {
    const std::vector<const CLI::App*> below = command->get_subcommands({});
    std::vector<std::string> names;
    const CLI::App* found = nullptr;
    for (const CLI::App* each : below) {
      names.push_back(each->get_name());
      if (each->get_name() == word) found = each;
    }
    if (found == nullptr)
      throw Error(
          ErrorCode::bad_request,
          "help",
          fmt::format(
              "found '{}', expected a command{}", visible(word), suggestion_among(word, names)));
    command = found;
  }
  return *command;
}

}  // namespace

void add_about(CLI::App& program, Action& action) {
  CLI::App* all = &program;
  CLI::App* help = about_command(program,
                                 "help",
                                 "The program, or one of its commands, explained",
                                 "  quantiplan help solve\n  quantiplan help generate machine\n");
  const auto words = std::make_shared<std::vector<std::string>>();
  help->add_option("COMMAND", *words, "the command to explain, else the program")->type_name("");
  help->callback([&action, words, all] {
    action = [words, all] {
      std::string path;  // CLI11 puts the name of the program before all but the program's
      for (std::size_t i = 0; i < words->size(); ++i)
        path += (i == 0 ? all->get_name() : " " + (*words)[i - 1]);
      all->clear();  // else it would explain the command that was given, which is help
      print(command_named(*all, *words).help(path));
      return ExitCode::solved;
    };
  });
  about_command(program, "version", "The version", "  quantiplan version\n")->callback([&action] {
    action = [] {
      print(fmt::format("quantiplan {}\n", version()));
      return ExitCode::solved;
    };
  });
  about_command(program, "man", "The manual page, for man(1)", "  quantiplan man | man -l -\n")
      ->callback([&action, all] {
        action = [all] {
          print(man_page(command_table(*all), std::string(version())));
          return ExitCode::solved;
        };
      });
  CLI::App* completion =
      about_command(program,
                    "completion",
                    "What a shell completes: commands, options, words",
                    "  source <(quantiplan completion bash)\n"
                    "  quantiplan completion zsh > ~/.zsh/completions/_quantiplan\n"
                    "  quantiplan completion fish > ~/.config/fish/completions/quantiplan.fish\n");
  const auto shell = std::make_shared<std::string>();
  completion->add_option("SHELL", *shell, "bash, zsh or fish")
      ->required()
      ->type_name("bash|zsh|fish");
  completion->callback([&action, shell, all] {
    action = [shell, all] {
      print(completions(command_table(*all), *shell));
      return ExitCode::solved;
    };
  });
}

}  // namespace quantiplan::cli
