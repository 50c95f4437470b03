#include "check/criteria/sure_optimum.hpp"

#include <optional>
#include <string>

#include "check/criteria/step_recursions.hpp"

namespace quantiplan::checking {
namespace {

constexpr std::uint64_t kMostExactSteps = 1000;

std::optional<ValueBounds> greatest_least(const Course& course,
                                          const Policy& policy,
                                          const Rational& level) {
  const auto value = [&](RoundedTo to) {
    return step_value(course, policy, Whose::best, to, LeastOfStep{});
  };
  const auto lower = value(RoundedTo::down);
  const auto upper = value(RoundedTo::up);
  if (!lower || !upper) return std::nullopt;
  const bool is_open = *lower <= level && level < *upper;
  if (!is_open || course.is_cut() || course.steps > kMostExactSteps)
    return ValueBounds{*lower, *upper};
  return ValueBounds::exactly(value(RoundedTo::exactly).value());
}

}  // namespace

bool settle_surely(const CheckCase& task) {
  const CountedClaim& claim = task.claim;
  const Demand& demand = claim.beyond_demand;
  const ResolvedSetting& setting = task.policy.setting;
  if (claim.is_threshold || demand.theta != 1 || demand.side != Side::upper ||
      setting.adversarial || !setting.goal.empty() || !claim.beyond.level().is_finite())
    return false;
  const auto course = course_of(task.model, setting, 0, task.limits);
  if (!course) return false;
  const Rational level = claim.beyond.level().value();
  const auto most = greatest_least(*course, task.policy, level);
  if (!most || (most->lower <= level && level < most->upper)) return false;
  task.findings.optimality_was_checked();
  const bool is_more = most->lower > level;
  const std::string sentence = "The greatest worst case of all policies is " +
                               std::string(is_more ? "at least " : "at most ") +
                               level_text(is_more ? most->lower : most->upper) +
                               ", by a recursion over times and states: ";
  if (is_more)
    task.findings.refute(sentence + "more than the claimed " + claim.beyond.user_text() + ".");
  else
    task.findings.say(sentence + "no more than the claimed " + claim.beyond.user_text() + ".");
  return true;
}

}  // namespace quantiplan::checking
