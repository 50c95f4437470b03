#include "load_bandwidth.hpp"

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <memory>
#include <new>

#include "runner.hpp"

namespace quantiplan::bench {
namespace {

constexpr std::size_t kAccumulators = 8;
constexpr std::size_t kWidest = 8;  // doubles in a register

template <std::size_t kLanes>
struct Register {
  using Pack [[gnu::vector_size(kLanes * sizeof(double))]] = double;
};

// Needs a size that is a multiple of kStreams * kAccumulators * kWidest.
template <std::size_t kLanes, std::size_t kStreams>
[[gnu::always_inline]] inline double sum_body(const double* values, std::size_t size) noexcept {
  using Pack = typename Register<kLanes>::Pack;
  constexpr std::size_t kOfStream = kAccumulators / kStreams;
  const std::size_t part = size / kStreams;
  Pack sums[kAccumulators] = {};
  for (std::size_t i = 0; i < part; i += kOfStream * kLanes) {
    for (std::size_t k = 0; k < kAccumulators; ++k) {
      Pack pack;
      std::memcpy(
          &pack, values + (k / kOfStream) * part + i + (k % kOfStream) * kLanes, sizeof pack);
      sums[k] += pack;
    }
  }
  double sum = 0;
  for (std::size_t k = 0; k < kAccumulators; ++k) {
    for (std::size_t lane = 0; lane < kLanes; ++lane) sum += sums[k][lane];
  }
  return sum;
}

struct Loop {
  bool (*supported)() noexcept;
  double (*run)(const double* values, std::size_t size) noexcept;
};

bool always() noexcept { return true; }
[[gnu::noinline]] double sum_2(const double* values, std::size_t size) noexcept {
  return sum_body<2, 1>(values, size);
}
[[gnu::noinline]] double sum_2_by_4(const double* values, std::size_t size) noexcept {
  return sum_body<2, 4>(values, size);
}
#if defined(__x86_64__)
bool has_avx2() noexcept { return __builtin_cpu_supports("avx2") != 0; }
bool has_avx512() noexcept { return __builtin_cpu_supports("avx512f") != 0; }
[[gnu::noinline, gnu::target("avx2")]] double sum_4(const double* values,
                                                    std::size_t size) noexcept {
  return sum_body<4, 1>(values, size);
}
[[gnu::noinline, gnu::target("avx2")]] double sum_4_by_4(const double* values,
                                                         std::size_t size) noexcept {
  return sum_body<4, 4>(values, size);
}
[[gnu::noinline, gnu::target("avx512f")]] double sum_8(const double* values,
                                                       std::size_t size) noexcept {
  return sum_body<8, 1>(values, size);
}
[[gnu::noinline, gnu::target("avx512f")]] double sum_8_by_4(const double* values,
                                                            std::size_t size) noexcept {
  return sum_body<8, 4>(values, size);
}
#endif

constexpr Loop kLoops[] = {
    {always, sum_2},
    {always, sum_2_by_4},
#if defined(__x86_64__)
    {has_avx2, sum_4},
    {has_avx2, sum_4_by_4},
    {has_avx512, sum_8},
    {has_avx512, sum_8_by_4},
#endif
};

// Keeps a value from being optimised away.
void use(double value) noexcept { asm volatile("" : : "x"(value) : "memory"); }

}  // namespace

double load_bytes_per_second(std::size_t working_set_bytes, int rounds, double seconds_each) {
  constexpr std::size_t kStep = 4 * kAccumulators * kWidest;
  constexpr std::align_val_t kLine{64};
  const std::size_t size = std::max(kStep, working_set_bytes / sizeof(double) / kStep * kStep);
  const auto release = [](double* values) { ::operator delete(values, kLine); };
  const std::unique_ptr<double, decltype(release)> values(
      static_cast<double*>(::operator new(size * sizeof(double), kLine)), release);
  std::fill_n(values.get(), size, 0.5);

  double best = 0;
  for (const Loop& loop : kLoops) {
    if (!loop.supported()) continue;
    const auto time_of = [&](std::size_t calls) {
      return seconds_of([&] {
        for (std::size_t i = 0; i < calls; ++i) use(loop.run(values.get(), size));
      });
    };
    const double once = std::max(time_of(1), 1e-8);
    const auto calls = static_cast<std::size_t>(seconds_each / once) + 1;
    for (int round = 0; round < rounds; ++round) {
      const auto bytes = static_cast<double>(calls * size * sizeof(double));
      best = std::max(best, bytes / time_of(calls));
    }
  }
  return best;
}

}  // namespace quantiplan::bench
