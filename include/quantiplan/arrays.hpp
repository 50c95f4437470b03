// Choices and outcomes as flat arrays, as numerical codes have them, for ModelBuilder::add_choices.
//
//     choice c     state[c], actions[action[c]]
//     its outcomes begin[c] .. begin[c + 1]:    next, probability, reward
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <variant>

#include "quantiplan/number.hpp"

namespace quantiplan {

// Floats mean their shortest decimals (Number::from_double).
using NumberArray = std::variant<std::span<const double>,
                                 std::span<const float>,
                                 std::span<const std::int64_t>,
                                 std::span<const Number>>;

struct ChoiceArrays {
  std::span<const std::string> actions;
  std::span<const std::uint32_t> state;   // of each choice: a declared state, by position
  std::span<const std::uint32_t> action;  // of each choice: a position among `actions`
  std::span<const std::int64_t> begin;    // one more than choices, ascending from 0
  std::span<const std::int64_t> next;     // of each outcome: a declared state, by position
  NumberArray probability;                // of each outcome
  NumberArray reward;                     // of each outcome, or a single one of all
};

}  // namespace quantiplan
