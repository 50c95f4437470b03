#include <fmt/format.h>

#include <charconv>
#include <cmath>

#include "device/cuda_accelerator.hpp"
#include "kernels/backup.hpp"
#include "quantiplan/error.hpp"
#include "quantiplan/options.hpp"
#include "quantiplan/ranks.hpp"

namespace quantiplan {
namespace {

[[noreturn]] void wrong(std::string_view option,
                        std::string_view found,
                        std::string_view expected) {
  throw Error(ErrorCode::bad_request,
              fmt::format("--{}", option),
              fmt::format("found '{}', expected {}", found, expected));
}

template <class E>
struct Named {
  std::string_view name;
  E value;
};
constexpr Named<Engine> kEngines[] = {{"auto", Engine::automatic},
                                      {"steps", Engine::steps},
                                      {"lattice", Engine::lattice},
                                      {"levels", Engine::levels},
                                      {"search", Engine::search},
                                      {"epochs", Engine::epochs},
                                      {"ranked", Engine::ranked},
                                      {"forward", Engine::forward},
                                      {"paper", Engine::paper}};
constexpr Named<Arithmetic> kArithmetics[] = {{"auto", Arithmetic::automatic},
                                              {"double", Arithmetic::floating},
                                              {"exact", Arithmetic::exact}};
constexpr Named<Representation> kRepresentations[] = {{"auto", Representation::automatic},
                                                      {"sparse", Representation::sparse},
                                                      {"dense", Representation::dense}};
constexpr Named<Reduce> kReductions[] = {{"auto", Reduce::automatic},
                                         {"none", Reduce::none},
                                         {"bisimulation", Reduce::bisimulation},
                                         {"chains", Reduce::chains}};

constexpr Named<Backend> kBackends[] = {
    {"auto", Backend::automatic}, {"host", Backend::host}, {"gpu", Backend::gpu}};

template <class E, std::size_t Size>
E by_name(const Named<E> (&list)[Size], std::string_view option, std::string_view text) {
  std::string expected;
  for (const auto& entry : list) {
    if (entry.name == text) return entry.value;
    expected += (expected.empty() ? "" : ", ") + std::string(entry.name);
  }
  wrong(option, text, "one of " + expected);
}

template <class E, std::size_t Size>
std::string name_of(const Named<E> (&list)[Size], E value) {
  for (const auto& entry : list) {
    if (entry.value == value) return std::string(entry.name);
  }
  return {};
}

template <class T>
bool parse_all(std::string_view text, T& value) {
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  return error == std::errc() && end == text.data() + text.size();
}

constexpr std::uint32_t kMostThreads = 1024;

void set_threads(Options& o, std::string_view text) {
  if (!parse_all(text, o.threads) || o.threads > kMostThreads) {
    wrong("threads", text, fmt::format("a whole number from 0 to {}", kMostThreads));
  }
}

// "500M", "8G", "1.5G", or bytes; "0" for the default.
void set_memory_limit(Options& o, std::string_view text) {
  constexpr std::string_view kExpected = "a size such as 500M, 8G or a number of bytes";
  double factor = 1;
  std::string_view digits = text;
  if (!digits.empty()) {
    constexpr std::string_view kUnits = "KMGT";
    const std::size_t unit = kUnits.find(static_cast<char>(digits.back() & ~0x20));
    if (unit != std::string_view::npos) {
      factor = std::ldexp(1.0, 10 * static_cast<int>(unit + 1));
      digits.remove_suffix(1);
    }
  }
  double value = 0;
  if (!parse_all(digits, value) || !(value >= 0) || value * factor > 1e18) {
    wrong("memory-limit", text, kExpected);
  }
  o.memory_limit_bytes = static_cast<std::uint64_t>(value * factor);
}

void set_time_limit(Options& o, std::string_view text) {
  if (!parse_all(text, o.time_limit_seconds) || !(o.time_limit_seconds >= 0) ||
      !std::isfinite(o.time_limit_seconds)) {
    wrong("time-limit", text, "a number of seconds, 0 for none");
  }
}

void set_checkpoint_minutes(Options& o, std::string_view text) {
  if (!parse_all(text, o.checkpoint_minutes) || !(o.checkpoint_minutes >= 0) ||
      !std::isfinite(o.checkpoint_minutes)) {
    wrong("checkpoint-every", text, "a number of minutes, 0 for every step");
  }
}

void set_resume(Options& o, std::string_view text) {
  if (text != "true" && text != "false") wrong("resume", text, "true or false");
  o.resume = text == "true";
}

// "auto" for the default, or a positive number, exactly.
void set_epsilon(Options& o, std::string_view text) {
  o.epsilon.reset();
  if (text == "auto") return;
  constexpr std::string_view kExpected = "a positive number such as 0.01 or 1/3, or auto";
  const auto number = Number::try_parse(text);
  if (!number || number->sign() <= 0) wrong("epsilon", text, kExpected);
  o.epsilon = number->rational();
}

void set_kernel(Options& o, std::string_view text) {
  if (find_kernel(text) == nullptr) {
    std::string expected = "one of auto";
    for (const Kernel& kernel : kernels()) {
      if (kernel.supported()) expected += ", " + std::string(kernel.name);
    }
    wrong("kernel", text, expected);
  }
  o.kernel = text;
}

void set_backend(Options& o, std::string_view text) {
  o.backend = by_name(kBackends, "backend", text);
  std::string why;
  if (o.backend == Backend::gpu && !can_have_cuda(why))
    wrong("backend", text, fmt::format("auto or host: {}", why));
}

constexpr OptionEntry kTable[] = {
    {"engine",
     "auto|steps|lattice|levels|search|epochs|ranked|forward|paper",
     "how to solve: auto, or one of steps (exact), lattice, levels, search (brackets), epochs "
     "(infinite horizon), ranked, forward (other wealth than sums) and paper",
     [](Options& o, std::string_view t) { o.engine = by_name(kEngines, "engine", t); },
     [](const Options& o) { return name_of(kEngines, o.engine); }},
    {"epsilon",
     "E",
     "widest bracket that is good enough, in units of reward, where no exact answer is affordable; "
     "default a thousandth of the range of returns, or less where that is cheap",
     set_epsilon,
     [](const Options& o) { return o.epsilon ? to_text(*o.epsilon) : std::string("auto"); }},
    {"arithmetic",
     "auto|double|exact",
     "doubles with a certified error bound and exact ties, rationals throughout, or rationals "
     "where cheap",
     [](Options& o, std::string_view t) { o.arithmetic = by_name(kArithmetics, "arithmetic", t); },
     [](const Options& o) { return name_of(kArithmetics, o.arithmetic); }},
    {"representation",
     "auto|sparse|dense",
     "step functions as breakpoints, as arrays, or the cheaper at each time",
     [](Options& o, std::string_view t) {
       o.representation = by_name(kRepresentations, "representation", t);
     },
     [](const Options& o) { return name_of(kRepresentations, o.representation); }},
    {"reduce",
     "auto|none|bisimulation|chains",
     "solve a smaller model with the same answers: auto, none, bisimulation (states that behave "
     "alike become one) or chains (states with one way on are passed over, too)",
     [](Options& o, std::string_view t) { o.reduce = by_name(kReductions, "reduce", t); },
     [](const Options& o) { return name_of(kReductions, o.reduce); }},
    {"kernel",
     "NAME",
     "inner loop of dense steps: auto, reference, vector, vector-avx2, vector-avx512",
     set_kernel,
     [](const Options& o) { return o.kernel; }},
    {"backend",
     "auto|host|gpu",
     "who computes dense steps: the threads of this machine or its GPU, with the same bits; auto "
     "takes the GPU where it is worth it",
     set_backend,
     [](const Options& o) { return name_of(kBackends, o.backend); }},
    {"threads",
     "N",
     "worker threads, 0 for one per core; the answer does not depend on it",
     set_threads,
     [](const Options& o) { return std::to_string(o.threads); }},
    {"memory-limit",
     "SIZE",
     "refuse what needs more, as 500M or 8G; default 80 % of what is free",
     set_memory_limit,
     [](const Options& o) { return std::to_string(o.memory_limit_bytes); }},
    {"time-limit",
     "SECONDS",
     "end early with a valid bracket; 0 for no limit",
     set_time_limit,
     [](const Options& o) { return fmt::format("{}", o.time_limit_seconds); }},
    {"checkpoint",
     "FOLDER",
     "write long backward passes to FOLDER every so often, so that --resume can go on from there",
     [](Options& o, std::string_view t) { o.checkpoint = t; },
     [](const Options& o) { return o.checkpoint; }},
    {"checkpoint-every",
     "MINUTES",
     "how often (10)",
     set_checkpoint_minutes,
     [](const Options& o) { return fmt::format("{}", o.checkpoint_minutes); }},
    {"resume",
     "",
     "go on from what --checkpoint wrote, to the same answer, bit for bit",
     set_resume,
     [](const Options& o) { return std::string(o.resume ? "true" : "false"); }},
};

}  // namespace

std::span<const OptionEntry> option_table() { return kTable; }

void Options::validate() const {
  // Whatever the table accepts as text, and nothing else, is valid.
  Options copy;
  for (const OptionEntry& entry : kTable) entry.set(copy, entry.get(*this));
  if (arithmetic == Arithmetic::exact && representation == Representation::dense) {
    throw Error(
        ErrorCode::bad_request,
        "--representation",
        "found 'dense' with exact arithmetic, expected auto or sparse: arrays hold doubles");
  }
  if (resume && checkpoint.empty())
    throw Error(ErrorCode::bad_request, "--resume", "found without --checkpoint, expected both");
}

}  // namespace quantiplan
