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
  void optimality_was_checked() { report_.optimality_checked = true; }

  [[nodiscard]] bool passed() const { return report_.passed; }
  [[nodiscard]] CheckReport take() { return std::move(report_); }

 private:
  CheckReport report_;
};

}  // namespace quantiplan::checking
