#include "machine_facts.hpp"

#include <fmt/format.h>

#include <fstream>
#include <thread>

#include "kernels/backup.hpp"

namespace quantiplan::bench {
namespace {

// Linux only; elsewhere a processor without a name.
std::string processor_name() {
  std::ifstream facts("/proc/cpuinfo");
  for (std::string line; std::getline(facts, line);) {
    if (line.starts_with("model name")) return line.substr(line.find(':') + 2);
  }
  return "an unnamed processor";
}

}  // namespace

std::string machine_facts() {
#if defined(__clang__)
  constexpr const char* kCompiler = "clang++ ";
#else
  constexpr const char* kCompiler = "g++ ";
#endif
  return fmt::format("{} core(s) of {}, kernel {}, {}{}.",
                     std::thread::hardware_concurrency(),
                     processor_name(),
                     find_kernel("auto")->name,
                     kCompiler,
                     __VERSION__);
}

}  // namespace quantiplan::bench
