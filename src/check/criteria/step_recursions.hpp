// Criteria that go step by step, over (time, state): the value of a policy, or the best of all.
//
//     mean, worst case, nested CVaR   V_t(s) = worth of ( r + gamma V_{t+1}(s') )   in rationals; where the course is cut,
//                                     rounded to doubles, down for a lower and up for an upper bound
//     entropic                        U_t(s) = sum p exp(-beta gamma^t r) U_{t+1}(s')     with directed rounding
//                                     value  = -ln(U) / beta
//
// of the choice that the policy makes, or of the best one. A draw of the initial state is one more mean of the same kind.
// With a goal a choice that may miss it is none, and where none is left there is no value.
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "check/criteria/course.hpp"
#include "check/criteria/exponential_value.hpp"
#include "quantiplan/policy.hpp"

namespace quantiplan::checking {

// Values and their probabilities.
using StepParts = std::vector<std::pair<Rational, Rational>>;
struct MeanOfStep {
  Rational operator()(const StepParts& parts) const;
};
struct LeastOfStep {
  Rational operator()(const StepParts& parts) const;
};
struct WorstShareOfStep {
  const Rational& tau;
  Rational operator()(StepParts& parts) const;
};

// Whose value: of a policy that goes by time and state alone; else of the best policy, or of the worst.
enum class Whose { policy, best, worst };
enum class RoundedTo { exactly, down, up };  // exactly: needs a course that is not cut

// Where the policy has no rule; empty if it has one wherever it comes.
std::string place_without_rule(const Course& course, const Policy& policy);

// Nullopt: the goal may be missed. `policy` counts where it is the policy's value.
template <class Worth>
std::optional<Rational> step_value(
    const Course& course, const Policy& policy, Whose whose, RoundedTo to, const Worth& worth);
// Both bounds of it.
template <class Worth>
std::optional<ValueBounds> step_bounds(const Course& course,
                                       const Policy& policy,
                                       Whose whose,
                                       const Worth& worth) {
  if (!course.is_cut()) {
    auto value = step_value(course, policy, whose, RoundedTo::exactly, worth);
    if (!value) return std::nullopt;
    return ValueBounds::exactly(*value);
  }
  auto lower = step_value(course, policy, whose, RoundedTo::down, worth);
  auto upper = step_value(course, policy, whose, RoundedTo::up, worth);
  if (!lower || !upper) return std::nullopt;
  return ValueBounds{*lower, *upper};
}

// Nullopt: the goal may be missed, or the value is beyond numbers.
std::optional<ValueBounds> entropic_value(const Course& course,
                                          const Policy& policy,
                                          bool best,
                                          const Rational& beta);

}  // namespace quantiplan::checking
