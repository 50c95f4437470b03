#include "report/guarantee.hpp"

#include <gtest/gtest.h>

#include "report/sample_answer.hpp"

namespace quantiplan {
namespace {

Result with(Side side, const Rational& tau) {
  Result result = commute_result();
  result.side = side;
  result.tau = tau;
  return result;
}

TEST(Guarantee, UpperSidePromisesAtLeastTheta) {
  EXPECT_EQ(guarantee_sentence(commute_result(), commute_facts()),
            "With probability at least 0.9 the total is at least -40; no policy promises more.");
}

TEST(Guarantee, LowerSidePromisesMoreThanTheta) {
  EXPECT_EQ(guarantee_sentence(with(Side::lower, Rational(1, 3)), commute_facts()),
            "With probability more than 2/3 the total is at least -40; no policy promises more.");
}

TEST(Guarantee, TauZeroIsSureAndTauOneIsPossible) {
  EXPECT_EQ(guarantee_sentence(with(Side::upper, 0), commute_facts()),
            "The total is surely at least -40; no policy is sure of more.");
  EXPECT_EQ(guarantee_sentence(with(Side::lower, 1), commute_facts()),
            "A total of at least -40 is possible; no policy can reach more.");
}

TEST(Guarantee, BracketNamesTheMostThatAnyPolicyPromises) {
  Result result = commute_result();
  result.certificate = Certificate::bracket;
  result.upper = Rational(-35);
  EXPECT_EQ(
      guarantee_sentence(result, commute_facts()),
      "With probability at least 0.9 the total is at least -40; no policy promises more than -35.");
  result.tau = 0;
  EXPECT_EQ(guarantee_sentence(result, commute_facts()),
            "The total is surely at least -40; no policy is sure of more than -35.");
}

TEST(Guarantee, TieSaysWhatIsUndecided) {
  Result result = commute_result();
  result.certificate = Certificate::tie;
  result.upper = Rational(-35);
  EXPECT_EQ(guarantee_sentence(result, commute_facts()),
            "With probability at least 0.9 the total is at least -40; whether -35 can be promised "
            "is too close to call, and no policy promises more than that.");
}

TEST(Guarantee, WhatNothingCertifiesIsNoPromise) {
  Result result = commute_result();
  result.certificate = Certificate::none;
  ModelFacts facts = commute_facts();
  EXPECT_EQ(guarantee_sentence(result, facts),
            "The answer is -40, and nothing certifies it: it may be wrong by any amount.");
  EXPECT_EQ(comparison_sentence(result, facts), "");
  facts.cost = true;
  EXPECT_EQ(guarantee_sentence(result, facts),
            "The answer is 40, and nothing certifies it: it may be wrong by any amount.");
}

TEST(Guarantee, NothingKnownIsSaid) {
  EXPECT_EQ(guarantee_sentence(Result{}, commute_facts()),
            "Nothing is known yet: the call ended too early.");
  EXPECT_EQ(comparison_sentence(Result{}, commute_facts()), "");
}

TEST(Guarantee, ExpectationPolicyThatFallsShortReachesItOnly) {
  EXPECT_EQ(comparison_sentence(commute_result(), commute_facts()),
            "The expectation-optimal policy reaches that with probability 0.802 only.");
}

TEST(Guarantee, ExpectationPolicyThatKeepsThePromiseReachesItAsWell) {
  Result result = commute_result();
  result.expectation_policy.change(
      [&](auto& changed) { changed.probability = exact_value("0.9"); });
  EXPECT_EQ(comparison_sentence(result, commute_facts()),
            "The expectation-optimal policy reaches that as well, with probability 0.9.");
  // The lower side demands more than theta: 0.9 falls short by nothing at all.
  result.side = Side::lower;
  EXPECT_EQ(comparison_sentence(result, commute_facts()),
            "The expectation-optimal policy reaches that with probability 0.9 only.");
}

TEST(Guarantee, WithoutAnExactProbabilityItsOwnQuantileDecides) {
  Result result = commute_result();
  result.expectation_policy.change([&](auto& changed) {
    changed.probability = Value{0.9, std::nullopt};
  });
  result.expectation_policy.change([&](auto& changed) { changed.quantile = Rational(-40); });
  EXPECT_EQ(expectation_keeps_promise(result), true);
  result.expectation_policy.change([&](auto& changed) { changed.quantile = Rational(-41); });
  EXPECT_EQ(expectation_keeps_promise(result), false);
  result.expectation_policy.change([&](auto& changed) { changed.quantile.reset(); });
  EXPECT_EQ(expectation_keeps_promise(result), std::nullopt);
  EXPECT_EQ(comparison_sentence(result, commute_facts()),
            "The expectation-optimal policy reaches that with probability 0.9.");
}

TEST(Guarantee, BracketsAreRoundedOutwardsInSentences) {
  Result result = commute_result();
  result.certificate = Certificate::bracket;
  result.quantile = Rational("770048/153153");
  result.upper = Rational("73596928/14549535");
  EXPECT_EQ(
      guarantee_sentence(result, commute_facts()),
      "With probability at least 0.9 the total is at least 5.027; no policy promises more than "
      "5.059.");
  EXPECT_EQ(width_sentence(result, std::nullopt), "The bracket is 0.031 wide.");
  EXPECT_EQ(width_sentence(result, Rational(1, 32)),
            "The bracket is 0.031 wide; good enough is 0.0312.");
  // Its width is 0.030404...: two digits rounded up would be more than what is good enough.
  EXPECT_EQ(width_sentence(result, Rational("3042/100000")),
            "The bracket is 0.0305 wide; good enough is 0.0305.");
  EXPECT_EQ(width_sentence(result, Rational(1, 100)),
            "The bracket is 0.031 wide; wanted was at most 0.01.");
  EXPECT_EQ(width_sentence(commute_result(), Rational(1)), "");
}

TEST(Guarantee, BoundsOfTheExpectationPolicyAreSaidToBeBounds) {
  Result result = commute_result();
  result.certificate = Certificate::bracket;
  result.upper = Rational(-39);
  ExpectationComparison other = *result.expectation_policy;
  other = {other.mean,
           Rational(-55),
           Value{0.8020007, std::nullopt, Value::Is::lower_bound},
           Rational(-54)};
  result.expectation_policy = other;
  EXPECT_EQ(expectation_keeps_promise(result), false);
  EXPECT_EQ(comparison_sentence(result, commute_facts()),
            "The expectation-optimal policy promises no more than -54.");
  other.upper = Rational(-39);
  result.expectation_policy = other;
  EXPECT_EQ(expectation_keeps_promise(result), std::nullopt);
  EXPECT_EQ(comparison_sentence(result, commute_facts()),
            "The expectation-optimal policy reaches that with probability at least 0.802.");
  other.quantile = Rational(-40);
  result.expectation_policy = other;
  EXPECT_EQ(expectation_keeps_promise(result), true);
  EXPECT_EQ(
      comparison_sentence(result, commute_facts()),
      "The expectation-optimal policy reaches that as well, with probability at least 0.802.");
}

TEST(Guarantee, ExpectationPolicyThatNeverReachesItIsSaidSo) {
  Result result = commute_result();
  result.expectation_policy.change([&](auto& changed) { changed.probability = exact_value("0"); });
  EXPECT_EQ(comparison_sentence(result, commute_facts()),
            "The expectation-optimal policy never reaches that.");
}

TEST(Guarantee, ABracketWithAnInfiniteEndHasNoWidth) {
  Result result = commute_result();
  result.certificate = Certificate::bracket;
  result.upper = Total::plus_infinity();
  EXPECT_EQ(width_sentence(result, std::nullopt), "An end of the bracket is no number.");
  EXPECT_EQ(width_sentence(result, Rational(1, 100)),
            "An end of the bracket is no number; wanted was at most 0.01 between its ends.");
}

TEST(Guarantee, CostsAreKeptTo) {
  ModelFacts facts = commute_facts();
  facts.cost = true;
  Result result = commute_result();
  EXPECT_EQ(comparison_sentence(result, facts),
            "The expectation-optimal policy keeps to that with probability 0.802 only.");
  result.expectation_policy.change([&](auto& changed) { changed.probability = exact_value("0"); });
  EXPECT_EQ(comparison_sentence(result, facts),
            "The expectation-optimal policy never keeps to that.");
  ExpectationComparison other = *result.expectation_policy;
  other = {
      other.mean, Rational(-55), Value{0.802, std::nullopt, Value::Is::lower_bound}, Rational(-54)};
  result.expectation_policy = other;
  EXPECT_EQ(comparison_sentence(result, facts),
            "The expectation-optimal policy promises nothing below 54.");
  other.quantile = Rational(-40);
  other.upper = Rational(-39);
  result.expectation_policy = other;
  EXPECT_EQ(comparison_sentence(result, facts),
            "The expectation-optimal policy keeps to that as well, with probability at least "
            "0.802.");
}

TEST(Guarantee, ExpectationPolicyMayPromiseNothing) {
  Result result = commute_result();
  ExpectationComparison other = *result.expectation_policy;
  other = {other.mean, Total::miss(), Value{0.5, std::nullopt}, Total::miss()};
  result.expectation_policy = other;
  EXPECT_EQ(comparison_sentence(result, commute_facts()),
            "The expectation-optimal policy does not promise the goal.");
  other.upper = Total::minus_infinity();
  result.expectation_policy = other;
  EXPECT_EQ(comparison_sentence(result, commute_facts()),
            "The expectation-optimal policy promises no bound on the total.");
}

TEST(Guarantee, NothingIsComparedWithAnAnswerThatPromisesNothing) {
  Result result = commute_result();
  result.quantile = Total::minus_infinity();
  EXPECT_EQ(comparison_sentence(result, commute_facts()), "");
  result.quantile = Total::plus_infinity();
  result.attained = false;
  EXPECT_EQ(comparison_sentence(result, commute_facts()), "");
}

TEST(Guarantee, EarlyEndsAreSentencesOfTheirOwn) {
  Result result = commute_result();
  Answer answer;
  answer.model = commute_facts();
  EXPECT_EQ(status_sentence(result, answer), "");
  result.status = Status::limit_reached;
  EXPECT_EQ(status_sentence(result, answer),
            "Ended early, at a limit: the optimum lies within the bracket.");
  result.status = Status::interrupted;
  EXPECT_EQ(status_sentence(result, answer),
            "Ended early, interrupted: the optimum lies within the bracket.");
  answer.model.adversarial = true;
  EXPECT_EQ(status_sentence(result, answer),
            "Ended early, interrupted: what is guaranteed lies within the bracket.");
  result.status = Status::unsettled;
  answer.engine.left_open = "two levels are too close; --exact can tell more";
  EXPECT_EQ(status_sentence(result, answer),
            "What is guaranteed lies within the bracket, and no limit was met: two levels are too "
            "close; --exact can tell more.");
}

TEST(GoalSentence, SaysHowOftenTheGoalIsReachedAndAtWhatMean) {
  Result result = commute_result();
  ModelFacts facts = commute_facts();
  EXPECT_EQ(goal_sentence(result, facts), "");
  facts.goal_states = 1;
  result.goal_probability = exact_value("0.9");
  result.goal_mean = exact_value("-36");
  result.expectation_policy.change(
      [&](auto& changed) { changed.goal_probability = exact_value("1"); });
  result.expectation_policy.change([&](auto& changed) { changed.goal_mean = exact_value("-50"); });
  EXPECT_EQ(goal_sentence(result, facts),
            "This policy reaches the goal with probability 0.9 (mean total then -40); the "
            "expectation-optimal one with probability 1.");
  Result sure = result;
  sure.goal_probability = exact_value("1");
  EXPECT_EQ(goal_sentence(sure, facts),
            "This policy and the expectation-optimal one reach the goal with probability 1.");
  facts.cost = true;
  result.expectation_policy.reset();
  EXPECT_EQ(goal_sentence(result, facts),
            "This policy reaches the goal with probability 0.9 (mean cost then 40).");
  facts.adversarial = true;
  result.goal_mean.reset();
  EXPECT_EQ(goal_sentence(result, facts),
            "The adversary's policy reaches the goal with probability 0.9.");
  result.quantile = Total::miss();
  EXPECT_EQ(goal_sentence(result, facts), "");
}

}  // namespace
}  // namespace quantiplan
