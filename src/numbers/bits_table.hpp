// What was made of floats, by their bits.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace quantiplan {

// Models have few distinct ones, as a rule, so those met last are
// kept, each in the slot that its bits are hashed to.
template <class Value>
class BitsTable {
 public:
  template <class Float, class Make>
  const Value& operator()(Float value, const Make& make) {
    std::uint64_t bits = 0;
    if constexpr (sizeof(Float) == 8) {
      bits = std::bit_cast<std::uint64_t>(value);
    } else {
      bits = std::bit_cast<std::uint32_t>(value);
    }
    if (slots_.empty()) slots_.resize(std::size_t{1} << kSlotBits);
    Slot& slot = slots_[(bits * 0x9E3779B97F4A7C15U) >> (64U - kSlotBits)];
    if (!slot.is_taken || slot.bits != bits) slot = {bits, true, make(value)};
    return slot.value;
  }

 private:
  static constexpr unsigned kSlotBits = 12;
  struct Slot {
    std::uint64_t bits = 0;
    bool is_taken = false;
    Value value{};
  };
  std::vector<Slot> slots_;
};

}  // namespace quantiplan
