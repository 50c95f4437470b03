// What was found of a class, as a result, a claim and the steps of a curve.
#pragma once

#include <optional>
#include <vector>

#include "class_search.hpp"
#include "quantiplan/answer.hpp"
#include "quantiplan/policy.hpp"
#include "quantiplan/structure.hpp"

namespace quantiplan {

// Quantiles are positions in the classes, from 1.
Result preference_result(const Question& question, const FoundClass& found, Status status);
// A call that ended before the classes were known.
Result unknown_class(const Question& question, Status status);
// Absent where the result is no certain optimum.
std::optional<PolicyClaim> preference_claim(const Result& result, const WealthClasses& classes);
// Where the chance changes, from class to class.
std::vector<FrontierStep> class_steps(const std::vector<Value>& chances, double relative_error);

}  // namespace quantiplan
