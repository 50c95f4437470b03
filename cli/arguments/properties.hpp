// quantiplan solve --prop, --props: questions in the language of the model checkers.
#pragma once

#include <optional>
#include <string>

#include "arguments/arguments.hpp"
#include "exit_code.hpp"

namespace quantiplan::cli {

struct PropertyArguments {
  std::optional<std::string> property;  // a question, or the name of one of the file
  std::optional<std::string> file;
  void declare(CLI::App& command);
  [[nodiscard]] bool given() const { return property || file; }
};

// Each question in turn: our answer, and beside it the number that model checkers print.
ExitCode run_properties(const PropertyArguments& asked,
                        const ModelArgument& model,
                        const SettingArguments& setting,
                        Options options,
                        const OutputArguments& output);

}  // namespace quantiplan::cli
