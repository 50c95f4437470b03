// The engines that answer by brackets, and how wide a bracket they are asked for.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "harness/harness.hpp"
#include "harness/random_model.hpp"
#include "quantiplan/options.hpp"

namespace quantiplan::testing {

// Engines that may round wealth or probabilities; automatic among them.
const std::vector<Engine>& rounding_engines();
std::string name_of(Engine engine);

// Greatest minus least return of any policy.
Rational range_of(const Case& c);
// Large, moderate and small against the range, hardly reachable, or none: the default.
std::optional<Rational> some_epsilon(const Case& c, Dice& dice);

// Plenty for these models, and little for the machine that tests them.
constexpr std::uint64_t kMemoryLimit = 256U << 20U;

// One way to run an engine: epsilon, representation, kernel and threads as the dice fall. Dense
// arrays are asked for only where they are small.
struct BracketRun {
  std::string name;
  Options options;
};
BracketRun some_run(const Case& c, Engine engine, Dice& dice);

// All questions at once, or one to three taus that leave out certainty and possibility: an engine
// may not drop any mass where these are asked for.
Query some_query(const Case& c, Dice& dice);

}  // namespace quantiplan::testing
