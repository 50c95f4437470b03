// Every sentence of a result, by value: {reward, cost} x {goal, none} x {adversarial, not} x
// {exact, bracket, tie} x {theta = 1, 0, between}, and the levels that are no numbers.
#include "report/promise.hpp"

#include <gtest/gtest.h>

#include "report/guarantee.hpp"
#include "report/sample_answer.hpp"

namespace quantiplan {
namespace {

constexpr bool kFinite = false;
constexpr bool kInfinite = true;

ModelFacts facts_of(bool cost, bool goal, bool adversarial, bool infinite) {
  ModelFacts facts = commute_facts();
  facts.cost = cost;
  facts.goal_states = goal ? 1 : 0;
  facts.adversarial = adversarial;
  if (infinite) facts.horizon = kInfiniteHorizon;
  return facts;
}

// theta = 1, 0, 0.9 (lower side).
struct Demand {
  Rational tau;
  Side side;
};
const Demand kSure{0, Side::upper};
const Demand kPossible{1, Side::lower};
const Demand kLikely{Rational(1, 10), Side::lower};

Result result_of(const Demand& demand,
                 Certificate certificate,
                 const Total& quantile,
                 const Total& upper) {
  Result result;
  result.tau = demand.tau;
  result.side = demand.side;
  result.status = Status::solved;
  result.certificate = certificate;
  result.quantile = quantile;
  result.upper = upper;
  return result;
}

// At W = -30, and at most -25: costs of 30 and 25.
std::string sentence(const ModelFacts& facts, const Demand& demand, Certificate certificate) {
  const Total upper = certificate == Certificate::exact ? -30 : -25;
  return guarantee_sentence(result_of(demand, certificate, -30, upper), facts);
}

std::string exact(const ModelFacts& facts, const Demand& demand, const Total& level) {
  return guarantee_sentence(result_of(demand, Certificate::exact, level, level), facts);
}

TEST(Promise, OfATotal) {
  const ModelFacts facts = facts_of(false, false, false, kFinite);
  EXPECT_EQ(sentence(facts, kSure, Certificate::exact),
            "The total is surely at least -30; no policy is sure of more.");
  EXPECT_EQ(sentence(facts, kPossible, Certificate::exact),
            "A total of at least -30 is possible; no policy can reach more.");
  EXPECT_EQ(sentence(facts, kLikely, Certificate::exact),
            "With probability more than 0.9 the total is at least -30; no policy promises more.");
  EXPECT_EQ(sentence(facts, kSure, Certificate::bracket),
            "The total is surely at least -30; no policy is sure of more than -25.");
  EXPECT_EQ(sentence(facts, kPossible, Certificate::bracket),
            "A total of at least -30 is possible; no policy can reach more than -25.");
  EXPECT_EQ(sentence(facts, kLikely, Certificate::bracket),
            "With probability more than 0.9 the total is at least -30; no policy promises more "
            "than -25.");
  EXPECT_EQ(sentence(facts, kSure, Certificate::tie),
            "The total is surely at least -30; whether -25 can be promised is too close to call, "
            "and no policy is sure of more than that.");
  EXPECT_EQ(sentence(facts, kPossible, Certificate::tie),
            "A total of at least -30 is possible; whether -25 is possible is too close to call, "
            "and no policy can reach more than that.");
  EXPECT_EQ(sentence(facts, kLikely, Certificate::tie),
            "With probability more than 0.9 the total is at least -30; whether -25 can be promised "
            "is too close to call, and no policy promises more than that.");
}

TEST(Promise, OfACost) {
  const ModelFacts facts = facts_of(true, false, false, kFinite);
  EXPECT_EQ(sentence(facts, kSure, Certificate::exact),
            "The cost is surely at most 30; no policy is sure of less.");
  EXPECT_EQ(sentence(facts, kPossible, Certificate::exact),
            "A cost of at most 30 is possible; no policy can do with less.");
  EXPECT_EQ(sentence(facts, kLikely, Certificate::exact),
            "With probability more than 0.9 the cost is at most 30; no policy promises less.");
  EXPECT_EQ(sentence(facts, kSure, Certificate::bracket),
            "The cost is surely at most 30; no policy is sure of less than 25.");
  EXPECT_EQ(sentence(facts, kPossible, Certificate::bracket),
            "A cost of at most 30 is possible; no policy can do with less than 25.");
  EXPECT_EQ(sentence(facts, kLikely, Certificate::bracket),
            "With probability more than 0.9 the cost is at most 30; no policy promises less than "
            "25.");
  EXPECT_EQ(sentence(facts, kSure, Certificate::tie),
            "The cost is surely at most 30; whether 25 can be promised is too close to call, and "
            "no policy is sure of less than that.");
  EXPECT_EQ(sentence(facts, kPossible, Certificate::tie),
            "A cost of at most 30 is possible; whether 25 is possible is too close to call, and no "
            "policy can do with less than that.");
  EXPECT_EQ(sentence(facts, kLikely, Certificate::tie),
            "With probability more than 0.9 the cost is at most 30; whether 25 can be promised is "
            "too close to call, and no policy promises less than that.");
}

TEST(Promise, OfAGoalWithATotal) {
  const ModelFacts facts = facts_of(false, true, false, kFinite);
  EXPECT_EQ(sentence(facts, kSure, Certificate::exact),
            "The goal is surely reached with a total of at least -30; no policy is sure of more.");
  EXPECT_EQ(sentence(facts, kPossible, Certificate::exact),
            "Reaching the goal with a total of at least -30 is possible; no policy can reach "
            "more.");
  EXPECT_EQ(sentence(facts, kLikely, Certificate::exact),
            "With probability more than 0.9 the goal is reached with a total of at least -30; no "
            "policy promises more.");
  EXPECT_EQ(sentence(facts, kSure, Certificate::bracket),
            "The goal is surely reached with a total of at least -30; no policy is sure of more "
            "than -25.");
  EXPECT_EQ(sentence(facts, kPossible, Certificate::bracket),
            "Reaching the goal with a total of at least -30 is possible; no policy can reach more "
            "than -25.");
  EXPECT_EQ(sentence(facts, kLikely, Certificate::bracket),
            "With probability more than 0.9 the goal is reached with a total of at least -30; no "
            "policy promises more than -25.");
  EXPECT_EQ(sentence(facts, kSure, Certificate::tie),
            "The goal is surely reached with a total of at least -30; whether -25 can be promised "
            "is too close to call, and no policy is sure of more than that.");
  EXPECT_EQ(sentence(facts, kPossible, Certificate::tie),
            "Reaching the goal with a total of at least -30 is possible; whether -25 is possible "
            "is too close to call, and no policy can reach more than that.");
  EXPECT_EQ(sentence(facts, kLikely, Certificate::tie),
            "With probability more than 0.9 the goal is reached with a total of at least -30; "
            "whether -25 can be promised is too close to call, and no policy promises more than "
            "that.");
}

TEST(Promise, OfAGoalAtACost) {
  const ModelFacts facts = facts_of(true, true, false, kFinite);
  EXPECT_EQ(sentence(facts, kSure, Certificate::exact),
            "The goal is surely reached at a cost of at most 30; no policy is sure of less.");
  EXPECT_EQ(sentence(facts, kPossible, Certificate::exact),
            "Reaching the goal at a cost of at most 30 is possible; no policy can do with less.");
  EXPECT_EQ(sentence(facts, kLikely, Certificate::exact),
            "With probability more than 0.9 the goal is reached at a cost of at most 30; no policy "
            "promises less.");
  EXPECT_EQ(sentence(facts, kSure, Certificate::bracket),
            "The goal is surely reached at a cost of at most 30; no policy is sure of less than "
            "25.");
  EXPECT_EQ(sentence(facts, kPossible, Certificate::bracket),
            "Reaching the goal at a cost of at most 30 is possible; no policy can do with less "
            "than 25.");
  EXPECT_EQ(sentence(facts, kLikely, Certificate::bracket),
            "With probability more than 0.9 the goal is reached at a cost of at most 30; no policy "
            "promises less than 25.");
  EXPECT_EQ(sentence(facts, kSure, Certificate::tie),
            "The goal is surely reached at a cost of at most 30; whether 25 can be promised is too "
            "close to call, and no policy is sure of less than that.");
  EXPECT_EQ(sentence(facts, kPossible, Certificate::tie),
            "Reaching the goal at a cost of at most 30 is possible; whether 25 is possible is too "
            "close to call, and no policy can do with less than that.");
  EXPECT_EQ(sentence(facts, kLikely, Certificate::tie),
            "With probability more than 0.9 the goal is reached at a cost of at most 30; whether "
            "25 can be promised is too close to call, and no policy promises less than that.");
}

TEST(Promise, OfATotalWhateverIsDone) {
  const ModelFacts facts = facts_of(false, false, true, kFinite);
  EXPECT_EQ(sentence(facts, kSure, Certificate::exact),
            "Whatever is done, the total is surely at least -30; no more is sure.");
  EXPECT_EQ(sentence(facts, kPossible, Certificate::exact),
            "Whatever is done, a total of at least -30 is possible; no more is always possible.");
  EXPECT_EQ(sentence(facts, kLikely, Certificate::exact),
            "Whatever is done, with probability more than 0.9 the total is at least -30; no more "
            "is guaranteed.");
  EXPECT_EQ(sentence(facts, kSure, Certificate::bracket),
            "Whatever is done, the total is surely at least -30; nothing above -25 is sure.");
  EXPECT_EQ(sentence(facts, kPossible, Certificate::bracket),
            "Whatever is done, a total of at least -30 is possible; nothing above -25 is always "
            "possible.");
  EXPECT_EQ(sentence(facts, kLikely, Certificate::bracket),
            "Whatever is done, with probability more than 0.9 the total is at least -30; nothing "
            "above -25 is guaranteed.");
  EXPECT_EQ(sentence(facts, kSure, Certificate::tie),
            "Whatever is done, the total is surely at least -30; whether -25 is guaranteed is too "
            "close to call, and nothing above that is sure.");
  EXPECT_EQ(sentence(facts, kPossible, Certificate::tie),
            "Whatever is done, a total of at least -30 is possible; whether -25 is always possible "
            "is too close to call, and nothing above that is always possible.");
  EXPECT_EQ(sentence(facts, kLikely, Certificate::tie),
            "Whatever is done, with probability more than 0.9 the total is at least -30; whether "
            "-25 is guaranteed is too close to call, and nothing above that is guaranteed.");
}

TEST(Promise, OfACostWhateverIsDone) {
  const ModelFacts facts = facts_of(true, false, true, kFinite);
  EXPECT_EQ(sentence(facts, kSure, Certificate::exact),
            "Whatever is done, the cost is surely at most 30; no less is sure.");
  EXPECT_EQ(sentence(facts, kPossible, Certificate::exact),
            "Whatever is done, a cost of at most 30 is possible; no less is always possible.");
  EXPECT_EQ(sentence(facts, kLikely, Certificate::exact),
            "Whatever is done, with probability more than 0.9 the cost is at most 30; no less is "
            "guaranteed.");
  EXPECT_EQ(sentence(facts, kSure, Certificate::bracket),
            "Whatever is done, the cost is surely at most 30; nothing below 25 is sure.");
  EXPECT_EQ(sentence(facts, kPossible, Certificate::bracket),
            "Whatever is done, a cost of at most 30 is possible; nothing below 25 is always "
            "possible.");
  EXPECT_EQ(sentence(facts, kLikely, Certificate::bracket),
            "Whatever is done, with probability more than 0.9 the cost is at most 30; nothing "
            "below 25 is guaranteed.");
  EXPECT_EQ(sentence(facts, kSure, Certificate::tie),
            "Whatever is done, the cost is surely at most 30; whether 25 is guaranteed is too "
            "close to call, and nothing below that is sure.");
  EXPECT_EQ(sentence(facts, kPossible, Certificate::tie),
            "Whatever is done, a cost of at most 30 is possible; whether 25 is always possible is "
            "too close to call, and nothing below that is always possible.");
  EXPECT_EQ(sentence(facts, kLikely, Certificate::tie),
            "Whatever is done, with probability more than 0.9 the cost is at most 30; whether 25 "
            "is guaranteed is too close to call, and nothing below that is guaranteed.");
}

TEST(Promise, OfAGoalWithATotalWhateverIsDone) {
  const ModelFacts facts = facts_of(false, true, true, kFinite);
  EXPECT_EQ(sentence(facts, kSure, Certificate::exact),
            "Whatever is done, the goal is surely reached with a total of at least -30; no more is "
            "sure.");
  EXPECT_EQ(sentence(facts, kPossible, Certificate::exact),
            "Whatever is done, reaching the goal with a total of at least -30 is possible; no more "
            "is always possible.");
  EXPECT_EQ(sentence(facts, kLikely, Certificate::exact),
            "Whatever is done, with probability more than 0.9 the goal is reached with a total of "
            "at least -30; no more is guaranteed.");
  EXPECT_EQ(sentence(facts, kSure, Certificate::bracket),
            "Whatever is done, the goal is surely reached with a total of at least -30; nothing "
            "above -25 is sure.");
  EXPECT_EQ(sentence(facts, kPossible, Certificate::bracket),
            "Whatever is done, reaching the goal with a total of at least -30 is possible; nothing "
            "above -25 is always possible.");
  EXPECT_EQ(sentence(facts, kLikely, Certificate::bracket),
            "Whatever is done, with probability more than 0.9 the goal is reached with a total of "
            "at least -30; nothing above -25 is guaranteed.");
  EXPECT_EQ(sentence(facts, kSure, Certificate::tie),
            "Whatever is done, the goal is surely reached with a total of at least -30; whether "
            "-25 is guaranteed is too close to call, and nothing above that is sure.");
  EXPECT_EQ(sentence(facts, kPossible, Certificate::tie),
            "Whatever is done, reaching the goal with a total of at least -30 is possible; whether "
            "-25 is always possible is too close to call, and nothing above that is always "
            "possible.");
  EXPECT_EQ(sentence(facts, kLikely, Certificate::tie),
            "Whatever is done, with probability more than 0.9 the goal is reached with a total of "
            "at least -30; whether -25 is guaranteed is too close to call, and nothing above that "
            "is guaranteed.");
}

TEST(Promise, OfAGoalAtACostWhateverIsDone) {
  const ModelFacts facts = facts_of(true, true, true, kFinite);
  EXPECT_EQ(sentence(facts, kSure, Certificate::exact),
            "Whatever is done, the goal is surely reached at a cost of at most 30; no less is "
            "sure.");
  EXPECT_EQ(sentence(facts, kPossible, Certificate::exact),
            "Whatever is done, reaching the goal at a cost of at most 30 is possible; no less is "
            "always possible.");
  EXPECT_EQ(sentence(facts, kLikely, Certificate::exact),
            "Whatever is done, with probability more than 0.9 the goal is reached at a cost of at "
            "most 30; no less is guaranteed.");
  EXPECT_EQ(sentence(facts, kSure, Certificate::bracket),
            "Whatever is done, the goal is surely reached at a cost of at most 30; nothing below "
            "25 is sure.");
  EXPECT_EQ(sentence(facts, kPossible, Certificate::bracket),
            "Whatever is done, reaching the goal at a cost of at most 30 is possible; nothing "
            "below 25 is always possible.");
  EXPECT_EQ(sentence(facts, kLikely, Certificate::bracket),
            "Whatever is done, with probability more than 0.9 the goal is reached at a cost of at "
            "most 30; nothing below 25 is guaranteed.");
  EXPECT_EQ(sentence(facts, kSure, Certificate::tie),
            "Whatever is done, the goal is surely reached at a cost of at most 30; whether 25 is "
            "guaranteed is too close to call, and nothing below that is sure.");
  EXPECT_EQ(sentence(facts, kPossible, Certificate::tie),
            "Whatever is done, reaching the goal at a cost of at most 30 is possible; whether 25 "
            "is always possible is too close to call, and nothing below that is always possible.");
  EXPECT_EQ(sentence(facts, kLikely, Certificate::tie),
            "Whatever is done, with probability more than 0.9 the goal is reached at a cost of at "
            "most 30; whether 25 is guaranteed is too close to call, and nothing below that is "
            "guaranteed.");
}

TEST(Promise, WithoutEndIsAlmostSure) {
  EXPECT_EQ(sentence(facts_of(false, false, false, kInfinite), kSure, Certificate::exact),
            "The total is almost surely at least -30; no policy is almost sure of more.");
  EXPECT_EQ(sentence(facts_of(true, true, false, kInfinite), kSure, Certificate::bracket),
            "The goal is almost surely reached at a cost of at most 30; no policy is almost sure "
            "of less than 25.");
  EXPECT_EQ(sentence(facts_of(true, false, true, kInfinite), kSure, Certificate::exact),
            "Whatever is done, the cost is almost surely at most 30; no less is almost sure.");
  EXPECT_EQ(sentence(facts_of(false, true, true, kInfinite), kSure, Certificate::bracket),
            "Whatever is done, the goal is almost surely reached with a total of at least -30; "
            "nothing above -25 is almost sure.");
  // Between 0 and 1, and at 0, the horizon makes no difference.
  EXPECT_EQ(sentence(facts_of(false, false, false, kInfinite), kLikely, Certificate::exact),
            "With probability more than 0.9 the total is at least -30; no policy promises more.");
}

TEST(Promise, OfATotalThatGrowsWithoutEnd) {
  const Total inf = Total::plus_infinity();
  const ModelFacts total = facts_of(false, false, false, kInfinite);
  EXPECT_EQ(exact(total, kSure, inf), "The total almost surely grows without bound.");
  EXPECT_EQ(exact(total, kPossible, inf), "A total that grows without bound is possible.");
  EXPECT_EQ(exact(total, kLikely, inf),
            "With probability more than 0.9 the total grows without bound.");
  const ModelFacts cost = facts_of(true, false, false, kInfinite);
  EXPECT_EQ(exact(cost, kSure, inf), "The cost almost surely falls without bound.");
  EXPECT_EQ(exact(cost, kPossible, inf), "A cost that falls without bound is possible.");
  EXPECT_EQ(exact(cost, kLikely, inf),
            "With probability more than 0.9 the cost falls without bound.");
  const ModelFacts adversarial = facts_of(false, false, true, kInfinite);
  EXPECT_EQ(exact(adversarial, kLikely, inf),
            "Whatever is done, with probability more than 0.9 the total grows without bound.");
}

TEST(Promise, OfATotalWithoutBoundThatEnds) {
  // P(W >= y) is enough for every number y, though P(W = inf) is not.
  const auto ending = [](const ModelFacts& facts, const Demand& demand, const Rational& reached) {
    const Total inf = Total::plus_infinity();
    Result result = result_of(demand, Certificate::exact, inf, inf);
    result.probability = Value{to_nearest_double(reached), reached};
    return guarantee_sentence(result, facts);
  };
  const ModelFacts total = facts_of(false, false, false, kInfinite);
  EXPECT_EQ(ending(total, kPossible, 0), "Whatever number is given, a total above it is possible.");
  EXPECT_EQ(ending(total, kLikely, Rational(9, 10)),
            "Whatever number is given, with probability more than 0.9 the total is above it.");
  EXPECT_EQ(ending(total, kLikely, 1),
            "With probability more than 0.9 the total grows without bound.");
  EXPECT_EQ(ending(facts_of(true, false, false, kInfinite), kPossible, 0),
            "Whatever number is given, a cost below it is possible.");
  EXPECT_EQ(ending(facts_of(true, false, true, kInfinite), kPossible, 0),
            "Whatever is done and whatever number is given, a cost below it is possible.");
}

TEST(Promise, ThatNoBoundCanBeKept) {
  const Total inf = Total::minus_infinity();
  const ModelFacts total = facts_of(false, false, false, kInfinite);
  EXPECT_EQ(exact(total, kSure, inf),
            "No policy is almost sure of any bound on the total: the quantile is -inf.");
  EXPECT_EQ(exact(total, kPossible, inf),
            "No policy can keep any bound on the total: the quantile is -inf.");
  EXPECT_EQ(exact(total, kLikely, inf),
            "No policy promises any bound on the total with probability more than 0.9: the "
            "quantile is -inf.");
  const ModelFacts cost = facts_of(true, false, false, kInfinite);
  EXPECT_EQ(exact(cost, kLikely, inf),
            "No policy promises any bound on the cost with probability more than 0.9: the quantile "
            "is inf.");
  const ModelFacts adversarial = facts_of(true, false, true, kInfinite);
  EXPECT_EQ(exact(adversarial, kSure, inf),
            "No bound on the cost is almost sure: the quantile is inf.");
  EXPECT_EQ(exact(adversarial, kPossible, inf),
            "No bound on the cost is always possible to keep: the quantile is inf.");
  EXPECT_EQ(exact(adversarial, kLikely, inf),
            "No bound on the cost is guaranteed with probability more than 0.9: the quantile is "
            "inf.");
}

TEST(Promise, OfTheGoalAlone) {
  const Total inf = Total::minus_infinity();
  const ModelFacts total = facts_of(false, true, false, kInfinite);
  EXPECT_EQ(exact(total, kSure, inf),
            "The goal is almost surely reached; no policy is almost sure of any bound on the "
            "total.");
  EXPECT_EQ(exact(total, kLikely, inf),
            "With probability more than 0.9 the goal is reached; no policy promises any bound on "
            "the total.");
  EXPECT_EQ(exact(facts_of(true, true, false, kInfinite), kPossible, inf),
            "Reaching the goal is possible; no policy can keep any bound on the cost.");
  EXPECT_EQ(exact(facts_of(true, true, true, kInfinite), kLikely, inf),
            "Whatever is done, with probability more than 0.9 the goal is reached; no bound on the "
            "cost is guaranteed.");
}

TEST(Promise, ThatTheGoalIsMissed) {
  const Total miss = Total::miss();
  const ModelFacts infinite = facts_of(false, true, false, kInfinite);
  EXPECT_EQ(exact(infinite, kSure, miss),
            "No policy almost surely reaches the goal: the quantile is a miss.");
  EXPECT_EQ(exact(infinite, kPossible, miss),
            "No policy can reach the goal: the quantile is a miss.");
  EXPECT_EQ(exact(infinite, kLikely, miss),
            "No policy reaches the goal with probability more than 0.9: the quantile is a miss.");
  // At a finite horizon it may be reached later.
  const ModelFacts finite = facts_of(true, true, false, kFinite);
  EXPECT_EQ(exact(finite, kSure, miss),
            "No policy surely reaches the goal in time: the quantile is a miss.");
  EXPECT_EQ(exact(finite, kPossible, miss),
            "No policy can reach the goal in time: the quantile is a miss.");
  EXPECT_EQ(exact(finite, kLikely, miss),
            "No policy reaches the goal in time with probability more than 0.9: the quantile is a "
            "miss.");
  const ModelFacts adversarial = facts_of(false, true, true, kInfinite);
  EXPECT_EQ(exact(adversarial, kSure, miss),
            "It is not guaranteed that the goal is almost surely reached: the quantile is a miss.");
  EXPECT_EQ(exact(adversarial, kPossible, miss),
            "It is not guaranteed that the goal can be reached: the quantile is a miss.");
  EXPECT_EQ(exact(adversarial, kLikely, miss),
            "It is not guaranteed that the goal is reached with probability more than 0.9: the "
            "quantile is a miss.");
}

std::string supremum(const ModelFacts& facts, const Demand& demand) {
  Result result =
      result_of(demand, Certificate::exact, Total::plus_infinity(), Total::plus_infinity());
  result.attained = false;
  return guarantee_sentence(result, facts);
}

TEST(Promise, OfASupremumThatNoPolicyAttains) {
  const std::string policy = "`quantiplan threshold --target Y` gives the policy for one.";
  EXPECT_EQ(supremum(facts_of(false, false, false, kInfinite), kLikely),
            "The quantile is inf, a supremum that no policy attains: every lower total can be "
            "promised with probability more than 0.9; " +
                policy);
  EXPECT_EQ(supremum(facts_of(false, true, false, kInfinite), kSure),
            "The quantile is inf, a supremum that no policy attains: every lower total can be "
            "promised at the goal almost surely; " +
                policy);
  EXPECT_EQ(supremum(facts_of(false, true, false, kInfinite), kPossible),
            "The quantile is inf, a supremum that no policy attains: every lower total is possible "
            "at the goal; " +
                policy);
  EXPECT_EQ(supremum(facts_of(true, true, false, kInfinite), kLikely),
            "The quantile is -inf, a supremum that no policy attains: every higher cost can be "
            "promised at the goal with probability more than 0.9; " +
                policy);
  EXPECT_EQ(supremum(facts_of(false, false, true, kInfinite), kLikely),
            "The quantile is inf, a supremum: every lower total is guaranteed with probability "
            "more than 0.9, this one is not; `quantiplan threshold --target Y` gives the "
            "adversary's policy for one.");
}

std::string open(const ModelFacts& facts,
                 Certificate certificate,
                 const Total& lower,
                 const Total& upper) {
  return guarantee_sentence(result_of(kLikely, certificate, lower, upper), facts);
}

TEST(Promise, BracketsMayHaveEndsThatAreNoNumbers) {
  const Total none = Total::minus_infinity();
  const Total all = Total::plus_infinity();
  const ModelFacts total = facts_of(false, false, false, kInfinite);
  EXPECT_EQ(open(total, Certificate::bracket, none, all), "What can be promised is open.");
  EXPECT_EQ(open(total, Certificate::bracket, none, 5),
            "What can be promised is open; no policy promises more than 5.");
  EXPECT_EQ(open(total, Certificate::bracket, 5, all),
            "With probability more than 0.9 the total is at least 5; how much more can be promised "
            "is open.");
  const ModelFacts cost = facts_of(true, true, false, kInfinite);
  EXPECT_EQ(open(cost, Certificate::bracket, Total::miss(), -5),
            "What can be promised is open; no policy promises less than 5.");
  EXPECT_EQ(open(cost, Certificate::bracket, none, -5),
            "With probability more than 0.9 the goal is reached; no policy promises less than 5.");
  EXPECT_EQ(open(cost, Certificate::bracket, Total::miss(), none),
            "What can be promised is open; no policy promises any bound on the cost.");
  EXPECT_EQ(open(cost, Certificate::bracket, -5, all),
            "With probability more than 0.9 the goal is reached at a cost of at most 5; how much "
            "less can be promised is open.");
  const ModelFacts adversarial = facts_of(false, false, true, kInfinite);
  EXPECT_EQ(open(adversarial, Certificate::bracket, none, all), "What is guaranteed is open.");
  EXPECT_EQ(open(adversarial, Certificate::bracket, 5, all),
            "Whatever is done, with probability more than 0.9 the total is at least 5; how much "
            "more is guaranteed is open.");
}

TEST(Promise, TiesMayHaveEndsThatAreNoNumbers) {
  const Total none = Total::minus_infinity();
  const Total all = Total::plus_infinity();
  const ModelFacts total = facts_of(false, false, false, kInfinite);
  EXPECT_EQ(open(total, Certificate::tie, 5, all),
            "With probability more than 0.9 the total is at least 5; whether inf can be promised "
            "is too close to call.");
  EXPECT_EQ(open(total, Certificate::tie, none, 5),
            "Whether 5 can be promised with probability more than 0.9 is too close to call, and no "
            "policy promises more than that; if not, the quantile is -inf.");
  const ModelFacts cost = facts_of(true, true, false, kInfinite);
  EXPECT_EQ(open(cost, Certificate::tie, Total::miss(), none),
            "Whether the goal can be promised with probability more than 0.9 is too close to call, "
            "and no policy promises any bound on the cost; if not, the quantile is a miss.");
  EXPECT_EQ(open(cost, Certificate::tie, Total::miss(), -5),
            "Whether 5 can be promised with probability more than 0.9 is too close to call, and no "
            "policy promises less than that; if not, the quantile is a miss.");
  EXPECT_EQ(open(facts_of(true, false, true, kInfinite), Certificate::tie, none, -5),
            "Whether 5 is guaranteed with probability more than 0.9 is too close to call, and "
            "nothing below that is guaranteed; if not, the quantile is inf.");
}

TEST(Promise, CostsAreRoundedAwayFromTheBracketToo) {
  Result result = result_of(
      kLikely, Certificate::bracket, Rational("-73596928/14549535"), Rational("-770048/153153"));
  EXPECT_EQ(guarantee_sentence(result, facts_of(true, false, false, kFinite)),
            "With probability more than 0.9 the cost is at most 5.059; no policy promises less "
            "than 5.027.");
  result.upper = Total::plus_infinity();
  EXPECT_EQ(guarantee_sentence(result, facts_of(true, false, false, kInfinite)),
            "With probability more than 0.9 the cost is at most 5.05836977; how much less can be "
            "promised is open.");
}

}  // namespace
}  // namespace quantiplan
