// The inner loop alone against the hardware: multiply-adds per second of `mix` at each level of the
// memory hierarchy, beside what that level's load bandwidth allows.
//
//     one multiply-add: one load of 8 bytes (probability and sum stay in registers), and 8/terms
//     bytes stored, which always go to the first-level cache: the pass works in tiles of residuals
//     roof = load bandwidth / 8, measured in the same run (load_bandwidth.hpp)
//
// Rows are read at offsets of their own, as rewards shift them, and only inside their windows, so
// that every multiply-add counted is a load.
#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <limits>
#include <span>
#include <vector>

#include "agreement.hpp"
#include "domains/seeded.hpp"
#include "kernels/backup.hpp"
#include "load_bandwidth.hpp"
#include "sections.hpp"

namespace quantiplan::bench {
namespace {

constexpr std::size_t kTile = 512;  // as in the dense pass
constexpr std::size_t kMostShift = 32;

// Both sides of the ratio are the best of many short runs: what the machine can do, not what it was
// doing besides.
int rounds(const Plan& plan) { return plan.quick ? 1 : 15; }

// `terms` rows that together fill `bytes`, mixed tile by tile.
class Workload {
 public:
  Workload(std::size_t bytes, std::size_t terms)
      : width_(odd_lines(bytes / sizeof(double) / terms)), values_(terms * width_) {
    Seeded random(bytes);
    for (double& value : values_) {
      value = static_cast<double>(random.below(1'000'000)) / 1'000'000.0;
    }
    for (std::size_t k = 0; k < terms; ++k) {
      terms_.push_back({1.0 / static_cast<double>(terms),
                        values_.data() + k * width_,
                        static_cast<std::int64_t>(random.below(kMostShift)),
                        static_cast<std::int64_t>(width_)});
    }
  }

  // The kernel's work for one pass over all rows; `see` is given each tile.
  template <class See>
  void run(const Kernel& kernel, const See& see) {
    for (std::size_t first = 0; first < entries(); first += kTile) {
      const std::span<double> tile(tile_, std::min(kTile, entries() - first));
      kernel.mix(terms_, static_cast<std::int64_t>(first), tile);
      see(tile);
    }
  }
  [[nodiscard]] double multiply_adds() const {
    return static_cast<double>(terms_.size() * entries());
  }

 private:
  // Rows a power of two apart would fall into the same sets of a cache; the pass's rows, one after
  // another and of various widths, do not.
  static std::size_t odd_lines(std::size_t width) { return width / 16 * 16 - 8; }
  [[nodiscard]] std::size_t entries() const { return width_ - kMostShift; }

  std::size_t width_;
  std::vector<double> values_;
  std::vector<MixTerm> terms_;
  double tile_[kTile] = {};
};

// Every kernel must give the reference's bits.
void require_same_bits(Workload& workload, const Kernel& kernel) {
  std::vector<std::uint64_t> expected;
  const auto bits = [](double value) { return std::bit_cast<std::uint64_t>(value); };
  workload.run(kernels().front(), [&](std::span<const double> tile) {
    std::ranges::transform(tile, std::back_inserter(expected), bits);
  });
  auto next = expected.begin();
  workload.run(kernel, [&](std::span<const double> tile) {
    for (const double value : tile) {
      if (bits(value) == *next++) continue;
      throw Disagreement(fmt::format("kernel {}: bits differ from the reference", kernel.name));
    }
  });
}

double multiply_adds_per_second(Workload& workload, const Kernel& kernel, const Plan& plan) {
  const double wanted = plan.quick ? 1e6 : 4e7;
  const auto calls = static_cast<std::size_t>(wanted / workload.multiply_adds()) + 1;
  double best = std::numeric_limits<double>::infinity();
  for (int round = 0; round < rounds(plan); ++round) {
    const double seconds = seconds_of([&] {
      for (std::size_t i = 0; i < calls; ++i) workload.run(kernel, [](std::span<const double>) {});
    });
    best = std::min(best, seconds);
  }
  return static_cast<double>(calls) * workload.multiply_adds() / best;
}

}  // namespace

Section kernel_section(const Plan& plan) {
  Section section{"The kernel against the hardware",
                  "Multiply-adds of mix, one load of 8 bytes each, against the load bandwidth of "
                  "the level of memory that the rows lie in.",
                  {"rows lie in",
                   "working set",
                   "load bandwidth",
                   "terms",
                   "kernel",
                   "multiply-adds per second",
                   "of the roof"},
                  {},
                  {}};
  const Kernel* best = find_kernel("auto");
  for (const MemoryLevel& level : kMemoryLevels) {
    const double bandwidth =
        load_bytes_per_second(level.bytes, rounds(plan), plan.quick ? 1e-3 : 0.01);
    for (const std::size_t terms : {3u, 12u}) {
      Workload workload(level.bytes, terms);
      for (const Kernel& kernel : kernels()) {
        if (!kernel.supported()) continue;
        require_same_bits(workload, kernel);
        const double per_second = multiply_adds_per_second(workload, kernel, plan);
        const double fraction = per_second * sizeof(double) / bandwidth;
        section.rows.push_back({std::string(level.name),
                                Quantity{static_cast<double>(level.bytes), "B"},
                                Quantity{bandwidth, "B/s"},
                                std::uint64_t{terms},
                                std::string(kernel.name),
                                Quantity{per_second, "/s"},
                                fmt::format("{:.2f}", fraction)});
        if (kernel.name != best->name) continue;
        section.ratios.push_back(
            {fmt::format("{}, {} terms: {} / roof", level.name, terms, kernel.name),
             fraction,
             Ratio::Bound::at_least,
             0.5});
      }
    }
  }
  return section;
}

}  // namespace quantiplan::bench
