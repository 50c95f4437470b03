// quantiplan generate: a model of a known domain, with the parameters that the domain has.
//
// Each domain is a command below `generate`, so that each has its own options and its own help.
#include <fmt/format.h>

#include "arguments/arguments.hpp"
#include "commands/commands.hpp"
#include "commands/model_output.hpp"
#include "console/watched_call.hpp"
#include "help/usage.hpp"
#include "quantiplan/domains.hpp"

namespace quantiplan::cli {
namespace {

constexpr const char* kGenerateExamples =
    "Examples:\n"
    "  quantiplan generate machine --levels 20 --discount 0.95 -o machine.json\n"
    "  quantiplan generate garnet --seed 7 | quantiplan solve - --tau 0.1\n"
    "  quantiplan generate machine --help\n"
    "  quantiplan generate --list\n";

std::string flag_of(const DomainParameter& parameter) {
  return fmt::format("--{} {}", parameter.name, parameter.value);
}

// All domains with their parameters: flag, default, meaning.
std::string list_of_domains() {
  std::string text;
  for (const Domain& domain : domain_table()) {
    text += fmt::format("{}{}: {}\n", text.empty() ? "" : "\n", domain.name, domain.help);
    for (const DomainParameter& parameter : domain.parameters) {
      text += fmt::format(
          "  {:<22}  {:<13}  {}\n", flag_of(parameter), parameter.usual, parameter.help);
    }
  }
  text.pop_back();  // the parser ends it
  return text;
}

struct GenerateArguments {
  const Domain* domain = nullptr;
  std::vector<GivenParameter> given;
  std::optional<std::string> output;
  std::optional<std::string> to;
  LimitArguments limits;
  bool quiet = false;

  void declare(CLI::App& command) {
    command.require_subcommand(1);
    const auto formatter = std::make_shared<HelpFormatter>();
    formatter->label("SUBCOMMAND", "DOMAIN");
    command.formatter(formatter);
    command.add_flag_callback(
        "--list",
        // As --version does: an end of the parse that is no error.
        [] { throw CLI::CallForVersion(list_of_domains(), 0); },
        "print every domain with its parameters and their defaults, and exit");
    for (const Domain& each : domain_table()) declare_domain(command, each);
  }

  void declare_domain(CLI::App& command, const Domain& each) {
    CLI::App* own = command.add_subcommand(std::string(each.name), std::string(each.help));
    add_help_flags(*own);
    own->group("Domains");
    own->footer(fmt::format("Examples:\n  quantiplan generate {0} -o {0}.json\n", each.name));
    own->callback([this, &each] { domain = &each; });
    for (const DomainParameter& parameter : each.parameters) {
      own->add_option_function<std::string>(
             fmt::format("--{}", parameter.name),
             [this, &parameter](const std::string& text) {
               given.push_back({std::string(parameter.name), text});
             },
             fmt::format("{}; default {}", parameter.help, parameter.usual))
          ->type_name(std::string(parameter.value))
          ->group("Parameters");
    }
    add_text(*own,
             "-o,--output",
             output,
             "write the model to FILE (" + format_names(".", ", ", ", ") + ")")
        ->type_name("FILE")
        ->group("Output");
    add_text(*own, "--to", to, "format to write, instead of the one FILE ends in")
        ->type_name(format_names("", "|", "|"))
        ->group("Output");
    limits.declare(*own);
    own->add_flag("-q,--quiet", quiet, "no notices: not even of what is lost")->group("Output");
  }

  [[nodiscard]] ExitCode run() const {
    Options options = limits.options();
    const std::string path = output.value_or("-");
    const Format wanted = path == "-" && !to ? Format::json : model_format(path, to, "--output");
    require_model_writable(path, wanted, "--output", {});
    const auto made = [&](const Options& watching) {
      return generate(domain->name, given, watching);
    };
    const Model model = [&] {
      const TimeTaken taken(options);
      return watched(options, quiet, false, made);
    }();
    write_model_as(model, wanted, path, quiet, options);
    return ExitCode::solved;
  }
};

}  // namespace

void add_generate(CLI::App& program, Action& action) {
  add_command<GenerateArguments>(
      program, action, "generate", "A model of a known domain", kGenerateExamples);
}

}  // namespace quantiplan::cli
