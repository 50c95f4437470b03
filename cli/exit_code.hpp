// How the program ends: a contract with scripts (docs/command-line.md).
#pragma once

#include "quantiplan/answer.hpp"

namespace quantiplan::cli {

enum class ExitCode : int {
  solved = 0,
  ended_early = 1,  // with a partial answer that holds
  refused = 2,      // the request or the model is wrong, or a file or memory stands in the way
  our_fault = 3,
  check_failed = 4,
};

// Of several results the worst counts.
constexpr ExitCode worse(ExitCode a, ExitCode b) { return a < b ? b : a; }

inline ExitCode exit_code(const CheckReport& report) {
  if (report.passed || report.nothing_to_check) return ExitCode::solved;
  return report.ended_early ? ExitCode::ended_early : ExitCode::check_failed;
}

}  // namespace quantiplan::cli
