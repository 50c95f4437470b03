#include "check/common/claim_report.hpp"

namespace quantiplan::checking {

Verdict ClaimReport::bound_holds(const Bounds& bounds) const {
  if (claim_.is_reached_by(bounds.low)) return Verdict::yes;
  return claim_.is_reached_by(bounds.high) ? Verdict::open : Verdict::no;
}

Verdict ClaimReport::equality_holds(const Bounds& bounds) const {
  if (claim_.exact) {
    if (bounds.is_exact()) return *claim_.exact == bounds.low ? Verdict::yes : Verdict::no;
    if (*claim_.exact < bounds.low || *claim_.exact > bounds.high) return Verdict::no;
    return Verdict::open;
  }
  const Interval interval{enclose(bounds.low).low, enclose(bounds.high).high};
  return agrees(claim_.nearest, interval, tolerance_) && bound_holds(bounds) != Verdict::no
             ? Verdict::yes
             : Verdict::no;
}

bool ClaimReport::is_settled(const Chance& chance) const {
  if (!claim_.is_threshold && chance.meets(claim_.demand) == Verdict::open) return false;
  if (claim_.is_bound) return bound_holds(chance.bounds) != Verdict::open;
  if (chance.bounds.is_exact()) return true;
  // What is claimed exactly is to be shown exactly, even where it is wrong; a double is no more than
  // the truth.
  return !claim_.exact && bound_holds(chance.bounds) != Verdict::open;
}

void ClaimReport::report(const Chance& chance, bool level_is_met) {
  report(chance);
  // Totals may fall below every number though no infinite loss is possible.
  const bool asks =
      !claim_.is_threshold && !claim_.is_bound && claim_.own.level() != Total::minus_infinity();
  if (asks) report_level(level_is_met);
}

void ClaimReport::report(const Chance& chance) {
  if (claim_.is_threshold)
    findings_.say(named() + shown(chance.bounds) + ".");
  else
    report_demand(chance);
  if (claim_.is_bound)
    report_bound(chance.bounds);
  else
    report_equality(chance.bounds);
}

void ClaimReport::report_level(bool is_met) {
  if (is_met)
    findings_.say("P(" + claim_.own.level_equation() + ") is positive.");
  else
    findings_.refute("P(" + claim_.own.level_equation() +
                     ") is 0, which cannot be if it is the optimal quantile.");
}

void ClaimReport::report_demand(const Chance& chance) {
  const std::string sentence = named() + shown(chance.bounds) + ": ";
  switch (chance.meets(claim_.demand)) {
    case Verdict::yes:
      findings_.say(sentence + "it is " + claim_.demand.text() + ", as claimed.");
      break;
    case Verdict::no:
      findings_.refute(sentence + "it is not " + claim_.demand.text() +
                       ", as the quantile demands.");
      break;
    case Verdict::open:
      findings_.leave_open(sentence + "whether it is " + claim_.demand.text() +
                           " is too close to call.");
      break;
  }
}

void ClaimReport::report_bound(const Bounds& bounds) {
  const std::string claimed_text = "The claimed probability " + claim_.text;
  switch (bound_holds(bounds)) {
    case Verdict::yes:
      findings_.say(claimed_text + " is no more than that.");
      break;
    case Verdict::no:
      findings_.refute(claimed_text + " is too high: " + named() + shown(bounds) + ".");
      break;
    case Verdict::open:
      findings_.leave_open(claimed_text + " is too close to call: " + named() + shown(bounds) +
                           ".");
      break;
  }
}

void ClaimReport::report_equality(const Bounds& bounds) {
  const Interval interval{enclose(bounds.low).low, enclose(bounds.high).high};
  // By itself a double is a lower bound.
  const bool is_too_high = !claim_.exact && bound_holds(bounds) == Verdict::no;
  if (!agrees(claim_.nearest, interval, tolerance_))
    findings_.refute("The claimed probability " + claim_.text + " is wrong: " + named() +
                     shown(bounds) + ".");
  else if (is_too_high)
    findings_.refute("The claimed probability " + claim_.text + " is too high: " + named() +
                     shown(bounds) + ".");
  else
    findings_.say("The claimed probability " + claim_.text + " agrees with it.");
  if (!claim_.exact) return;
  switch (equality_holds(bounds)) {
    case Verdict::yes:
      findings_.say("The exactly claimed probability is the policy's.");
      break;
    case Verdict::no:
      findings_.refute("The exactly claimed probability is not the policy's: it " + shown(bounds) +
                       ", the claim " + shown(*claim_.exact) + ".");
      break;
    case Verdict::open:
      findings_.say(
          "The exactly claimed probability lies there too; it was too long to recompute.");
      break;
  }
}

}  // namespace quantiplan::checking
