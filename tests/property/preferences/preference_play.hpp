// A policy that goes by the wealth so far, played by its rules: (time, state, text of the wealth).
// A second opinion beside evaluate() and check(), for small models only.
#pragma once

#include <cstdint>
#include <string>

#include "oracles/brute_force.hpp"
#include "preferences/preference_model.hpp"
#include "preferences/preference_oracle.hpp"
#include "quantiplan/policy.hpp"

namespace quantiplan::testing {

// The choice, counted within the state. Throws std::runtime_error where there is no rule.
std::size_t chosen(const Model& model,
                   const Policy& policy,
                   std::uint64_t time,
                   std::size_t state,
                   const std::string& wealth);

// The law of the classes, by their positions in the oracle; at a finite horizon.
Law play(const PreferenceModel& preference,
         const PreferenceOracle& oracle,
         const Model& model,
         const Policy& policy);

// Empty if the rules are in order: wealths ascending and each once, only the last run without.
std::string disorder(const Policy& policy);

}  // namespace quantiplan::testing
