// The distribution of a policy's final wealth at a finite horizon, wealth being part of the state.
//
//     P_0(s0, w0) = 1
//     P_{t+1}(s', w o r) += p * P_t(s, w)      for the outcomes of the choice at (t, s, w)
//
// Exact in rationals where that is quick or asked for, else in doubles with a certified error
// (MassWalk). Cost: two hash look-ups for each outcome of each node.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>

#include "base/limits.hpp"
#include "policy/wealth_rules.hpp"
#include "quantiplan/distribution.hpp"
#include "quantiplan/options.hpp"
#include "quantiplan/policy.hpp"
#include "quantiplan/structure.hpp"

namespace quantiplan {

struct WealthProblem {
  const Model& model;
  const std::shared_ptr<Structure>& structure;
  const ResolvedSetting& setting;
  WealthRules& rules;
  Limits& limits;
  std::shared_ptr<const WealthClasses> classes;  // to state positions in; null: those that are met
};

// Rationals that nobody asked for may take about so many nanoseconds.
constexpr double kWealthBudget = 5e8;

// Nullopt if the limits ended it. Throws Error(refused) if the nodes do not fit the memory limit,
// Error(bad_policy) where a rule is missing.
std::optional<Distribution> wealth_forward(const WealthProblem& problem, Arithmetic arithmetic);

}  // namespace quantiplan
