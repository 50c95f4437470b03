// Words what a claim about a class of final wealths says of its policy, and of all policies.
#pragma once

#include <string>

#include "check/common/chance.hpp"
#include "check/common/findings.hpp"
#include "quantiplan/policy.hpp"
#include "quantiplan/structure.hpp"

namespace quantiplan::checking {

class WealthReport {
 public:
  WealthReport(const Structure& structure,
               const PolicyClaim& claim,
               const Tolerance& tolerance,
               Findings& findings);

  [[nodiscard]] const Demand& demand() const { return demand_; }
  // Whether sharper bounds could say no more.
  [[nodiscard]] bool is_settled(const Chance& chance) const;
  // P(W >= level) of the policy.
  void say_chance(const Chance& chance);
  // P(W = level) of the policy: positive or 0.
  void say_at(bool is_positive);
  // The greatest P(W > level) of any policy. Says nothing, and false, if the bounds leave it open.
  bool say_optimum(const Bounds& greatest);
  void leave_optimum_out(const std::string& why);
  // The claimed class is named by this: 'fine', or a number as it is.
  [[nodiscard]] const std::string& level() const { return level_; }

 private:
  void say_probability(const Bounds& bounds);
  [[nodiscard]] std::string named() const { return "P(W >= " + level_ + ") "; }

  const PolicyClaim& claim_;
  Tolerance tolerance_;
  Findings& findings_;
  Demand demand_;
  std::string level_;
};

}  // namespace quantiplan::checking
