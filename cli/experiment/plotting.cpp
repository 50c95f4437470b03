#include "experiment/plotting.hpp"

#include <fmt/format.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstdlib>
#include <string_view>
#include <vector>

#include "console/console.hpp"
#include "experiment/experiment_plots.hpp"

namespace quantiplan::cli {
namespace {

// The exit status of `python - arguments` with the script as its input; 127 if there is none.
int run_script(const char* python, std::string_view script, std::vector<std::string> arguments) {
  std::array<int, 2> ends{};
  if (pipe(ends.data()) != 0) return 127;
  const pid_t child = fork();
  if (child < 0) {
    close(ends[0]);
    close(ends[1]);
    return 127;
  }
  if (child == 0) {
    dup2(ends[0], STDIN_FILENO);
    close(ends[0]);
    close(ends[1]);
    // What it has to say of a missing module is said by us.
    if (arguments.empty()) close(STDERR_FILENO);
    std::string first = python;
    std::string dash = "-";
    std::vector<char*> all{first.data(), dash.data()};
    for (std::string& argument : arguments) all.push_back(argument.data());
    all.push_back(nullptr);
    execvp(python, all.data());
    _exit(127);
  }
  close(ends[0]);
  write_all(ends[1], script);
  close(ends[1]);
  int status = 0;
  while (waitpid(child, &status, 0) < 0 && errno == EINTR) {
  }
  return WIFEXITED(status) ? WEXITSTATUS(status) : 128;
}

// The first that has matplotlib: a Python of one's own may come before the system's. The variable
// QUANTIPLAN_PYTHON names another.
const char* python_with_matplotlib() {
  const char* named = std::getenv("QUANTIPLAN_PYTHON");
  const std::vector<const char*> candidates =
      named != nullptr ? std::vector<const char*>{named}
                       : std::vector<const char*>{"python3", "/usr/bin/python3"};
  for (const char* python : candidates) {
    if (run_script(python, "import matplotlib", {}) == 0) return python;
  }
  return nullptr;
}

}  // namespace

std::string draw_figure(const std::string& figure, const std::string& folder) {
  const char* python = python_with_matplotlib();
  if (python == nullptr)
    return "no figure was drawn: matplotlib is missing; install python3-matplotlib and run this "
           "again, finished points are kept";
  const int status = run_script(python, kExperimentPlots, {figure, folder});
  if (status == 0) return {};
  return fmt::format("no figure was drawn: python3 ended with {}", status);
}

}  // namespace quantiplan::cli
