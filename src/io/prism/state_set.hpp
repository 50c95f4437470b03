// States met so far: packed into bits, hashed, numbered 0, 1, 2, ... in the order of meeting.
//
//     x : [0..5], y : [3..3], b : bool      bits of a word   ....bxxx   (y needs none)
//
// A variable lies within one 64-bit word. Cost: 8 bytes a word, and 16 to 32 for the hash table, a
// state; one hash and, nearly always, one comparison a lookup.
#pragma once

#include <bit>
#include <cstdint>
#include <limits>
#include <optional>
#include <vector>

#include "io/prism/prism_machine.hpp"
#include "numbers/interner.hpp"

namespace quantiplan::prism {

class StateSet {
 public:
  explicit StateSet(const std::vector<MachineVariable>& variables) {
    std::uint32_t used = 0;
    for (const MachineVariable& v : variables) {
      const auto span = static_cast<std::uint64_t>(v.high) - static_cast<std::uint64_t>(v.low);
      const auto bits = static_cast<std::uint32_t>(std::bit_width(span));
      if (used + bits > 64) {
        ++words_;
        used = 0;
      }
      fields_.push_back({v.low, words_ - 1, bits == 0 ? 0 : used, mask(bits)});
      used += bits;
    }
    packed_.resize(words_);
  }

  [[nodiscard]] std::uint32_t size() const noexcept { return count_; }
  // The number of a state; that of a new one is the size before.
  std::uint32_t insert(const std::int64_t* values) {
    pack(values, packed_);
    return insert(packed_.data(), hash(packed_.data()));
  }
  // The same of packed words, which are none of the set's own, and their hash.
  std::uint32_t insert(const std::uint64_t* packed, std::uint64_t h) {
    const std::uint32_t found =
        slots_.find(h, [&](std::uint32_t id) { return is_equal(id, packed); });
    if (found != IdSlots::kNone) return found;
    const std::uint32_t id = count_++;
    states_.insert(states_.end(), packed, packed + words_);
    slots_.insert(h, id, [&](std::uint32_t old) { return hash(&states_[old * words_]); });
    return id;
  }
  // Finalizer of Stafford's "mix 13" over each word: neighbouring states spread over the table.
  [[nodiscard]] std::uint64_t hash(const std::uint64_t* words) const {
    std::uint64_t h = 0x9E3779B97F4A7C15U;
    for (std::size_t w = 0; w < words_; ++w) {
      h += words[w];
      h = (h ^ h >> 30U) * 0xBF58476D1CE4E5B9U;
      h = (h ^ h >> 27U) * 0x94D049BB133111EBU;
      h ^= h >> 31U;
    }
    return h;
  }
  // Tells the processor what a search for this hash will read first; then, what it will read next.
  void prefetch(std::uint64_t h) const noexcept { slots_.prefetch(h); }
  void prefetch_found(std::uint64_t h) const noexcept {
    const std::uint32_t id = slots_.first_id(h);
    if (id != IdSlots::kNone) __builtin_prefetch(&states_[id * words_]);
  }
  // The words of a state, valid until the next insertion, and one of its values changed in a copy.
  [[nodiscard]] std::size_t words() const noexcept { return words_; }
  [[nodiscard]] const std::uint64_t* packed(std::uint32_t id) const {
    return &states_[id * words_];
  }
  void put(std::uint64_t* packed, std::size_t variable, std::int64_t value) const {
    const Field& f = fields_[variable];
    packed[f.word] = (packed[f.word] & ~(f.mask << f.shift)) |
                     (static_cast<std::uint64_t>(value) - static_cast<std::uint64_t>(f.low))
                         << f.shift;
  }
  void unpack(std::uint32_t id, std::int64_t* values) const {
    const std::uint64_t* words = &states_[id * words_];
    for (std::size_t v = 0; v < fields_.size(); ++v) {
      const Field& f = fields_[v];
      values[v] = static_cast<std::int64_t>((words[f.word] >> f.shift & f.mask) +
                                            static_cast<std::uint64_t>(f.low));
    }
  }
  // The same without a change: nullopt if it was not met. By a scan, or by the index.
  [[nodiscard]] std::optional<std::uint32_t> find(const std::int64_t* values) const {
    std::vector<std::uint64_t> packed(words_);
    pack(values, packed);
    if (!index_.empty()) {
      const std::uint32_t place = index_[place_of(packed.data())];
      return place == 0 ? std::nullopt : std::optional(place - 1);
    }
    for (std::uint32_t id = 0; id < count_; ++id)
      if (is_equal(id, packed.data())) return id;
    return std::nullopt;
  }
  // For whoever looks for many states of a sealed set: 6 to 12 bytes a state, as long as a few scans.
  void make_index() {
    index_.assign(std::bit_ceil(std::uint64_t{count_} + count_ / 2 + 1), 0);
    for (std::uint32_t id = 0; id < count_; ++id) index_[place_of(packed(id))] = id + 1;
  }
  [[nodiscard]] bool is_sealed() const noexcept { return is_sealed_; }
  // Nothing is inserted any more: the table of hashes is not needed.
  void seal() {
    slots_ = {};
    is_sealed_ = true;
    states_.shrink_to_fit();
  }
  // Of the states and the table of a set of this many; slots are at most half full.
  [[nodiscard]] std::uint64_t bytes() const noexcept {
    if (is_sealed_)
      return states_.capacity() * sizeof(std::uint64_t) + index_.capacity() * sizeof(std::uint32_t);
    return states_.capacity() * sizeof(std::uint64_t) +
           std::bit_ceil(std::uint64_t{count_} * 2 + 64) * 8;
  }

  // What one more state would take at once: the states or their table, copied to twice the size.
  [[nodiscard]] std::uint64_t bytes_of_growth() const noexcept {
    const bool moves = states_.size() + words_ > states_.capacity();
    return (moves ? states_.capacity() * sizeof(std::uint64_t) : 0) +
           slots_.bytes_of_growth(count_);
  }

 private:
  struct Field {
    std::int64_t low;
    std::size_t word;
    std::uint32_t shift;
    std::uint64_t mask;
  };
  static std::uint64_t mask(std::uint32_t bits) {
    return bits == 64 ? std::numeric_limits<std::uint64_t>::max() : (std::uint64_t{1} << bits) - 1;
  }
  void pack(const std::int64_t* values, std::vector<std::uint64_t>& packed) const {
    for (std::uint64_t& word : packed) word = 0;
    for (std::size_t v = 0; v < fields_.size(); ++v) {
      const Field& f = fields_[v];
      packed[f.word] |= (static_cast<std::uint64_t>(values[v]) - static_cast<std::uint64_t>(f.low))
                        << f.shift;
    }
  }
  [[nodiscard]] bool is_equal(std::uint32_t id, const std::uint64_t* packed) const {
    for (std::size_t w = 0; w < words_; ++w)
      if (states_[id * words_ + w] != packed[w]) return false;
    return true;
  }

  // Where the index says which state these words are, or that there is none.
  [[nodiscard]] std::size_t place_of(const std::uint64_t* words) const {
    const std::size_t last = index_.size() - 1;
    std::size_t at = hash(words) & last;
    while (index_[at] != 0 && !is_equal(index_[at] - 1, words)) at = (at + 1) & last;
    return at;
  }

  std::vector<Field> fields_;
  std::size_t words_ = 1;
  std::vector<std::uint64_t> packed_;
  std::vector<std::uint64_t> states_;
  IdSlots slots_;
  std::vector<std::uint32_t> index_;  // by hash, at most two thirds full: 1 + a state, or 0
  std::uint32_t count_ = 0;
  bool is_sealed_ = false;
};

}  // namespace quantiplan::prism
