// How it is computed: engine, arithmetic, threads, limits. No option changes what the answer means.
//
// One table (option_table) drives the command line's flags, the documentation and validate().
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "quantiplan/number.hpp"

namespace quantiplan {

// steps: exact step functions on the integer grid of all wealth levels.
// lattice: two passes on a coarser grid, rewards rounded down and up, refined until the bracket is
//   as narrow as epsilon.
// levels: probabilities rounded to multiples of 1/J instead, down and up.
// search: from the initial state, only where the answer can lie, on a grid near the finest.
// epochs: the infinite horizon without discount, level by level of the residual target.
// ranked: other wealth structures with residuals, one pass over the levels still to come.
// forward: every structure, the wealth so far being part of the state.
// paper: the paper's binary search over targets, a backward induction each; to epsilon where wealth
//   has no integer grid. At the infinite horizon its stopping rule is unsound: for comparison only.
enum class Engine { automatic, steps, lattice, levels, search, epochs, ranked, forward, paper };
enum class Arithmetic { automatic, floating, exact };
enum class Representation { automatic, sparse, dense };
// Which smaller model with the same answers is solved instead; policies are the model's own.
// bisimulation: states that behave alike become one, exactly.
// chains: at the infinite horizon, states with one way on are passed over; then bisimulation.
// automatic: where it is worth the effort.
enum class Reduce { automatic, none, bisimulation, chains };

// Who computes dense steps: the threads of this machine, or its GPU; the bits are the same.
// automatic: the GPU where there is one, and the work is worth it.
enum class Backend { automatic, host, gpu };

class Call;
class RankGroup;

struct Progress {
  std::string_view phase;  // "backward pass", "exact tie"
  double fraction = 0;     // 0 to 1 within the phase; below 0 if nobody knows
  // The bracket known so far, of the question that is widest open; absent before there is one.
  struct Bracket {
    double lower = 0;
    double upper = 0;
  };
  std::optional<Bracket> bracket;
};

struct Options {
  Engine engine = Engine::automatic;
  // The widest bracket that is good enough, in units of reward; absent: a thousandth of the range
  // of attainable returns, and a narrower one where that costs little. An exact answer is given
  // wherever it is affordable.
  std::optional<Rational> epsilon;
  // floating: doubles with a certified error bound, rationals where the bound does not settle a
  // comparison; exact: rationals throughout; automatic: exact where that is cheap.
  Arithmetic arithmetic = Arithmetic::automatic;
  // Step functions as breakpoints, as contiguous arrays, or the cheaper of the two at each time.
  Representation representation = Representation::automatic;
  Reduce reduce = Reduce::automatic;
  // Name of an inner loop of kernels(); "auto" takes the best this processor supports.
  std::string kernel = "auto";
  Backend backend = Backend::automatic;
  std::uint32_t threads = 0;  // 0: one per core
  // What the process may come to hold besides what it held when the call began; calls that run at
  // the same time have the sum of their limits. 0: 80 % of the memory that is free then.
  std::uint64_t memory_limit_bytes = 0;
  // From the begin of the call, with all its phases, on; what a result is asked for afterwards (its
  // policy, its distribution) has what the call left of it, a tenth at least. 0: none.
  double time_limit_seconds = 0;
  bool check = false;  // re-derive each result without the engines

  // A folder to which long passes are written every so often, and from which `resume` goes on; empty:
  // none.
  std::string checkpoint;
  double checkpoint_minutes = 10;
  bool resume = false;

  // The processes that solve this together (ranks.hpp); null: this one alone. What a result is asked
  // for after the call, every process does for itself.
  std::shared_ptr<RankGroup> ranks;

  // Called from the solving thread, at most some times a second.
  std::function<void(const Progress&)> progress;
  // Set to true from another thread or a signal handler to end early; may be null.
  const std::atomic<bool>* stop = nullptr;

  // The same for what a result is asked for after the call, its policy or its distribution: a result
  // may outlive its caller, so they are shared with it.
  std::function<void(const Progress&)> progress_later;
  std::shared_ptr<const std::atomic<bool>> stop_later;

  // The call in progress, which the library notes here for its own phases: leave it empty.
  std::shared_ptr<Call> call;

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
