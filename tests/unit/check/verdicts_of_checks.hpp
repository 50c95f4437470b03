// What the tests of the checker expect of a report.
#pragma once

#include <gtest/gtest.h>

#include <string>

#include "check/check_models.hpp"
#include "quantiplan/answer.hpp"

namespace quantiplan::checking {

// Not merely left open.
inline void expect_refuted(const CheckReport& report, const std::string& part) {
  EXPECT_FALSE(report.passed) << all_findings(report.findings);
  EXPECT_FALSE(report.ended_early) << all_findings(report.findings);
  EXPECT_NE(all_findings(report.findings).find(part), std::string::npos)
      << all_findings(report.findings);
}

inline void expect_confirmed(const CheckReport& report) {
  EXPECT_TRUE(report.passed) << all_findings(report.findings);
  EXPECT_TRUE(report.optimality_checked) << all_findings(report.findings);
}

}  // namespace quantiplan::checking
