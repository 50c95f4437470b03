// A question answered for each of several initial states: worst, best, and a table.
#pragma once

#include <string>
#include <vector>

#include "arguments/arguments.hpp"
#include "exit_code.hpp"
#include "quantiplan/solve.hpp"

namespace quantiplan::cli {

// What is asked of one state alone is refused: `flag` was given.
[[noreturn]] void refuse_with_several(const char* flag, std::size_t states);

ExitCode solve_by_initial(const Model& model,
                          const std::vector<State>& starts,
                          Query query,
                          const Options& options,
                          const OutputArguments& output);

// The quantiles of each; JSON has the curves, too.
ExitCode frontier_by_initial(const Model& model,
                             const std::vector<State>& starts,
                             const Query& query,
                             const Options& options,
                             const OutputArguments& output);

// `texts`: the targets as they were given.
ExitCode threshold_by_initial(const Model& model,
                              const std::vector<State>& starts,
                              const ThresholdQuery& query,
                              const std::vector<std::string>& texts,
                              const Options& options,
                              const OutputArguments& output);

}  // namespace quantiplan::cli
