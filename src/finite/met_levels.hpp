// Which residuals the plays of a policy can meet at one (time, slot).
//
//                 below           window (sure, possible]         beyond
//     ------[=============]------x--x-xx---x----x-x--x-------[==========]------> y
//           least .. greatest         one by one            least .. greatest
//
//     y at t, outcome (s', R)   ->   (y - R) * 2^shift at t + 1
//
// Outside the window a policy need not be told levels apart: they stay there. Sixty-four neighbours
// are a word of bits, and words without any are left out: what is dense takes a sixty-fourth of the
// work of a backup, what is sparse a word for each residual. Where that is too much, all between the
// least and the greatest count as met.
#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "finite/segments.hpp"

namespace quantiplan {

class MetLevels {
 public:
  [[nodiscard]] bool empty() const noexcept { return span().empty(); }
  // From the least to the greatest.
  [[nodiscard]] Interval span() const noexcept;
  // The same of those in a part; nullopt if none is in it.
  [[nodiscard]] std::optional<Interval> within(const Interval& part) const;

  // Calls visit(y) for each in a part of the window, ascending.
  template <class Visit>
  void for_each(const Interval& part, const Visit& visit) const {
    if (!one_by_one_) {
      for (std::int64_t y = std::max(part.above, inside_.above) + 1;
           y <= std::min(part.upto, inside_.upto);
           ++y)
        visit(y);
    }
    for (const Word& word : words_)
      for (std::uint64_t bits = cut(word, part); bits != 0; bits &= bits - 1)
        visit(64 * word.at + std::countr_zero(bits));
  }

  void add(std::int64_t level, const Window& window);
  // All of a part; no longer one by one, unless the part is outside the window.
  void cover(const Interval& part, const Window& window);
  // Those of `from` in a part, moved. Returns how many words that took.
  std::size_t add_moved(const MetLevels& from,
                        const Interval& part,
                        std::int64_t reward,
                        unsigned shift,
                        const Window& window);
  // Before anything is asked. Returns how many words are held.
  std::size_t sort();
  // From one by one to all between the least and the greatest.
  void forget();

 private:
  // Levels 64 * at + i for each bit i that is set.
  struct Word {
    std::int64_t at;
    std::uint64_t bits;
  };
  // What of a word lies in a part.
  static std::uint64_t cut(const Word& word, const Interval& part);
  void add_word(const Word& word, const Window& window);
  [[nodiscard]] std::optional<Interval> words_within(const Interval& part) const;

  Interval below_;
  Interval beyond_;
  Interval inside_;  // of the words, or instead of them
  bool one_by_one_ = true;
  std::vector<Word> words_;
};

}  // namespace quantiplan
