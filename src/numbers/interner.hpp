// Gives equal numbers, and equal names, one id: the model stores 4 bytes where they are used.
//
// Hash tables with open addressing; ids are 0, 1, 2, ... in the order of first appearance. Cost:
// O(1) expected per call; at most 24 bytes a number and its length + 8 a name, plus 16 for the
// table. Throws Error(refused) past 2^32 - 2 distinct values.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string_view>
#include <vector>

#include "numbers/fraction.hpp"
#include "quantiplan/model.hpp"
#include "quantiplan/number.hpp"

namespace quantiplan {

// Slots of (hash, id), grown by doubling. `equal(id)` says whether that id is the value looked for.
class IdSlots {
 public:
  static constexpr std::uint32_t kNone = 0xFFFFFFFF;

  template <typename Equal>
  [[nodiscard]] std::uint32_t find(std::uint64_t hash, const Equal& equal) const {
    if (slots_.empty()) return kNone;
    const std::size_t mask = slots_.size() - 1;
    const auto tag = static_cast<std::uint32_t>(hash >> 32U);
    for (std::size_t i = hash & mask;; i = (i + 1) & mask) {
      const Slot& slot = slots_[i];
      if (slot.id == kNone) return kNone;
      if (slot.tag == tag && equal(slot.id)) return slot.id;
    }
  }
  // `id` must be the number of ids inserted so far; `hash_of(id)` is called when the table grows.
  template <typename HashOf>
  void insert(std::uint64_t hash, std::uint32_t id, const HashOf& hash_of) {
    if ((std::size_t{id} + 1) * 2 > slots_.size()) {
      slots_.assign(slots_.empty() ? 64 : slots_.size() * 2, Slot{});
      for (std::uint32_t old = 0; old < id; ++old) place(hash_of(old), old);
    }
    place(hash, id);
  }
  // Tells the processor where a search for this hash will look.
  void prefetch(std::uint64_t hash) const noexcept {
    if (!slots_.empty()) __builtin_prefetch(&slots_[hash & (slots_.size() - 1)]);
  }
  // The id that a search for this hash looks at first, if there is one.
  [[nodiscard]] std::uint32_t first_id(std::uint64_t hash) const noexcept {
    return slots_.empty() ? kNone : slots_[hash & (slots_.size() - 1)].id;
  }
  // What the insertion of `id` takes at once: a table of twice the size, where this one is full.
  [[nodiscard]] std::uint64_t bytes_of_growth(std::uint32_t id) const noexcept {
    return (std::size_t{id} + 1) * 2 > slots_.size() ? slots_.size() * 2 * sizeof(Slot) : 0;
  }

 private:
  struct Slot {
    std::uint32_t tag = 0;
    std::uint32_t id = kNone;
  };
  void place(std::uint64_t hash, std::uint32_t id) {
    const std::size_t mask = slots_.size() - 1;
    std::size_t i = hash & mask;
    while (slots_[i].id != kNone) i = (i + 1) & mask;
    slots_[i] = {static_cast<std::uint32_t>(hash >> 32U), id};
  }
  std::vector<Slot> slots_;
};

class NumberInterner {
 public:
  NumberId intern(const Number& value);
  // Of a reduced fraction.
  NumberId intern(const Fraction& value);
  // The same with the hash at hand, as whoever interns many at a time has it.
  [[nodiscard]] static std::uint64_t hash_of(const Fraction& value) noexcept;
  [[nodiscard]] static std::uint64_t hash_of(const LongFraction& value) noexcept;
  NumberId intern(const Fraction& value, std::uint64_t hash);
  // Needs a part beyond 63 bits.
  NumberId intern(const LongFraction& value, std::uint64_t hash);
  void prefetch(std::uint64_t hash) const noexcept { slots_.prefetch(hash); }
  [[nodiscard]] std::size_t size() const noexcept { return table_.size(); }
  [[nodiscard]] Number number(NumberId id) const;
  // What a new number takes at once, where tables are full.
  [[nodiscard]] std::uint64_t bytes_of_growth() const noexcept;
  // The table, with the nearest doubles filled in; the interner is empty afterwards.
  [[nodiscard]] NumberTable take();
  // A table of these numbers as they stand, equal ones apart: number i has id i.
  [[nodiscard]] static NumberTable listed(const std::vector<Number>& numbers);
  // The number at a position of a table.
  [[nodiscard]] static Rational rational(const NumberTable& table, std::uint32_t id);

 private:
  static constexpr std::int64_t kWide = 0;  // denominators of small_ that say where the value is
  static constexpr std::int64_t kLong = -1;

  static NumberTable::Long packed(const LongFraction& value) noexcept;
  static LongFraction unpacked(const NumberTable::Long& value) noexcept;
  [[nodiscard]] static Fraction place(NumberTable& table, const Number& value);
  static void complete(NumberTable& table);
  [[nodiscard]] std::uint64_t hash_of(std::uint32_t id) const;
  void append(std::uint64_t hash, const Fraction& entry);

  NumberTable table_;
  IdSlots slots_;
};

class NameInterner {
 public:
  // Names are those of a source from now on, and nothing is interned.
  void use(std::shared_ptr<const NameSource> source) { table_.source_ = std::move(source); }
  // Needs no source, or a name that it has.
  std::uint32_t intern(std::string_view name);
  [[nodiscard]] std::optional<std::uint32_t> find(std::string_view name) const;
  [[nodiscard]] std::size_t size() const noexcept { return table_.size(); }
  [[nodiscard]] std::string_view operator[](std::size_t id) const { return table_[id]; }
  // What a new name of this length takes at once, where tables are full: each is copied.
  [[nodiscard]] std::uint64_t bytes_of_growth(std::size_t length) const noexcept;
  // The table, ready for binary search; the interner is empty afterwards.
  [[nodiscard]] NameTable take();

 private:
  NameTable table_;
  IdSlots slots_;
};

}  // namespace quantiplan
