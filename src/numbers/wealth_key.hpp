// Wealth as an exact integer: wealth = key * unit, for one unit per problem (see wealth_scale.hpp).
//
// A type of its own, so that a level cannot be mistaken for a state, a time or a count.
#pragma once

#include <compare>
#include <cstdint>

namespace quantiplan {

struct WealthKey {
  std::int64_t value = 0;

  friend constexpr auto operator<=>(WealthKey, WealthKey) noexcept = default;
  friend constexpr WealthKey operator+(WealthKey a, WealthKey b) noexcept {
    return {a.value + b.value};
  }
  friend constexpr WealthKey operator-(WealthKey a, WealthKey b) noexcept {
    return {a.value - b.value};
  }
};

}  // namespace quantiplan
