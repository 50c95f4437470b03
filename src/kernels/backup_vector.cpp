// One body, compiled for several instruction sets. The compiler's vector types are used rather than
// intrinsics: a Pack is 8 doubles, one AVX-512 register, two of AVX2, four of SSE2 or NEON.
//
// Limiting resource: load ports. A block keeps 32 sums in registers while all terms are added, so
// each multiply-add costs one load and no store; adding term by term into memory would cost two
// loads and a store.
#include "kernels/backup_vector.hpp"

#include <cstring>
#include <limits>

#include "kernels/backup_reference.hpp"

namespace quantiplan {
namespace {

// kLanes doubles make one register of the instruction set, kPacks registers hold a block of sums.
// Packs wider than a register are correct but slow: g++ 12 lowers them through memory. So are
// arrays of packs that are cleared or copied as a whole: every loop here goes pack by pack (four
// terms in the first-level cache: 54 GB/s became 110 with AVX2; bench, section kernels).
template <std::size_t kLanes, std::size_t kPacks>
struct Block {
  using Pack [[gnu::vector_size(kLanes * sizeof(double))]] = double;
  static constexpr auto kSize = static_cast<std::int64_t>(kLanes * kPacks);
  static constexpr std::size_t kPackCount = kPacks;
  static constexpr std::size_t kLaneCount = kLanes;

  Pack sums[kPacks];

  [[gnu::always_inline]] void fill(double value) noexcept {
    for (std::size_t k = 0; k < kPacks; ++k) sums[k] = Pack{} + value;
  }
  [[gnu::always_inline]] void load(const double* values) noexcept {
    for (std::size_t k = 0; k < kPacks; ++k) {
      Pack pack;
      std::memcpy(&pack, values + k * kLanes, sizeof pack);
      sums[k] = pack;
    }
  }
  [[gnu::always_inline]] void store(double* out) const noexcept {
    for (std::size_t k = 0; k < kPacks; ++k) {
      Pack pack = sums[k];
      std::memcpy(out + k * kLanes, &pack, sizeof pack);
    }
  }
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
  // p times a line, from `steps` away from its edge on. Whole numbers add up exactly.
  [[gnu::always_inline]] void add_line(double p,
                                       double edge,
                                       double slope,
                                       std::int64_t steps) noexcept {
    double numbers[kLanes];
    for (std::size_t i = 0; i < kLanes; ++i) numbers[i] = static_cast<double>(i);
    Pack lane;
    std::memcpy(&lane, numbers, sizeof lane);
    for (std::size_t k = 0; k < kPacks; ++k) {
      const auto first = static_cast<double>(steps + static_cast<std::int64_t>(k * kLanes));
      sums[k] += p * (edge + slope * (lane + first));
    }
  }
};

#define QUANTIPLAN_INLINE [[gnu::always_inline]] inline

// Entries begin .. end - 1 of the result read every child inside its window.
struct Inside {
  std::int64_t begin = 0;
  std::int64_t end = 0;

  Inside(std::span<const MixTerm> terms, std::int64_t first, std::int64_t size) noexcept
      : end(size) {
    for (const MixTerm& term : terms) {
      const std::int64_t j = first + term.shift;
      begin = -j > begin ? -j : begin;
      end = term.width - j < end ? term.width - j : end;
    }
  }
  [[nodiscard]] bool holds(std::int64_t from, std::int64_t size) const noexcept {
    return from >= begin && from + size <= end;
  }
};

// The sum of all terms, and of what it begins with; inside, no questions are asked. A block that meets an edge of a child's
// window has its values spelt out first.
template <class B>
QUANTIPLAN_INLINE void mix_terms(B& block,
                                 double gain,
                                 std::span<const MixTerm> terms,
                                 std::int64_t first,
                                 bool is_inside) noexcept {
  block.fill(gain);
  if (is_inside) {
    for (const MixTerm& term : terms) block.add(term.probability, term.values + first + term.shift);
    return;
  }
  for (const MixTerm& term : terms) {
    const std::int64_t j = first + term.shift;
    if (j >= 0 && j + B::kSize <= term.width) {
      block.add(term.probability, term.values + j);
    } else if (j + B::kSize <= 0) {
      if (term.below_slope == 0)
        block.add(term.probability * term.below);
      else
        block.add_line(term.probability, term.below, term.below_slope, j + 1);
    } else if (j < term.width) {
      double spelt[B::kSize];
      for (std::int64_t i = 0; i < B::kSize; ++i) {
        const std::int64_t at = j + i;
        spelt[i] = at < 0            ? term.below_at(at)
                   : at < term.width ? term.values[at]
                                     : term.above_at(at);
      }
      block.add(term.probability, spelt);
    } else if (term.above_slope != 0) {
      block.add_line(term.probability, term.above, term.above_slope, j - term.width);
    } else if (term.above != 0) {
      block.add(term.probability * term.above);
    }
  }
}

// Whole blocks from `from` on; returns where they end.
template <class B>
QUANTIPLAN_INLINE std::int64_t mix_blocks(std::span<const MixTerm> terms,
                                          std::int64_t first,
                                          const Inside& inside,
                                          std::int64_t from,
                                          std::span<double> out) noexcept {
  const auto size = static_cast<std::int64_t>(out.size());
  for (; from + B::kSize <= size; from += B::kSize) {
    B block;
    mix_terms(block, 0, terms, first + from, inside.holds(from, B::kSize));
    block.store(out.data() + from);
  }
  return from;
}

// What whole blocks leave of an array is the end of a last block, which overlaps the one before: its
// entries are computed again, to the same bits. Returns where the last block begins, or where the rest
// does if all is shorter than a block.
template <class B>
QUANTIPLAN_INLINE std::int64_t last_block(std::int64_t done, std::size_t size) noexcept {
  const std::int64_t last = static_cast<std::int64_t>(size) - B::kSize;
  return last >= 0 && last < done ? last : done;
}

template <class Wide, class Narrow>
QUANTIPLAN_INLINE void mix_body(std::span<const MixTerm> terms,
                                std::int64_t first,
                                std::span<double> out) noexcept {
  const Inside inside(terms, first, static_cast<std::int64_t>(out.size()));
  std::int64_t i = mix_blocks<Wide>(terms, first, inside, 0, out);
  i = mix_blocks<Narrow>(terms, first, inside, i, out);
  if (i < static_cast<std::int64_t>(out.size()))
    i = mix_blocks<Narrow>(terms, first, inside, last_block<Narrow>(i, out.size()), out);
  mix_reference(terms, first + i, out.subspan(static_cast<std::size_t>(i)));
}

// What is known of a block of residuals while choices are compared, in registers.
template <class B>
struct Contestants {
  B best;
  B second;
  B chosen;

  [[gnu::always_inline]] void begin() noexcept {
    best.fill(-std::numeric_limits<double>::infinity());
    second.fill(-std::numeric_limits<double>::infinity());
    chosen.fill(0);
  }
  template <bool kSecond>
  [[gnu::always_inline]] void load(const Best& out, std::int64_t i) noexcept {
    best.load(out.value + i);
    if constexpr (kSecond) second.load(out.second + i);
    if (out.chosen != nullptr) chosen.load(out.chosen + i);
  }
  template <bool kSecond>
  [[gnu::always_inline]] void store(const Best& out, std::int64_t i) const noexcept {
    best.store(out.value + i);
    if constexpr (kSecond) second.store(out.second + i);
    if (out.chosen != nullptr) chosen.store(out.chosen + i);
  }
  template <bool kSecond>
  [[gnu::always_inline]] void compare(const B& block, double mark) noexcept {
    for (std::size_t k = 0; k < B::kPackCount; ++k) {
      const auto value = block.sums[k];
      const auto better = value > best.sums[k];
      if constexpr (kSecond) {
        const auto loser = better ? best.sums[k] : value;
        second.sums[k] = second.sums[k] > loser ? second.sums[k] : loser;
      }
      best.sums[k] = better ? value : best.sums[k];
      chosen.sums[k] = better ? typename B::Pack{} + mark : chosen.sums[k];
    }
  }
};

// Some choices that are compared side by side.
struct Group {
  std::span<const MixTerm> terms;
  std::span<const ChoiceTerms> choices;
  std::size_t terms_before;
  bool is_first;
};

template <class B, bool kSecond>
QUANTIPLAN_INLINE std::int64_t back_up_blocks(const Group& group,
                                              std::int64_t first,
                                              const Inside& inside,
                                              std::int64_t from,
                                              const Best& out) noexcept {
  for (; from + B::kSize <= static_cast<std::int64_t>(out.size); from += B::kSize) {
    const bool is_inside = inside.holds(from, B::kSize);
    Contestants<B> contestants;
    contestants.begin();
    if (!group.is_first) contestants.template load<kSecond>(out, from);
    const MixTerm* begin = group.terms.data();
    for (const ChoiceTerms& choice : group.choices) {
      const MixTerm* end = group.terms.data() + (choice.end - group.terms_before);
      B block;
      mix_terms(block, choice.gain, std::span(begin, end), first + from, is_inside);
      contestants.template compare<kSecond>(block, choice.mark);
      begin = end;
    }
    contestants.template store<kSecond>(out, from);
  }
  return from;
}

// Choices are compared a few at a time, so that no more arrays are read side by side than the
// processor prefetches; between groups the arrays of a tile stay in the first-level cache.
template <class Wide, class Narrow, bool kSecond>
QUANTIPLAN_INLINE std::int64_t back_up_groups(std::span<const MixTerm> terms,
                                              std::span<const ChoiceTerms> choices,
                                              std::int64_t first,
                                              const Best& out) noexcept {
  constexpr std::size_t kMostTerms = 16;
  std::size_t begin = 0;
  std::int64_t done = 0;
  for (std::size_t at = 0; at < choices.size();) {
    std::size_t end = at + 1;
    while (end < choices.size() && choices[end].end - begin <= kMostTerms) ++end;
    const Group group{terms.subspan(begin, choices[end - 1].end - begin),
                      choices.subspan(at, end - at),
                      begin,
                      at == 0};
    const Inside inside(group.terms, first, static_cast<std::int64_t>(out.size));
    done = back_up_blocks<Wide, kSecond>(group, first, inside, 0, out);
    done = back_up_blocks<Narrow, kSecond>(group, first, inside, done, out);
    begin = choices[end - 1].end;
    at = end;
  }
  return done;
}

QUANTIPLAN_INLINE Best rest_of(const Best& out, std::int64_t from) noexcept {
  return {out.size - static_cast<std::size_t>(from),
          out.value + from,
          out.second == nullptr ? nullptr : out.second + from,
          out.chosen == nullptr ? nullptr : out.chosen + from};
}

template <class Wide, class Narrow>
QUANTIPLAN_INLINE void back_up_body(std::span<const MixTerm> terms,
                                    std::span<const ChoiceTerms> choices,
                                    std::int64_t first,
                                    const Best& out) noexcept {
  std::int64_t done = 0;
  for (std::int64_t from = 0;;) {
    const Best part = rest_of(out, from);
    done = from + (out.second != nullptr
                       ? back_up_groups<Wide, Narrow, true>(terms, choices, first + from, part)
                       : back_up_groups<Wide, Narrow, false>(terms, choices, first + from, part));
    from = last_block<Narrow>(done, out.size);
    if (from == done || done == static_cast<std::int64_t>(out.size)) break;
  }
  back_up_reference(terms, choices, first + done, rest_of(out, done));
}

QUANTIPLAN_INLINE void add_scaled_body(double factor,
                                       const double* __restrict values,
                                       double* __restrict out,
                                       std::size_t size) noexcept {
  for (std::size_t i = 0; i < size; ++i) out[i] += factor * values[i];
}

// NOLINTBEGIN(bugprone-macro-parentheses): an attribute and a type cannot stand in parentheses.
#define QUANTIPLAN_KERNEL(suffix, wide, medium, narrow, attribute)                          \
  attribute void mix_##suffix(                                                              \
      std::span<const MixTerm> terms, std::int64_t first, std::span<double> out) noexcept { \
    mix_body<wide, narrow>(terms, first, out);                                              \
  }                                                                                         \
  attribute void back_up_##suffix(std::span<const MixTerm> terms,                           \
                                  std::span<const ChoiceTerms> choices,                     \
                                  std::int64_t first,                                       \
                                  const Best& out) noexcept {                               \
    back_up_body<medium, narrow>(terms, choices, first, out);                               \
  }                                                                                         \
  attribute void add_scaled_##suffix(                                                       \
      double factor, std::span<const double> values, std::span<double> out) noexcept {      \
    add_scaled_body(factor, values.data(), out.data(), out.size());                         \
  }
// NOLINTEND(bugprone-macro-parentheses)

// Wide blocks spread the cost of a term (its fields, the broadcast of p) and of cache lines met
// twice. A backup holds three or four numbers for each residual: smaller blocks. Narrow ones finish
// what is left of a tile.
using Sse2Wide = Block<2, 8>;
using Sse2Medium = Block<2, 4>;
using Sse2Narrow = Block<2, 2>;
using Avx2Wide = Block<4, 8>;
using Avx2Medium = Block<4, 4>;
using Avx2Narrow = Block<4, 1>;
using Avx512Wide = Block<8, 8>;
using Avx512Medium = Block<8, 4>;
using Avx512Narrow = Block<8, 1>;

QUANTIPLAN_KERNEL(baseline, Sse2Wide, Sse2Medium, Sse2Narrow, )
#if defined(__x86_64__)
QUANTIPLAN_KERNEL(avx2, Avx2Wide, Avx2Medium, Avx2Narrow, [[gnu::target("avx2")]])
QUANTIPLAN_KERNEL(avx512, Avx512Wide, Avx512Medium, Avx512Narrow, [[gnu::target("avx512f")]])
bool has_avx2() noexcept { return __builtin_cpu_supports("avx2") != 0; }
bool has_avx512() noexcept { return __builtin_cpu_supports("avx512f") != 0; }
#endif
bool always() noexcept { return true; }

}  // namespace

const Kernel kVectorBaseline{"vector", always, mix_baseline, back_up_baseline, add_scaled_baseline};
#if defined(__x86_64__)
const Kernel kVectorAvx2{"vector-avx2", has_avx2, mix_avx2, back_up_avx2, add_scaled_avx2};
const Kernel kVectorAvx512{
    "vector-avx512", has_avx512, mix_avx512, back_up_avx512, add_scaled_avx512};
#endif

}  // namespace quantiplan
