// One thing in a policy file changed, by a careless hand or a broken disk, for every thing in it.
#pragma once

#include <string>
#include <vector>

#include "quantiplan/model.hpp"
#include "quantiplan/policy.hpp"

namespace quantiplan::testing {

struct Tampered {
  std::string what;
  Policy policy;  // with its claim
};

// Rules dropped; runs dropped, their actions changed or exchanged, their `upto` moved by a unit (on
// a grid, by 1), their wealths moved to the next run; the target moved and negated.
std::vector<Tampered> tampered_rules(const Model& model,
                                     const Policy& policy,
                                     const Rational& unit);
// Each part of the claim moved, negated or exchanged; the quantile and the upper end by a unit.
std::vector<Tampered> tampered_claims(const Policy& policy, const Rational& unit);

// Can be run on every path: by every place (time, state, residual) up to its end or its cut, and by
// all states that the rules of the cut lead to. `most` places at most are looked at; then it is
// taken to be so. For policies that go by no wealth, and are not stationary.
bool has_rules_everywhere(const Model& model, const Policy& policy, std::size_t most);

// Whoever passes the check can be evaluated and simulated: throws Violation otherwise.
void require_runs(const Model& model, const Policy& policy, const std::string& where);

}  // namespace quantiplan::testing
