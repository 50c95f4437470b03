#include "check/common/optimum_report.hpp"

namespace quantiplan::checking {

bool OptimumReport::report(const Bounds& greatest) {
  const Demand& demand = claim_.beyond_demand;
  const Verdict met = demand.met_by(greatest);
  if (met == Verdict::open) return false;
  findings_.optimality_was_checked();
  const std::string sentence = "The " + greatest_text() + shown(greatest) + ": it is ";
  if (claim_.is_threshold) {
    if (met == Verdict::no)
      findings_.say(sentence + "no more than claimed, " + claim_.most_text + ".");
    else
      findings_.refute(sentence + "more than claimed, " + claim_.most_text + ".");
    return true;
  }
  const bool adversarial = claim_.is_adversarial;
  if (met == Verdict::no) {
    findings_.say(sentence + "not " + demand.text() +
                  (adversarial ? ", so no policy has less." : ", so no policy promises more."));
  } else {
    const char* wrong = !claim_.is_bound ? "quantile is not the optimum."
                        : adversarial    ? "lower end is too high."
                                         : "upper end is too low.";
    findings_.refute(sentence + demand.text() + ", so the " + wrong);
  }
  return true;
}

void OptimumReport::confirm(const Bounds& at_most, const std::string& how) {
  findings_.optimality_was_checked();
  findings_.say(sentence("No", shown_at_most(at_most), "is not ", how));
}

void OptimumReport::refute(const Bounds& at_least, const std::string& how) {
  findings_.optimality_was_checked();
  findings_.refute(sentence("Some", shown_at_least(at_least), "is ", how));
}

std::string OptimumReport::sentence(const std::string& who,
                                    const std::string& bound,
                                    const std::string& is_met,
                                    const std::string& how) const {
  const std::string which = claim_.is_threshold
                                ? " policy has more than claimed, " + claim_.most_text
                                : std::string(" policy has a quantile ") +
                                      (claim_.is_adversarial ? "below " : "above ") +
                                      claim_.beyond.user_text();
  const std::string therefore =
      claim_.is_threshold ? "" : ", which " + is_met + claim_.beyond_demand.text();
  return who + which + ": the " + greatest_text() + bound + therefore + " (" + how + ").";
}

void OptimumReport::leave_out(CheckLimits& limits, bool left_open) {
  leave_out(limits.ended() ? limits.reason()
            : left_open    ? "the bounds that could be computed leave it open."
                           : "too many places can be reached.");
}

void OptimumReport::leave_out(const std::string& why) {
  findings_.say("Optimality was not rechecked: " + why);
}

}  // namespace quantiplan::checking
