// The inner loop alone: multiply-adds per second of `mix`, by kernel and by size of the working
// set.
//
//     one call: width * terms multiply-adds; loads 8 bytes for each (the value D, the probability
//     and the sum stay in registers), stores 8 bytes per entry of the result, that is 8/terms per
//     multiply-add. The roof is thus load bandwidth: at 64 bytes a cycle, 8 multiply-adds a cycle.
#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <limits>
#include <span>
#include <vector>

#include "agreement.hpp"
#include "backup.hpp"
#include "sections.hpp"
#include "seeded.hpp"

namespace quantiplan::bench {
namespace {

constexpr std::size_t kTerms = 16;

// kTerms windows of `width` values, each read at a small offset of its own.
class Workload {
 public:
  explicit Workload(std::size_t width) : values_(kTerms * width), result_(width) {
    Seeded random(width);
    for (double& value : values_) {
      value = static_cast<double>(random.below(1'000'000)) / 1'000'000.0;
    }
    for (std::size_t k = 0; k < kTerms; ++k) {
      const auto shift = static_cast<std::int64_t>(random.below(width / 8));
      terms_.push_back(
          {1.0 / kTerms, values_.data() + k * width, shift, static_cast<std::int64_t>(width)});
    }
  }

  std::span<const double> run(const Kernel& kernel) {
    kernel.mix(terms_, 0, result_);
    return result_;
  }
  [[nodiscard]] double multiply_adds() const {
    return static_cast<double>(kTerms * result_.size());
  }
  [[nodiscard]] double bytes() const {
    return static_cast<double>((values_.size() + result_.size()) * sizeof(double));
  }

 private:
  std::vector<double> values_;
  std::vector<double> result_;
  std::vector<MixTerm> terms_;
};

// Every kernel must give the reference's bits.
void require_same_bits(Workload& workload, const Kernel& kernel) {
  const std::span<const double> expected_view = workload.run(kernels().front());
  const std::vector<double> expected(expected_view.begin(), expected_view.end());
  const std::span<const double> found = workload.run(kernel);
  const auto same = [](double a, double b) {
    return std::bit_cast<std::uint64_t>(a) == std::bit_cast<std::uint64_t>(b);
  };
  if (!std::ranges::equal(expected, found, same)) {
    throw Disagreement(fmt::format("kernel {}: bits differ from the reference", kernel.name));
  }
}

// Best seconds of one call, over batches long enough for the clock.
double seconds_per_call(Workload& workload, const Kernel& kernel, const Plan& plan) {
  const double wanted = plan.quick ? 1e6 : 1e8;
  const auto calls = static_cast<std::size_t>(wanted / workload.multiply_adds()) + 1;
  double best = std::numeric_limits<double>::infinity();
  for (int round = 0; round < plan.effort.rounds; ++round) {
    const double seconds = seconds_of([&] {
      for (std::size_t i = 0; i < calls; ++i) (void)workload.run(kernel);
    });
    best = std::min(best, seconds / static_cast<double>(calls));
  }
  return best;
}

}  // namespace

Section kernel_section(const Plan& plan) {
  Section section{
      "The dense kernel alone",
      fmt::format("mix over {} terms; 8 bytes loaded and {:.1f} stored per multiply-add.",
                  kTerms,
                  8.0 / kTerms),
      {"kernel", "window", "working set", "multiply-adds per second", "loads"},
      {},
      {}};
  for (const std::size_t width : {64u, 512u, 8192u, 262144u}) {
    Workload workload(width);
    double reference_seconds = 0;
    double best_seconds = 0;
    for (const Kernel& kernel : kernels()) {
      if (!kernel.supported()) continue;
      require_same_bits(workload, kernel);
      const double seconds = seconds_per_call(workload, kernel, plan);
      if (reference_seconds == 0) reference_seconds = seconds;
      best_seconds = seconds;
      const double per_second = workload.multiply_adds() / seconds;
      section.rows.push_back({std::string(kernel.name),
                              std::uint64_t{width},
                              Quantity{workload.bytes(), "B"},
                              Quantity{per_second, "/s"},
                              Quantity{8 * per_second, "B/s"}});
    }
    section.ratios.push_back({fmt::format("window {}: reference / best kernel", width),
                              reference_seconds / best_seconds,
                              Ratio::Bound::none,
                              0});
  }
  return section;
}

}  // namespace quantiplan::bench
