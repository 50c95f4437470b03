// quantiplan convert: a model from one format to another, lossless in value.
#include <fmt/format.h>

#include <filesystem>

#include "arguments.hpp"
#include "commands.hpp"
#include "quantiplan/error.hpp"

namespace quantiplan::cli {
namespace {

constexpr const char* kExamples =
    "Examples:\n"
    "  quantiplan convert moves.csv moves.json\n"
    "  quantiplan convert commute.json - --to csv\n";

std::optional<Format> format_named(const std::string& name) {
  if (name == "json") return Format::json;
  if (name == "csv") return Format::csv;
  return std::nullopt;
}

struct ConvertArguments {
  std::string in;
  std::string out;
  std::optional<std::string> to;
  bool quiet = false;

  void declare(CLI::App& command) {
    command.add_option("IN", in, "model file, or - for standard input")->required()->type_name("");
    command.add_option("OUT", out, "file to write, or - for standard output")
        ->required()
        ->type_name("");
    add_text(command, "--to", to, "format to write, instead of the one OUT ends in")
        ->type_name("json|csv");
    command.add_flag("-q,--quiet", quiet, "no notices: not even of what is lost");
  }

  [[nodiscard]] Format format() const {
    if (to) {
      if (const auto named = format_named(*to)) return *named;
      throw Error(
          ErrorCode::bad_request, "--to", fmt::format("found '{}', expected json or csv", *to));
    }
    const std::string ending = std::filesystem::path(out).extension().string();
    if (!ending.empty())
      if (const auto named = format_named(ending.substr(1))) return *named;
    throw Error(ErrorCode::bad_request,
                "OUT",
                fmt::format("found '{}', expected a name ending in .json or .csv, or --to", out));
  }

  [[nodiscard]] ExitCode run() const {
    const Format wanted = format();
    require_writable(out, "OUT", {});  // which may be IN: it is read before
    ReadModel read = read_model(in);
    std::vector<std::string> lost;
    const std::string text = format_model(read.model, wanted, &lost);
    if (out == "-") {
      print(text);
    } else {
      write_text(out, text);
    }
    if (!quiet) {
      print_notices(read.notices);
      if (!lost.empty())
        print_notices({fmt::format("{}: CSV has no place for {}", out, fmt::join(lost, ", "))});
    }
    return ExitCode::solved;
  }
};

}  // namespace

void add_convert(CLI::App& program, Action& action) {
  add_command<ConvertArguments>(
      program, action, "convert", "A model from one format to another", kExamples);
}

}  // namespace quantiplan::cli
