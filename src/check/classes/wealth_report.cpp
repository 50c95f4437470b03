#include "check/classes/wealth_report.hpp"

namespace quantiplan::checking {
namespace {

Interval around(const Bounds& bounds) {
  return {enclose(bounds.low).low, enclose(bounds.high).high};
}

// Numbers speak for themselves, names are quoted.
std::string shown_level(const Structure& structure, const std::string& text) {
  const bool is_number = structure.size() > 0 && structure.number(WealthId{0}).has_value();
  return is_number ? text : "'" + text + "'";
}

}  // namespace

WealthReport::WealthReport(const Structure& structure,
                           const PolicyClaim& claim,
                           const Tolerance& tolerance,
                           Findings& findings)
    : claim_(claim),
      tolerance_(tolerance),
      findings_(findings),
      demand_{Rational(1 - claim.tau), claim.side},
      level_(shown_level(structure, *claim.level)) {}

bool WealthReport::is_settled(const Chance& chance) const {
  if (chance.meets(demand_) == Verdict::open) return false;
  // What is claimed exactly is to be shown exactly, even where it is wrong.
  return !claim_.exact_probability || chance.bounds.is_exact();
}

void WealthReport::say_chance(const Chance& chance) {
  const std::string sentence = named() + shown(chance.bounds) + ": ";
  switch (chance.meets(demand_)) {
    case Verdict::yes:
      findings_.say(sentence + "it is " + demand_.text() + ", as claimed.");
      break;
    case Verdict::no:
      findings_.refute(sentence + "it is not " + demand_.text() + ", as the quantile demands.");
      break;
    case Verdict::open:
      findings_.leave_open(sentence + "whether it is " + demand_.text() + " is too close to call.");
      break;
  }
  say_probability(chance.bounds);
}

void WealthReport::say_probability(const Bounds& bounds) {
  const std::string claimed = "The claimed probability " + shown(claim_.probability);
  if (agrees(claim_.probability, around(bounds), tolerance_))
    findings_.say(claimed + " agrees with it.");
  else
    findings_.refute(claimed + " is wrong: " + named() + shown(bounds) + ".");
  if (!claim_.exact_probability) return;
  const Rational& exact = *claim_.exact_probability;
  if (exact < bounds.low || exact > bounds.high)
    findings_.refute("The exactly claimed probability is not the policy's: it " + shown(bounds) +
                     ", the claim " + shown(exact) + ".");
  else if (bounds.is_exact())
    findings_.say("The exactly claimed probability is the policy's.");
  else
    findings_.say("The exactly claimed probability lies there too; it was too long to recompute.");
}

void WealthReport::say_at(bool is_positive) {
  if (is_positive)
    findings_.say("P(W = " + level_ + ") is positive.");
  else
    findings_.refute("P(W = " + level_ + ") is 0, which cannot be if it is the optimal quantile.");
}

bool WealthReport::say_optimum(const Bounds& greatest) {
  const Verdict met = demand_.met_by(greatest);
  if (met == Verdict::open) return false;
  findings_.optimality_was_checked();
  const std::string sentence =
      "The greatest P(W > " + level_ + ") of any policy " + shown(greatest) + ": it is ";
  if (met == Verdict::no)
    findings_.say(sentence + "not " + demand_.text() + ", so no policy promises more.");
  else
    findings_.refute(sentence + demand_.text() + ", so the quantile is not the optimum.");
  return true;
}

void WealthReport::leave_optimum_out(const std::string& why) {
  findings_.say("Optimality was not rechecked: " + why);
}

}  // namespace quantiplan::checking
