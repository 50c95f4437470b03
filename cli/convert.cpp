// quantiplan convert: a model from one format to another, lossless in value.
#include "arguments.hpp"
#include "commands.hpp"
#include "model_output.hpp"

namespace quantiplan::cli {
namespace {

constexpr const char* kConvertExamples =
    "Examples:\n"
    "  quantiplan convert moves.csv moves.json\n"
    "  quantiplan convert gathering.prism gathering.drn --const danger=0.1\n"
    "  quantiplan convert dice.prism dice.tra --reward flips\n"
    "  quantiplan convert commute.json - --to csv\n";

struct ConvertArguments {
  ModelArgument in;
  std::string out;
  std::optional<std::string> to;
  LimitArguments limits;
  bool quiet = false;

  void declare(CLI::App& command) {
    in.declare(command, "IN");
    command.add_option("OUT", out, "file to write, or - for standard output")
        ->required()
        ->type_name("");
    add_text(command, "--to", to, "format to write, instead of the one OUT ends in")
        ->type_name(format_names("", "|", "|"));
    limits.declare(command);
    command.add_flag("-q,--quiet", quiet, "no notices: not even of what is lost");
  }

  [[nodiscard]] ExitCode run() const {
    Options options = limits.options();
    const Format wanted = model_format(out, to, "OUT");
    require_model_writable(out, wanted, "OUT", model_inputs(in.path));
    const Model model = in.read(quiet, options).model;
    write_model_as(model, wanted, out, quiet, options);
    return ExitCode::solved;
  }
};

}  // namespace

void add_convert(CLI::App& program, Action& action) {
  add_command<ConvertArguments>(
      program, action, "convert", "A model from one format to another", kConvertExamples);
}

}  // namespace quantiplan::cli
