// What was found of a class, as a result and as the steps of a curve.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "classes/class_search.hpp"
#include "problem/quantile_problem.hpp"

namespace quantiplan {

FoundQuantile class_found(const Question& question,
                          const FoundClass& found,
                          const std::shared_ptr<const WealthClasses>& classes,
                          Status status);
FrontierQuantile class_quantile(const Result& result);
// A call that ended before the classes were known.
Result unknown_class(const Question& question, Status status);
// Where the chance changes, from class to class.
std::vector<FrontierStep> class_steps(const std::vector<Value>& chances,
                                      const std::shared_ptr<const WealthClasses>& classes,
                                      double relative_error);

// Targets as texts; and where each stands (position_of). Throws Error(bad_request), with the classes
// that exist, for a text that is none of them.
std::vector<std::string> as_levels(const std::vector<Total>& targets);
std::vector<std::size_t> positions_of(const std::vector<std::string>& levels,
                                      const WealthClasses& classes,
                                      const Wealth& declared);

[[noreturn]] void refuse_class_expectation();

}  // namespace quantiplan
