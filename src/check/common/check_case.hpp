// What is checked, and the two parts of a check: what a claim says of its policy, and of all
// policies; each ends where a limit is met.
#pragma once

#include "check/common/check_limits.hpp"
#include "check/common/counted_claim.hpp"
#include "check/common/findings.hpp"
#include "check/common/optimum_report.hpp"
#include "quantiplan/model.hpp"
#include "quantiplan/policy.hpp"

namespace quantiplan::checking {

struct CheckCase {
  const Model& model;
  const Policy& policy;
  const CountedClaim& claim;
  CheckLimits& limits;
  Findings& findings;

  [[nodiscard]] OptimumReport optimum() const { return {claim, findings}; }
};

// The policy was not followed to its end: there was no time left, or there are too many places.
inline void leave_policy_open(const CheckCase& task) {
  task.findings.leave_open(task.limits.ended(0)
                               ? task.limits.policy_was_not_followed()
                               : "The policy was not followed: too many places can be reached.");
}

template <class ConfirmPolicy, class ConfirmOptimum>
void run_both(const CheckCase& task,
              const ConfirmPolicy& confirm_policy,
              const ConfirmOptimum& confirm_optimum) {
  try {
    confirm_policy(task);
  } catch (const LimitMet&) {
    task.findings.leave_open(task.limits.policy_was_not_followed());
  }
  if (!task.findings.passed()) return;
  try {
    confirm_optimum(task);
  } catch (const LimitMet&) {
    task.optimum().leave_out(task.limits.reason());
  }
}

}  // namespace quantiplan::checking
