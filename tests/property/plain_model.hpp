// A model the tests can take apart: nested vectors of rationals, independent of the library's
// arrays.
#pragma once

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
  std::uint64_t horizon = 1;
  Rational discount = 1;
  std::size_t initial = 0;
};

// States are named s0, s1, ..., actions a0, a1, ... in each state. Choices keep their order, so
// that choice j of state i is model.choices(State{i})[j]. Throws Error if it is no valid model.
Model build(const PlainModel& plain);

// The other way round. The model must have a horizon and an initial state.
PlainModel take_apart(const Model& model);

// In the native format, written without the library's writer.
std::string json_text(const PlainModel& plain);

}  // namespace quantiplan::testing
