// The sentences of a check, and whether one of them refutes the claim.
#pragma once

#include <string>
#include <utility>

#include "quantiplan/answer.hpp"

namespace quantiplan::checking {

class Findings {
 public:
  Findings() { report_.passed = true; }

  void say(std::string sentence) { report_.findings.push_back(std::move(sentence)); }
  void refute(std::string sentence) {
    report_.passed = false;
    say(std::move(sentence));
  }
  // Neither passed nor refuted.
  void leave_open(std::string sentence) {
    refute(std::move(sentence));
    report_.ended_early = true;
  }
  // What the claim says besides was too large to recheck, or was left open.
  void leave_out(std::string sentence) {
    left_out_ = true;
    say(std::move(sentence));
  }
  void optimality_was_checked() { report_.optimality_checked = true; }

  [[nodiscard]] bool passed() const { return report_.passed; }
  [[nodiscard]] CheckReport take() {
    if (left_out_) report_.optimality_checked = false;
    return std::move(report_);
  }

 private:
  CheckReport report_;
  bool left_out_ = false;
};

}  // namespace quantiplan::checking
