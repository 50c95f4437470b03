// The commute example of the documentation, as the engines answer it; shared by the report's tests.
#pragma once

#include "quantiplan/answer.hpp"
#include "quantiplan/report.hpp"

namespace quantiplan {

inline Value exact_value(const char* text) {
  const Rational value = Number(text).rational();
  return {to_nearest_double(value), value};
}

inline ModelFacts commute_facts() { return {"commute", 3, 3, 5, 3, 1, "home"}; }

inline Result commute_result() {
  Result result;
  result.tau = Rational(1, 10);
  result.side = Side::upper;
  result.status = Status::solved;
  result.certificate = Certificate::exact;
  result.quantile = Rational(-40);
  result.upper = Rational(-40);
  result.probability = exact_value("1");
  result.mean = exact_value("-40");
  result.expectation_policy =
      ExpectationComparison{exact_value("-31.89"), Rational(-55), exact_value("0.802")};
  return result;
}

inline Answer commute_answer() {
  Answer answer;
  answer.model = commute_facts();
  answer.results = {commute_result()};
  answer.engine = {"auto", "steps", "the totals lie on an integer grid"};
  answer.work.seconds = 0.01;
  answer.work.backups = 123;
  answer.work.breakpoints = 45;
  answer.work.passes = 1;
  answer.work.peak_bytes = 6789;
  return answer;
}

inline Distribution two_point_distribution() {
  Distribution distribution;
  distribution.atoms = {{-55, exact_value("0.2")}, {-25, exact_value("0.8")}};
  distribution.mean = exact_value("-31");
  return distribution;
}

}  // namespace quantiplan
