// Stationary policies that lose for ever.
#include <gtest/gtest.h>

#include <algorithm>

#include "check/stationary_claims.hpp"
#include "check/verdicts_of_checks.hpp"
#include "quantiplan/solve.hpp"

namespace quantiplan::checking {
namespace {

// Paying 1 opens the gate with 1/2; waiting is free until one is fined, for ever.
Model toll() {
  ModelBuilder b;
  b.horizon(kInfiniteHorizon).initial("s");
  b.begin_choice("s", "pay").add_outcome("s", "1/2", -1).add_outcome("end", "1/2", -1);
  b.begin_choice("s", "wait").add_outcome("s", "9/10", 0).add_outcome("fined", "1/10", 0);
  b.begin_choice("fined", "for ever").add_outcome("fined", 1, -1);
  return b.build();
}

TEST(InfiniteLosses, BoundedLossesAreANumber) {
  const Model model = toll();
  // P(W >= -k) = 1 - 2^-k.
  const auto paying = [&](const char* target) {
    return one_rule(model, "s", {{{}, "pay"}}, number(target));
  };
  expect_confirmed(check(model, paying("-1"), claim_of("0.6", Side::lower, -1, Rational(1, 2))));
  expect_confirmed(check(model, paying("-3"), claim_of("0.2", Side::lower, -3, Rational(7, 8))));
  expect_refuted(check(model, paying("-3"), claim_of("0.2", Side::lower, -2, Rational(3, 4))),
                 "it is not more than 0.8");
  expect_refuted(check(model, paying("-3"), claim_of("0.2", Side::lower, -4, Rational(15, 16))),
                 "so the quantile is not the optimum.");
  Policy waiting = one_rule(model, "s", {{{}, "wait"}}, Rational(-3));
  waiting.rules.insert(waiting.rules.begin(),
                       {0,
                        *model.find_state("fined"),
                        {{std::nullopt, model.choices(*model.find_state("fined"))[0]}}});
  std::sort(waiting.rules.begin(), waiting.rules.end(), [](const auto& a, const auto& b) {
    return a.state < b.state;
  });
  expect_refuted(check(model, waiting, claim_of("0.2", Side::lower, -3, Rational(7, 8))),
                 "P(W >= -3) is 0");
}

TEST(InfiniteLosses, NoBoundIsSureThoughNothingIsLostForEver) {
  const Model model = toll();
  const Policy paying = one_rule(model, "s", {{{}, "pay"}});
  const PolicyClaim sure = claim_of("0", Side::upper, Total::minus_infinity(), Rational(1));
  const CheckReport report = check(model, paying, sure);
  expect_confirmed(report);
  EXPECT_NE(report.findings.back().find("it is not at least 1, nor is it within any other number."),
            std::string::npos)
      << report.findings.back();
  expect_refuted(check(model, paying, claim_of("0.1", Side::upper, Total::minus_infinity(), 1)),
                 "it is at least 0.9, so the quantile is not the optimum.");
  expect_refuted(check(model, paying, claim_of("0", Side::upper, -100, Rational(1))),
                 "it is not at least 1");
}

TEST(InfiniteLosses, StayingForNothingLosesNothing) {
  ModelBuilder b;
  b.horizon(kInfiniteHorizon).initial("s");
  b.begin_choice("s", "rest").add_outcome("s", "1/2", 0).add_outcome("t", "1/2", 0);
  b.begin_choice("s", "leave").add_outcome("end", 1, -5);
  b.begin_choice("t", "back").add_outcome("s", 1, 0);
  const Model model = b.build();
  Policy resting = empty_policy(model, Rational(0));
  add_rule(resting, model, 0, "s", {{{}, "rest"}});
  add_rule(resting, model, 0, "t", {{{}, "back"}});
  expect_confirmed(check(model, resting, claim_of("0", Side::upper, 0, Rational(1))));
  const Policy leaving = one_rule(model, "s", {{{}, "leave"}}, Rational(-5));
  expect_refuted(check(model, leaving, claim_of("0", Side::upper, -5, Rational(1))),
                 "The greatest P(W > -5) of any policy is 1: it is at least 1");
}

TEST(InfiniteLosses, LossesWithoutEndAreInfinite) {
  ModelBuilder b;
  b.horizon(kInfiniteHorizon).initial("s");
  b.begin_choice("s", "pay").add_outcome("s", 1, -1);
  b.begin_choice("s", "bet").add_outcome("s", "3/4", -1).add_outcome("rest", "1/4", 0);
  b.begin_choice("rest", "on").add_outcome("rest", "1/2", 0).add_outcome("s", "1/2", 0);
  const Model model = b.build();
  const Policy paying = one_rule(model, "s", {{{}, "pay"}});
  expect_confirmed(
      check(model, paying, claim_of("0.5", Side::lower, Total::minus_infinity(), Rational(1))));
  expect_refuted(check(model, paying, claim_of("0.5", Side::lower, -9, Rational(1))),
                 "P(W >= -9) is 0");
}

}  // namespace
}  // namespace quantiplan::checking
