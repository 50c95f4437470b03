// Words what a claim says of its policy, once the policy's probability is known.
#pragma once

#include <optional>

#include "check/common/chance.hpp"
#include "check/common/counted_claim.hpp"
#include "check/common/findings.hpp"

namespace quantiplan::checking {

class ClaimReport {
 public:
  ClaimReport(const CountedClaim& claim, const Tolerance& tolerance, Findings& findings)
      : claim_(claim),
        tolerance_{tolerance.relative, tolerance.absolute + claim.rounding},
        findings_(findings) {}

  // Whether sharper bounds could say no more.
  [[nodiscard]] bool is_settled(const Chance& chance) const;
  // `level_is_met`: P(W' = level) > 0; asked of quantiles that are claimed exactly.
  void report(const Chance& chance, bool level_is_met);
  // The same where the level need not be met.
  void report(const Chance& chance);
  void report_level(bool is_met);

 private:
  [[nodiscard]] Verdict bound_holds(const Bounds& bounds) const;
  [[nodiscard]] Verdict equality_holds(const Bounds& bounds) const;
  void report_demand(const Chance& chance);
  void report_bound(const Bounds& bounds);
  void report_equality(const Bounds& bounds);
  [[nodiscard]] std::string named() const { return "P(" + claim_.own.text() + ") "; }

  const CountedClaim& claim_;
  Tolerance tolerance_;
  Findings& findings_;
};

}  // namespace quantiplan::checking
