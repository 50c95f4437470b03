// Several processes that mpirun started as one run: which of them this is, and the group they form.
//
//     mpirun -n 8 quantiplan solve model.json --tau 0.1
//
// solve, frontier and threshold are solved by all; of any other command rank 0 does all. Rank 0 alone
// prints and writes files; what goes wrong on another rank it says, too.
#pragma once

#include <memory>
#include <string>

#include "exit_code.hpp"
#include "quantiplan/ranks.hpp"

namespace quantiplan::cli {

constexpr const char* kNoMemory =
    "memory: the system gave no more, expected enough for this model; a --memory-limit makes a "
    "refusal come earlier";

class Launch {
 public:
  // True under mpirun and its like, be it with one process.
  [[nodiscard]] static bool is_launched() noexcept;
  // Joins the others, if there are any. Throws Error if it cannot, or if they were not started alike.
  static void join(int argc, char** argv);
  // Null where this process is alone.
  [[nodiscard]] static const std::shared_ptr<RankGroup>& group() noexcept;
  // True on a rank other than 0.
  [[nodiscard]] static bool is_helper() noexcept;
  // The command is one that all solve together; on a helper, false means that it may go.
  static void leave_to_first() noexcept;
  // The end of this process's part; returns the exit code of the process.
  static int leave(ExitCode code) noexcept;
};

}  // namespace quantiplan::cli
