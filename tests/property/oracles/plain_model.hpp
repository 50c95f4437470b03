// A model the tests can take apart: nested vectors of rationals, independent of the library's
// arrays.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "quantiplan/model.hpp"
#include "quantiplan/number.hpp"

namespace quantiplan::testing {

struct PlainOutcome {
  std::size_t next = 0;
  Rational probability;
  Rational reward;
};

struct PlainChoice {
  std::vector<PlainOutcome> outcomes;
};

struct PlainState {
  std::vector<PlainChoice> choices;  // none: terminal
};

struct PlainModel {
  std::vector<PlainState> states;
  std::uint64_t horizon = 1;  // or kInfiniteHorizon
  Rational discount = 1;
  std::size_t initial = 0;
  std::vector<std::size_t> goal = {};  // ascending; empty: every episode counts
  bool cost = false;                   // wealth is minus the sum of the rewards

  [[nodiscard]] bool is_infinite() const noexcept { return horizon == kInfiniteHorizon; }
  [[nodiscard]] bool is_goal(std::size_t state) const noexcept {
    return std::ranges::binary_search(goal, state);
  }
  // An episode ends at a terminal state, and at a goal.
  [[nodiscard]] bool ends_at(std::size_t state) const noexcept {
    return states[state].choices.empty() || is_goal(state);
  }
  // What an outcome adds to the wealth.
  [[nodiscard]] Rational counted(const PlainOutcome& o) const {
    return cost ? Rational(-o.reward) : o.reward;
  }
};

// States are named s0, s1, ..., actions a0, a1, ... in each state.
std::string state_name(std::size_t i);
std::string action_name(std::size_t i);

// Choices keep their order, so that choice j of state i is model.choices(State{i})[j]. Throws Error
// if it is no valid model.
Model build(const PlainModel& plain);

// The other way round. The model must have a horizon and an initial state.
PlainModel take_apart(const Model& model);

// The greatest number of which all rewards are multiples; 1 if all are 0.
Rational reward_unit(const PlainModel& plain);

// In the native format, written without the library's writer.
std::string json_text(const PlainModel& plain);

}  // namespace quantiplan::testing
