// States that are open, expanded by all threads; what comes of them is taken in their order.
//
//     worthwhile -> how many    expand(first, many)    of each: is_plain, then hand_over
//
// Numbers of states, names and notices come from whoever takes, one state after the other, so they do not
// depend on the threads. A state that has more to tell than outcomes (it is a deadlock, it makes no sense, its
// probabilities were normalised) or has very many of them is not plain: it is expanded again when its turn comes.
// Memory: some hundred bytes for each outcome that waits, and it is asked whether there is room.
#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>
#include <thread>
#include <vector>

#include "base/team.hpp"
#include "io/prism/expander.hpp"
#include "io/prism/exploration_watch.hpp"

namespace quantiplan::prism {

class ExpansionTogether {
 public:
  // Threads: 0 for one per core. Both others must outlive it.
  ExpansionTogether(const Expander& expander, const StateSet& states, std::uint32_t threads)
      : first_expander_(expander),
        states_(states),
        threads_(threads != 0 ? threads : std::max(1U, std::thread::hardware_concurrency())) {}

  // How many states, from this one on; 0: it is better expanded by itself.
  [[nodiscard]] std::uint32_t worthwhile(std::uint32_t first,
                                         const Extent& extent,
                                         const ExplorationWatch& watch) const {
    constexpr std::uint32_t kFewStates = 256;
    constexpr std::uint64_t kOutcomes = 32768;
    const std::uint32_t open = states_.size() - first;
    if (threads_ == 1 || open < kFewStates) return 0;
    const std::uint64_t outcomes_each = 1 + extent.outcomes / std::max(1U, first);
    if (outcomes_each > kMostOutcomes / 4 || !watch.has_room(most_bytes())) return 0;
    return static_cast<std::uint32_t>(
        std::min<std::uint64_t>(open, std::max<std::uint64_t>(kOutcomes / outcomes_each, 64)));
  }

  void expand(std::uint32_t first, std::uint32_t count);
  [[nodiscard]] bool is_plain(std::uint32_t state) const { return entry(state).is_plain; }
  [[nodiscard]] std::uint64_t work_of(std::uint32_t state) const { return entry(state).work; }
  // As OutcomeBatch does.
  template <typename Begin, typename Add>
  void hand_over(std::uint32_t state, const Begin& begin, const Add& add) const {
    const Entry& own = entry(state);
    pieces_[(state - first_) / piece_size_].hand_over(own.begin, own.end, begin, add);
  }

 private:
  struct Entry {
    bool is_plain = false;
    std::uint64_t work = 0;
    OutcomeBatch::Mark begin;  // in its piece
    OutcomeBatch::Mark end;
  };
  // Of a piece.
  static constexpr std::size_t kMostOutcomes = 8192;
  static constexpr std::uint64_t kMostWork = 1 << 22;
  static constexpr std::uint32_t kPiecesPerThread = 4;

  [[nodiscard]] const Entry& entry(std::uint32_t state) const { return entries_[state - first_]; }
  [[nodiscard]] std::uint64_t most_bytes() const {
    constexpr std::uint64_t kOutcome = 256;
    return kOutcome * kMostOutcomes * kPiecesPerThread * threads_;
  }
  void expand_piece(Expander& expander, std::size_t piece);

  const Expander& first_expander_;
  const StateSet& states_;
  unsigned threads_;
  std::optional<Team> team_;  // once there is something to do for it
  std::vector<Expander> expanders_;
  std::uint32_t first_ = 0;
  std::uint32_t piece_size_ = 1;
  std::vector<Entry> entries_;
  std::vector<OutcomeBatch> pieces_;
};

}  // namespace quantiplan::prism
