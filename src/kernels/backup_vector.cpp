// One body, compiled for several instruction sets. The compiler's vector types are used rather than
// intrinsics: a Pack is 8 doubles, one AVX-512 register, two of AVX2, four of SSE2 or NEON.
//
// Limiting resource: load ports. A block keeps 32 sums in registers while all terms are added, so
// each multiply-add costs one load and no store; adding term by term into memory would cost two
// loads and a store.
#include "backup_vector.hpp"

#include <cstring>

#include "backup_reference.hpp"

namespace quantiplan {
namespace {

// kLanes doubles make one register of the instruction set, kPacks registers hold a block of sums.
// Packs wider than a register are correct but slow: g++ 12 lowers them through memory.
template <std::size_t kLanes, std::size_t kPacks>
struct Block {
  using Pack [[gnu::vector_size(kLanes * sizeof(double))]] = double;
  static constexpr auto kSize = static_cast<std::int64_t>(kLanes * kPacks);

  Pack sums[kPacks] = {};

  [[gnu::always_inline]] void add(double p, const double* values) noexcept {
    for (std::size_t k = 0; k < kPacks; ++k) {
      Pack pack;
      std::memcpy(&pack, values + k * kLanes, sizeof pack);
      sums[k] += p * pack;
    }
  }
  [[gnu::always_inline]] void add(double product) noexcept {
    for (std::size_t k = 0; k < kPacks; ++k) sums[k] += product;
  }
  // A block that meets an edge of the child's window: spell its values out first.
  [[gnu::always_inline]] void add_edge(const MixTerm& term, std::int64_t j) noexcept {
    double spelt[kLanes * kPacks];
    for (std::int64_t i = 0; i < kSize; ++i) {
      const std::int64_t at = j + i;
      spelt[i] = at < 0 ? term.below : at < term.width ? term.values[at] : term.above;
    }
    add(term.probability, spelt);
  }
};

#define QUANTIPLAN_INLINE [[gnu::always_inline]] inline

template <class B>
QUANTIPLAN_INLINE void mix_block(std::span<const MixTerm> terms,
                                 std::int64_t first,
                                 double* out) noexcept {
  B block;
  for (const MixTerm& term : terms) {
    const std::int64_t j = first + term.shift;
    if (j >= 0 && j + B::kSize <= term.width) {
      block.add(term.probability, term.values + j);
    } else if (j + B::kSize <= 0) {
      block.add(term.probability * term.below);
    } else if (j < term.width) {
      block.add_edge(term, j);
    } else if (term.above != 0) {
      block.add(term.probability * term.above);
    }
  }
  std::memcpy(out, block.sums, sizeof block.sums);
}

template <class B>
QUANTIPLAN_INLINE void mix_body(std::span<const MixTerm> terms,
                                std::int64_t first,
                                std::span<double> out) noexcept {
  const auto size = static_cast<std::int64_t>(out.size());
  std::int64_t i = 0;
  for (; i + B::kSize <= size; i += B::kSize) mix_block<B>(terms, first + i, out.data() + i);
  mix_reference(terms, first + i, out.subspan(static_cast<std::size_t>(i)));
}

QUANTIPLAN_INLINE void improve_body(const double* __restrict candidate,
                                    double mark,
                                    double* __restrict best,
                                    double* __restrict second,
                                    double* __restrict chosen,
                                    std::size_t size) noexcept {
  for (std::size_t i = 0; i < size; ++i) {
    const double c = candidate[i];
    const double b = best[i];
    const bool better = c > b;
    const double loser = better ? b : c;
    second[i] = second[i] > loser ? second[i] : loser;
    best[i] = better ? c : b;
    chosen[i] = better ? mark : chosen[i];
  }
}

QUANTIPLAN_INLINE void add_scaled_body(double factor,
                                       const double* __restrict values,
                                       double* __restrict out,
                                       std::size_t size) noexcept {
  for (std::size_t i = 0; i < size; ++i) out[i] += factor * values[i];
}

// NOLINTBEGIN(bugprone-macro-parentheses): an attribute and a type cannot stand in parentheses.
#define QUANTIPLAN_KERNEL(suffix, block, attribute)                                           \
  attribute void mix_##suffix(                                                                \
      std::span<const MixTerm> terms, std::int64_t first, std::span<double> out) noexcept {   \
    mix_body<block>(terms, first, out);                                                       \
  }                                                                                           \
  attribute void improve_##suffix(std::span<const double> candidate,                          \
                                  double mark,                                                \
                                  std::span<double> best,                                     \
                                  std::span<double> second,                                   \
                                  std::span<double> chosen) noexcept {                        \
    improve_body(                                                                             \
        candidate.data(), mark, best.data(), second.data(), chosen.data(), candidate.size()); \
  }                                                                                           \
  attribute void add_scaled_##suffix(                                                         \
      double factor, std::span<const double> values, std::span<double> out) noexcept {        \
    add_scaled_body(factor, values.data(), out.data(), out.size());                           \
  }
// NOLINTEND(bugprone-macro-parentheses)

using Sse2Block = Block<2, 8>;
using Avx2Block = Block<4, 8>;
using Avx512Block = Block<8, 4>;

QUANTIPLAN_KERNEL(baseline, Sse2Block, )
#if defined(__x86_64__)
QUANTIPLAN_KERNEL(avx2, Avx2Block, [[gnu::target("avx2")]])
QUANTIPLAN_KERNEL(avx512, Avx512Block, [[gnu::target("avx512f")]])
bool has_avx2() noexcept { return __builtin_cpu_supports("avx2") != 0; }
bool has_avx512() noexcept { return __builtin_cpu_supports("avx512f") != 0; }
#endif
bool always() noexcept { return true; }

}  // namespace

const Kernel kVectorBaseline{"vector", always, mix_baseline, improve_baseline, add_scaled_baseline};
#if defined(__x86_64__)
const Kernel kVectorAvx2{"vector-avx2", has_avx2, mix_avx2, improve_avx2, add_scaled_avx2};
const Kernel kVectorAvx512{
    "vector-avx512", has_avx512, mix_avx512, improve_avx512, add_scaled_avx512};
#endif

}  // namespace quantiplan
