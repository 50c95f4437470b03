// A check has two parts, what a claim says of its policy and of all policies; each ends where a
// limit is met.
#pragma once

#include "check/common/check_limits.hpp"
#include "check/common/findings.hpp"

namespace quantiplan::checking {

// `Check` has confirm_policy(), confirm_optimum() and leave_optimum_out(why).
template <class Check>
void run_both(Check check, CheckLimits& limits, Findings& findings) {
  try {
    check.confirm_policy();
  } catch (const LimitMet&) {
    findings.leave_open(limits.policy_was_not_followed());
  }
  if (!findings.passed()) return;
  try {
    check.confirm_optimum();
  } catch (const LimitMet&) {
    check.leave_optimum_out(limits.reason());
  }
}

}  // namespace quantiplan::checking
