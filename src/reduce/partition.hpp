// The coarsest partition of the states that can be met into blocks of states that behave alike:
// exact probabilistic bisimulation.
//
//     s ~ t   both ends of one kind, or: each choice of s has one of t with the same
//             P(B, r) = sum of the probabilities of outcomes with reward r into block B,
//             for all blocks B and rewards r, and the other way round
//
// Whatever a policy makes of s, one makes of t: blocks have the same curves, so the model of blocks
// (quotient.hpp) has the same answers. Choices of one state with the same P count as one.
//
// Blocks are split by signatures, the sorted lists of (B, r, P), which are compared exactly; hashes
// only say which to compare. When a block splits, its
// greatest part keeps its name and predecessors of the others are looked at again: O(m log n)
// entries of signatures, m outcomes, n states [JW]. Signatures of a block's states are independent: where
// there are thousands, all threads compute them. Memory: 28 bytes an outcome, 64 a state.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <unordered_map>
#include <vector>

#include "infinite/levels/moves.hpp"
#include "numbers/interner.hpp"

namespace quantiplan {

// Sums of probabilities as whole numbers that are equal where they are.
//
// Where all probabilities of the model are multiples of one 1/D, D at most 2^62, they are the
// multiples, and are added. Elsewhere they are ids of distinct rationals, and sums of two are looked
// up.
// Only what comes from the same object can be compared.
class ProbabilitySums {
 public:
  explicit ProbabilitySums(const Moves& moves);
  [[nodiscard]] Number number(std::uint64_t whole) const;
  [[nodiscard]] std::uint64_t whole(NumberId probability) const {
    return multiple_.empty() ? index(probability) : multiple_[index(probability)];
  }
  // Whether any number of threads may add at once.
  [[nodiscard]] bool are_independent() const noexcept { return !multiple_.empty(); }
  // Of two that come from one choice.
  std::uint64_t sum(std::uint64_t a, std::uint64_t b) {
    return multiple_.empty() ? sum_of_ids(a, b) : a + b;
  }

 private:
  std::uint64_t sum_of_ids(std::uint64_t a, std::uint64_t b);

  const NumberTable& numbers_;
  Integer common_ = 1;                   // D
  std::vector<std::uint64_t> multiple_;  // by id, of 1/D; empty: there is no such D
  NumberInterner values_;                // the numbers of the table, under their ids, and sums
  std::unordered_map<std::uint64_t, std::uint32_t> known_;  // by a pair of ids
};

// The distinct choices of a state, as a partition sees them, in an order that depends on nothing
// but what they do.
class Signatures {
 public:
  struct Entry {
    std::uint64_t block_and_reward;
    std::uint64_t probability;
    friend bool operator==(const Entry&, const Entry&) = default;
  };
  struct OfChoice {
    std::uint64_t hash;
    std::uint32_t begin;  // among the entries
    std::uint32_t end;
    std::uint32_t choice;  // of the graph: the first with this signature
  };

  Signatures(const Moves& moves, ProbabilitySums& sums) : moves_(moves), sums_(sums) {}
  // Replaces what was computed before.
  void compute(std::uint32_t slot, const std::vector<std::uint32_t>& block_of);
  [[nodiscard]] std::span<const OfChoice> choices() const { return choices_; }
  [[nodiscard]] std::span<const Entry> entries(const OfChoice& of) const {
    return std::span<const Entry>(entries_).subspan(of.begin, of.end - of.begin);
  }
  // Of each choice of the state, in the order of the graph, the position among choices().
  [[nodiscard]] const std::vector<std::uint32_t>& class_of() const { return class_of_; }

 private:
  void add_few(std::uint32_t choice, const std::vector<std::uint32_t>& block_of);
  void add_many(std::uint32_t choice, const std::vector<std::uint32_t>& block_of);
  void sort_choices(std::uint32_t first);

  const Moves& moves_;
  ProbabilitySums& sums_;
  std::vector<Entry> entries_;
  std::vector<OfChoice> choices_;
  std::vector<std::uint32_t> class_of_;
  // Of one choice with many outcomes: 1 + the position of an entry, by a hash of its key.
  std::vector<std::uint32_t> places_;
  std::vector<Entry> room_;
};

// The finaliser of SplitMix64 [SLF].
constexpr std::uint64_t stirred(std::uint64_t x) noexcept {
  x = (x ^ (x >> 30U)) * 0xBF58476D1CE4E5B9U;
  x = (x ^ (x >> 27U)) * 0x94D049BB133111EBU;
  return x ^ (x >> 31U);
}

struct Partition {
  std::vector<std::uint32_t> block_of;  // by slot
  std::uint32_t blocks = 0;
};

// Nullopt if the limits ended it, or if it took more than `most_work` entries of signatures.
std::optional<Partition> coarsest_partition(const Moves& moves,
                                            std::uint64_t most_work,
                                            Limits& limits);

}  // namespace quantiplan
