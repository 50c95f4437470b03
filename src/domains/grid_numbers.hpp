// The fractions k/grid as Numbers, each reduced once and then remembered.
//
// A generator asks for the same fractions again and again, up to millions of times; reducing one
// costs a heap-allocated rational, finding it again a look into a hash table.
#pragma once

#include <cstdint>
#include <unordered_map>

#include "quantiplan/number.hpp"

namespace quantiplan {

class GridNumbers {
 public:
  static constexpr std::uint64_t kFinest = 1'000'000'000;

  // Needs 1 <= grid <= kFinest.
  explicit GridNumbers(std::uint64_t grid) : grid_(grid) {}

  // k/grid, for k from 0 to grid. Valid as long as this table is.
  const Number& operator[](std::uint64_t k) {
    const auto [entry, fresh] = known_.try_emplace(k);
    if (fresh) {
      Rational value(static_cast<unsigned long>(k), static_cast<unsigned long>(grid_));
      value.canonicalize();
      entry->second = Number(value);
    }
    return entry->second;
  }

 private:
  std::uint64_t grid_;
  std::unordered_map<std::uint64_t, Number> known_;
};

}  // namespace quantiplan
