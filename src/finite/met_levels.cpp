#include "finite/met_levels.hpp"

#include <algorithm>
#include <bit>

namespace quantiplan {
namespace {

Interval common(const Interval& a, const Interval& b) {
  return {std::max(a.above, b.above), std::min(a.upto, b.upto)};
}

void join(Interval& all, const Interval& part) {
  if (!part.empty()) all.cover(part.above, part.upto);
}

}  // namespace

std::uint64_t MetLevels::cut(const Word& word, const Interval& part) {
  const std::int64_t first = 64 * word.at;
  std::uint64_t bits = word.bits;
  if (part.upto < first) return 0;
  if (part.upto - first < 63)
    bits &= ~(~std::uint64_t{0} << static_cast<unsigned>(part.upto - first + 1));
  if (part.above < first) return bits;
  if (part.above - first >= 63) return 0;
  return bits & (~std::uint64_t{0} << static_cast<unsigned>(part.above - first + 1));
}

Interval MetLevels::span() const noexcept {
  Interval all = below_;
  join(all, inside_);
  join(all, beyond_);
  return all;
}

std::optional<Interval> MetLevels::words_within(const Interval& part) const {
  // Shifts of negative numbers round down.
  auto word = std::ranges::lower_bound(words_, (part.above + 1) >> 6, {}, &Word::at);
  while (word != words_.end() && cut(*word, part) == 0) ++word;
  if (word == words_.end()) return std::nullopt;
  const std::int64_t least = 64 * word->at + std::countr_zero(cut(*word, part));
  word = std::ranges::upper_bound(words_, part.upto >> 6, {}, &Word::at);
  while (cut(*--word, part) == 0) {
  }
  return Interval{least - 1, 64 * word->at + 63 - std::countl_zero(cut(*word, part))};
}

std::optional<Interval> MetLevels::within(const Interval& part) const {
  Interval all = common(below_, part);
  if (const Interval both = common(inside_, part); !both.empty()) {
    if (!one_by_one_) {
      join(all, both);
    } else if (const auto found = words_within(both)) {
      join(all, *found);
    }
  }
  join(all, common(beyond_, part));
  if (all.empty()) return std::nullopt;
  return all;
}

void MetLevels::add_word(const Word& word, const Window& window) {
  const Interval inside{window.sure, window.possible};
  const std::int64_t first = 64 * word.at;
  const auto span_of = [&](std::uint64_t bits) {
    return Interval{first + std::countr_zero(bits) - 1, first + 63 - std::countl_zero(bits)};
  };
  const std::uint64_t bits = cut(word, inside);
  if (bits != 0) {
    words_.push_back({word.at, bits});
    join(inside_, span_of(bits));
  }
  if (bits == word.bits) return;
  if (const std::uint64_t low = cut(word, {first - 1, window.sure}); low != 0)
    join(below_, span_of(low));
  if (const std::uint64_t high = cut(word, {window.possible, first + 63}); high != 0)
    join(beyond_, span_of(high));
}

void MetLevels::add(std::int64_t level, const Window& window) {
  add_word({level >> 6, std::uint64_t{1} << static_cast<unsigned>(level & 63)}, window);
}

void MetLevels::cover(const Interval& part, const Window& window) {
  if (part.empty()) return;
  join(below_, {part.above, std::min(part.upto, window.sure)});
  join(beyond_, {std::max(part.above, window.possible), part.upto});
  const Interval inside = common(part, {window.sure, window.possible});
  if (inside.empty()) return;
  forget();
  join(inside_, inside);
}

std::size_t MetLevels::add_moved(const MetLevels& from,
                                 const Interval& part,
                                 std::int64_t reward,
                                 unsigned shift,
                                 const Window& window) {
  const std::int64_t factor = std::int64_t{1} << shift;
  const auto cover_moved = [&](const Interval& levels) {
    if (levels.empty()) return;
    cover({(levels.above + 1 - reward) * factor - 1, (levels.upto - reward) * factor}, window);
  };
  cover_moved(common(from.below_, part));
  cover_moved(common(from.beyond_, part));
  const Interval both = common(from.inside_, part);
  if (both.empty()) return 0;
  if (!one_by_one_ || !from.one_by_one_) {
    if (const auto found = from.one_by_one_ ? from.words_within(both) : both) cover_moved(*found);
    return 0;
  }
  const std::size_t before = words_.size();
  auto word = std::ranges::lower_bound(from.words_, (both.above + 1) >> 6, {}, &Word::at);
  for (; word != from.words_.end() && word->at <= (both.upto >> 6); ++word) {
    std::uint64_t bits = cut(*word, both);
    const std::int64_t first = 64 * word->at - reward;
    if (shift == 0) {
      const auto by = static_cast<unsigned>(first & 63);
      if (const std::uint64_t low = bits << by; low != 0) add_word({first >> 6, low}, window);
      const std::uint64_t high = by == 0 ? 0 : bits >> (64 - by);
      if (high != 0) add_word({(first >> 6) + 1, high}, window);
      continue;
    }
    for (; bits != 0; bits &= bits - 1) add((first + std::countr_zero(bits)) * factor, window);
  }
  return words_.size() - before;
}

std::size_t MetLevels::sort() {
  std::ranges::sort(words_, {}, &Word::at);
  std::size_t kept = 0;
  for (const Word& word : words_) {
    if (kept > 0 && words_[kept - 1].at == word.at) {
      words_[kept - 1].bits |= word.bits;
    } else {
      words_[kept++] = word;
    }
  }
  words_.resize(kept);
  return kept;
}

void MetLevels::forget() {
  one_by_one_ = false;
  std::vector<Word>().swap(words_);
}

}  // namespace quantiplan
