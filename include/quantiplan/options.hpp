// How it is computed: engine, arithmetic, threads, limits. No option changes what the answer means.
//
// One table (option_table) drives the command line's flags, the documentation and validate().
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <string_view>

namespace quantiplan {

enum class Engine { automatic, steps, paper };
enum class Arithmetic { automatic, floating, exact };
enum class Representation { automatic, sparse, dense };

struct Progress {
  std::string_view phase;  // "backward pass", "exact tie"
  double fraction = 0;     // 0 to 1 within the phase
};

struct Options {
  Engine engine = Engine::automatic;
  // floating: doubles with a certified error bound, rationals where the bound does not settle a
  // comparison; exact: rationals throughout; automatic: exact where that is cheap.
  Arithmetic arithmetic = Arithmetic::automatic;
  // Step functions as breakpoints, as contiguous arrays, or the cheaper of the two at each time.
  Representation representation = Representation::automatic;
  // Name of an inner loop of kernels(); "auto" takes the best this processor supports.
  std::string kernel = "auto";
  std::uint32_t threads = 0;             // 0: one per core
  std::uint64_t memory_limit_bytes = 0;  // 0: 80 % of the memory that is free when the solve begins
  double time_limit_seconds = 0;         // 0: none
  bool check = false;                    // re-derive each result without the engines

  // Called from the solving thread, at most some times a second.
  std::function<void(const Progress&)> progress;
  // Set to true from another thread or a signal handler to end early; may be null.
  const std::atomic<bool>* stop = nullptr;

  // Throws Error(bad_request) naming the field, the value and the bound.
  void validate() const;
};

// A named option, readable and writable as text.
struct OptionEntry {
  std::string_view name;   // "threads" is the flag --threads
  std::string_view value;  // placeholder in help: "N", "auto|steps|paper"
  std::string_view help;
  void (*set)(Options&, std::string_view text);  // throws Error(bad_request, "--name", ...)
  std::string (*get)(const Options&);
};
std::span<const OptionEntry> option_table();

}  // namespace quantiplan
