// What is made of the numbers in arrays, one at a time or row by row, before they are interned.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <span>
#include <vector>

#include "numbers/bits_table.hpp"
#include "numbers/float_row.hpp"
#include "numbers/interner.hpp"
#include "quantiplan/arrays.hpp"

namespace quantiplan {

// Numbers by position, one at a time.
class ArrayNumbers {
 public:
  explicit ArrayNumbers(const NumberArray& numbers) : numbers_(numbers) {}
  const Number& operator[](std::size_t i) {
    if (const auto* given = std::get_if<std::span<const Number>>(&numbers_)) return (*given)[i];
    if (const auto* whole = std::get_if<std::span<const std::int64_t>>(&numbers_))
      return last_ = Number((*whole)[i]);
    if (const auto* floats = std::get_if<std::span<const float>>(&numbers_))
      return kept_((*floats)[i], &Number::from_float);
    return kept_(std::get<std::span<const double>>(numbers_)[i], &Number::from_double);
  }

 private:
  const NumberArray& numbers_;
  Number last_;
  BitsTable<Number> kept_;
};

// A reward that is ready to be interned; denominator 0: its parts need more than 63 bits, below 0: it is no
// number.
struct SettledReward {
  Fraction value{0, 0};
  std::uint64_t hash = 0;
};

inline SettledReward settled_small(const Number& reward) {
  const Fraction* small = reward.small();
  return small == nullptr ? SettledReward{}
                          : SettledReward{*small, NumberInterner::hash_of(*small)};
}

// What a worker needs for itself.
struct RowWorker {
  FloatRow row;
  BitsTable<SettledReward> rewards;
  std::vector<std::int64_t> sorted;

  SettledReward reward(const NumberArray& all, std::size_t i) {
    if (const auto* doubles = std::get_if<std::span<const double>>(&all))
      return reward_of((*doubles)[i], &Number::from_double);
    if (const auto* floats = std::get_if<std::span<const float>>(&all))
      return reward_of((*floats)[i], &Number::from_float);
    if (const auto* whole = std::get_if<std::span<const std::int64_t>>(&all))
      return settled_small(Number((*whole)[i]));
    return settled_small(std::get<std::span<const Number>>(all)[i]);
  }
  // Outcomes with the same next state may have to be merged: not here.
  bool are_distinct(std::span<const std::int64_t> next) {
    const auto not_ascending = [](std::int64_t a, std::int64_t b) { return a >= b; };
    if (std::ranges::adjacent_find(next, not_ascending) == next.end()) return true;
    sorted.assign(next.begin(), next.end());
    std::ranges::sort(sorted);
    return std::ranges::adjacent_find(sorted) == sorted.end();
  }

 private:
  template <class Float>
  SettledReward reward_of(Float value, Number (*make)(Float)) {
    if (!std::isfinite(value)) return {{0, -1}, 0};
    return rewards(value, [&](Float given) { return settled_small(make(given)); });
  }
};

struct SettledRow {
  bool is_settled = false;
  UInt128 deviation = 0;  // 0: it summed to 1
  LongFraction sum;
};

}  // namespace quantiplan
