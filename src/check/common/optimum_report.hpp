// Words what a claim says of all policies, once the greatest probability of any is known.
#pragma once

#include <string>

#include "check/common/check_limits.hpp"
#include "check/common/counted_claim.hpp"
#include "check/common/findings.hpp"

namespace quantiplan::checking {

class OptimumReport {
 public:
  OptimumReport(const CountedClaim& claim, Findings& findings)
      : claim_(claim), findings_(findings) {}

  // The greatest P(beyond) lies within these bounds. False if they leave the claim open; then
  // nothing is said.
  bool report(const Bounds& greatest);
  // The same where only one end was computed; `how` says in what way, in brackets.
  void confirm(const Bounds& at_most, const std::string& how);
  void refute(const Bounds& at_least, const std::string& how);
  // Nothing is said of other policies, and why: a limit was met, or there were too many places, or
  // what was computed leaves it open.
  void leave_out(CheckLimits& limits, bool left_open);
  void leave_out(const std::string& why);

 private:
  [[nodiscard]] std::string greatest_text() const {
    return "greatest P(" + claim_.beyond.text() + ") of any policy ";
  }
  // Who exceeds the claim, by a bound of the greatest probability that is, or is not, enough.
  [[nodiscard]] std::string sentence(const std::string& who,
                                     const std::string& bound,
                                     const std::string& is_met,
                                     const std::string& how) const;

  const CountedClaim& claim_;
  Findings& findings_;
};

}  // namespace quantiplan::checking
