// A policy followed by the book: the residual target, or the index of the policy's grid, is carried
// step by step, runs are read in order. A third opinion beside evaluate() and check(), for small
// models only.
#pragma once

#include <functional>

#include "oracles/brute_force.hpp"
#include "oracles/plain_model.hpp"
#include "quantiplan/policy.hpp"

namespace quantiplan::testing {

// What the policy does at one reached place.
struct Visit {
  std::uint64_t time = 0;
  std::size_t state = 0;
  Rational residual;
  std::size_t rule = 0;  // position in policy.rules
  std::size_t run = 0;
  std::size_t choice = 0;  // counted within the state
};

// The law of the policy's wealth. Throws std::runtime_error where a rule is missing, or where
// a Run says otherwise than the book. `visit` is called once for
// each (time, state, residual) reached.
Law follow(const PlainModel& plain,
           const Model& model,
           const Policy& policy,
           const std::function<void(const Visit&)>& visit = {});

}  // namespace quantiplan::testing
