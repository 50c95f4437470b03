// The GPU of this machine against its threads, at equal answers; and how much of its memory's speed the kernel has.
#include <fmt/format.h>

#include <chrono>
#include <thread>

#include "agreement.hpp"
#include "cases.hpp"
#include "device/cuda_accelerator.hpp"
#include "device/roof_kernel.hpp"
#include "finite/device/device_arrays.hpp"
#include "finite/device/device_backend.hpp"
#include "finite/pass/pass.hpp"
#include "quantiplan/solve.hpp"
#include "sections.hpp"

namespace quantiplan::bench {
namespace {

using Clock = std::chrono::steady_clock;

double seconds_since(Clock::time_point begin) {
  return std::chrono::duration<double>(Clock::now() - begin).count();
}

// An accelerator that knows how long one of its kernels ran.
class Clocked : public Accelerator {
 public:
  explicit Clocked(std::unique_ptr<Accelerator> machine) : machine_(std::move(machine)) {}
  [[nodiscard]] std::string name() const override { return machine_->name(); }
  [[nodiscard]] std::uint64_t free_bytes() override { return machine_->free_bytes(); }
  [[nodiscard]] std::uint64_t cache_bytes() const override { return machine_->cache_bytes(); }
  void* take(std::uint64_t bytes) override { return machine_->take(bytes); }
  void give_back(void* memory, std::uint64_t bytes) noexcept override {
    machine_->give_back(memory, bytes);
  }
  void copy_in(void* to, const void* from, std::uint64_t bytes) override {
    machine_->copy_in(to, from, bytes);
  }
  void copy_out(void* to, const void* from, std::uint64_t bytes) override {
    machine_->copy_out(to, from, bytes);
  }
  void copy_within(void* to, const void* from, std::uint64_t bytes) override {
    machine_->copy_within(to, from, bytes);
  }
  void wait() override { machine_->wait(); }
  void launch(DeviceKernel kernel,
              std::uint64_t warps,
              const void* arguments,
              std::uint64_t bytes) override {
    machine_->wait();
    const Clock::time_point begin = Clock::now();
    machine_->launch(kernel, warps, arguments, bytes);
    machine_->wait();
    if (kernel == DeviceKernel::back_up) seconds += seconds_since(begin);
  }
  static inline double seconds = 0;

 private:
  std::unique_ptr<Accelerator> machine_;
};

std::unique_ptr<DenseBackend> make_clocked(const BackendInput& in) {
  std::string why;
  return make_device_backend(
      in,
      make_device_arrays(std::make_unique<Clocked>(open_cuda_accelerator(why))),
      Otherwise::refuse);
}

// Bytes a second of rows from random places of an array.
double roof_of(Accelerator& machine, std::uint64_t bytes) {
  constexpr std::uint64_t kWarps = 200'000;
  constexpr std::uint32_t kRows = 80;
  DeviceArray<double> values(machine);
  DeviceArray<double> sums(machine);
  const std::uint64_t entries = bytes / sizeof(double);
  const device::ReadRows in{
      0, kWarps, values.require(entries), entries, kRows, sums.require(kWarps)};
  double best = 1e9;
  for (int round = 0; round < 4; ++round) {
    machine.wait();
    const Clock::time_point begin = Clock::now();
    machine.launch(DeviceKernel::read_rows, kWarps, &in, sizeof(in));
    machine.wait();
    if (round > 0) best = std::min(best, seconds_since(begin));
  }
  return static_cast<double>(kWarps) * kRows * device::kTile * sizeof(double) / best;
}

// Time of the kernel in a whole pass, with decisions.
void add_kernel(const Case& subject, const std::string& roof, double roof_bytes, Section& section) {
  Options options = options_of(Engine::steps, 0);
  Limits limits(options);
  const Stages stages(subject.model, resolve(subject.model, {}), limits);
  const Windows windows(stages, ChoiceFilter(), limits);
  const Expectation<double> expectation(stages, limits);
  PassInput<double> input{
      stages, windows, expectation, ChoiceFilter(), true, Representation::automatic};
  input.kernel = find_kernel("auto");
  input.make_backend = make_clocked;
  double best = 1e9;
  Work work;
  for (int round = 0; round < 3; ++round) {
    work = {};
    Clocked::seconds = 0;
    const PassOutput<double> output = run_pass(input, limits, work);
    limits.give_back(output.decision_bytes);
    best = std::min(best, Clocked::seconds);
  }
  const double per_second = static_cast<double>(work.multiply_adds) / best;
  section.rows.push_back({subject.name,
                          std::string("kernel alone"),
                          Quantity{best, "s"},
                          work.multiply_adds,
                          Quantity{per_second, "/s"},
                          Quantity{8 * per_second, "B/s"}});
  section.ratios.push_back(
      {fmt::format("{}: kernel / {}, {:.2f} TB/s", subject.name, roof, roof_bytes / 1e12),
       8 * per_second / roof_bytes,
       Ratio::Bound::at_least,
       0.7});
}

Case garnet_for(std::uint32_t states, std::uint64_t horizon, bool quick) {
  GarnetParameters p;
  p.states = quick ? 200 : states;
  p.actions = 5;
  p.branching = 16;
  p.horizon = quick ? 5 : horizon;
  return garnet_of(p);
}

Section empty_section(const char* title) {
  return {title,
          "",
          {"model", "who", "best time", "multiply-adds", "multiply-adds per second", "loads"},
          {},
          {}};
}

Options gpu_options(Backend backend, std::uint32_t threads) {
  Options options = options_of(Engine::steps, threads);
  options.backend = backend;
  options.reduce = Reduce::none;
  return options;
}

void add_row(const Case& subject, const Timed& run, Section& section) {
  const double per_second = static_cast<double>(run.answer.work.multiply_adds) / run.seconds;
  section.rows.push_back({subject.name,
                          run.name,
                          Quantity{run.seconds, "s"},
                          run.answer.work.multiply_adds,
                          Quantity{per_second, "/s"},
                          Quantity{8 * per_second, "B/s"}});
}

}  // namespace

Section gpu_section(const Plan& plan) {
  Section section = empty_section("A GPU against the threads of its host");
  std::string why;
  const auto machine = open_cuda_accelerator(why);
  if (!machine) {
    section.about = fmt::format("Not measured here: {}.", why);
    return section;
  }
  const std::uint32_t cores = std::thread::hardware_concurrency();
  section.about = fmt::format(
      "{} and a host of {} cores; 0.1-quantile with its policy, no smaller model is looked for; "
      "context and kernels are ready. "
      "The model is copied to the device in each solve.",
      machine->name(),
      cores);
  const Case subject = garnet_for(20'000, 20, plan.quick);
  const auto by =
      [&](const std::string& name, Backend backend, std::uint32_t threads) -> Contender {
    return {name, [&subject, backend, threads] {
              return solve(subject.model, one_tau_bare(), gpu_options(backend, threads));
            }};
  };
  const auto runs = race(
      {by("2 threads", Backend::host, 2),
       by(fmt::format("{} threads", cores), Backend::host, cores),
       by("GPU", Backend::gpu, cores)},
      [&](const std::vector<Timed>& answers) {
        for (const Timed& run : answers)
          require_equal(subject.name, subject.model, answers[0].answer, run.answer);
      },
      plan.effort);
  for (const Timed& run : runs) add_row(subject, run, section);
  section.ratios.push_back({fmt::format("{}: 2 threads / GPU", subject.name),
                            runs[0].seconds / runs[2].seconds,
                            Ratio::Bound::at_least,
                            100});
  section.ratios.push_back({fmt::format("{}: {} threads / GPU", subject.name, cores),
                            runs[1].seconds / runs[2].seconds,
                            Ratio::Bound::at_least,
                            15});
  const std::uint64_t in_cache = machine->cache_bytes() / 2;
  add_kernel(subject, "rows in its second-level cache", roof_of(*machine, in_cache), section);
  const std::uint64_t in_memory = std::uint64_t{plan.quick ? 1U : 64U} << 26U;
  add_kernel(garnet_for(200'000, 10, plan.quick),
             "rows in its memory",
             roof_of(*machine, in_memory),
             section);
  return section;
}

// 10^6 states, 8 * 10^7 outcomes, 50 steps: more than a host of this size does in an hour.
Section gpu_large_section(const Plan& plan) {
  Section section = empty_section("A large model on a GPU");
  std::string why;
  const auto machine = open_cuda_accelerator(why);
  if (!machine) {
    section.about = fmt::format("Not measured here: {}.", why);
    return section;
  }
  section.about =
      fmt::format("{}; one solve of the 0.1-quantile with its policy.", machine->name());
  const Case subject = garnet_for(1'000'000, 50, plan.quick);
  Timed run{"GPU", 0, {}};
  run.seconds = seconds_of(
      [&] { run.answer = solve(subject.model, one_tau_bare(), gpu_options(Backend::gpu, 0)); });
  if (run.answer.results.front().status != Status::solved) section.about += " It was not solved.";
  add_row(subject, run, section);
  return section;
}

}  // namespace quantiplan::bench
