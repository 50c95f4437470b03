// By hand. One step, wealth by the greatest reward:
//
//     a    2 surely                          P(W >= 2) 1     mean 2      P(W >= 10) 0
//     b    10 w.p. 3/10, 2 w.p. 6/10, else 0           9/10       4.2               3/10
//     c    20 w.p. 1/2, else 0                         1/2        10                1/2
//     d    20 w.p. 3/10, 2 w.p. 6/10, else 0           9/10       7.2               3/10
//
// Nobody promises more than 2 with 0.9, or with 0.7.
#include "classes/class_promises.hpp"

#include <gtest/gtest.h>

#include "classes/promised_class.hpp"
#include "quantiplan/error.hpp"
#include "quantiplan/formats.hpp"
#include "quantiplan/solve.hpp"

namespace quantiplan {
namespace {

Model model_of(const std::string& actions) {
  return parse_model(R"({"format": "quantiplan-model/1", "horizon": 1, "initial": "s",
                         "wealth": {"kind": "max"}, "choices": [)" +
                         actions + "]}",
                     Format::json,
                     "test")
      .model;
}
const std::string kA =
    R"({"state": "s", "action": "a", "next": [{"to": "e", "probability": 1, "reward": 2}]})";
std::string gamble(const std::string& name, int prize) {
  return R"(, {"state": "s", "action": ")" + name + R"(", "next": [
      {"to": "e", "probability": "3/10", "reward": )" +
         std::to_string(prize) +
         R"(}, {"to": "e", "probability": "6/10", "reward": 2},
      {"to": "e", "probability": "1/10", "reward": 0}]})";
}
const std::string kC = R"(, {"state": "s", "action": "c", "next": [
    {"to": "e", "probability": "1/2", "reward": 20}, {"to": "e", "probability": "1/2", "reward": 0}]})";

Result one_result(const Model& model, const char* tau, Sides side, Prefer prefer) {
  Query query{{Number::parse(tau).rational()}, side, {}};
  query.prefer = prefer;
  Options options;
  options.check = true;
  return solve(model, query, options).results.front();
}
std::string action_of(const Model& model, const Result& result) {
  return std::string(model.action_name(result.policy().rules.front().runs.back().choice));
}

TEST(ClassPromises, TheMeanThatKeepsThePromiseAndItsBound) {
  const Model model = model_of(kA + gamble("b", 10) + kC);
  // b keeps P >= 0.9; a coin between a and c would have 3.6.
  Result found = one_result(model, "0.1", Sides::upper, Prefer::automatic);
  EXPECT_EQ(action_of(model, found), "b");
  EXPECT_EQ(found.probability->exact, Rational(9, 10));
  EXPECT_EQ(found.mean->exact, Rational(21, 5));
  EXPECT_EQ(found.mean_bound->exact, Rational(21, 5));
  EXPECT_TRUE(found.check->passed && found.check->optimality_checked);
  // P > 0.9: a alone; coins between a and b come as near to 4.2 as they like.
  found = one_result(model, "0.1", Sides::lower, Prefer::mean);
  EXPECT_EQ(action_of(model, found), "a");
  EXPECT_EQ(found.mean->exact, Rational(2));
  EXPECT_EQ(found.mean_bound->exact, Rational(21, 5));
  // P >= 0.7: a coin between b and c has (4.2 + 10) / 2.
  found = one_result(model, "0.3", Sides::upper, Prefer::mean);
  EXPECT_EQ(action_of(model, found), "b");
  EXPECT_EQ(found.mean_bound->exact, Rational(71, 10));
  EXPECT_EQ(found.mean_weight, Rational(29, 2));
  found = one_result(model, "0.1", Sides::upper, Prefer::probability);
  EXPECT_EQ(action_of(model, found), "a");
  EXPECT_FALSE(found.mean_bound);
}

TEST(ClassPromises, TheNextClassThatKeepsThePromiseAndItsBound) {
  const Model model = model_of(kA + gamble("b", 10) + gamble("d", 20) + kC);
  // b and d reach 10 as often; d comes to 20, too.
  Result found = one_result(model, "0.1", Sides::upper, Prefer::classes);
  EXPECT_EQ(action_of(model, found), "d");
  EXPECT_EQ(found.prefer, Prefer::classes);
  EXPECT_EQ(found.next_class->level.position(), 3U);
  EXPECT_EQ(found.next_class->probability.exact, Rational(3, 10));
  EXPECT_EQ(found.next_class->bound.exact, Rational(3, 10));
  found = one_result(model, "0.3", Sides::upper, Prefer::classes);
  EXPECT_EQ(action_of(model, found), "d");
  EXPECT_EQ(found.next_class->bound.exact, Rational(2, 5));
  // The best class is promised, so the one below is next: 10.
  found = one_result(model, "0.5", Sides::upper, Prefer::classes);
  EXPECT_EQ(action_of(model, found), "c");
  EXPECT_EQ(found.next_class->level.position(), 3U);
  EXPECT_EQ(found.next_class->probability.exact, Rational(1, 2));
}

TEST(ClassPromises, AreRefusedForSums) {
  const Model sums = parse_model(
                         R"({"format": "quantiplan-model/1", "horizon": 1, "initial": "s",
                             "choices": [)" +
                             kA + "]}",
                         Format::json,
                         "test")
                         .model;
  try {
    one_result(sums, "0.1", Sides::upper, Prefer::classes);
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::refused);
    EXPECT_NE(std::string(error.what()).find("expected mean or probability"), std::string::npos);
  }
}

TEST(PromisedClass, RanksTheClassesAboveThenThePromiseThenThoseBelow) {
  // Five classes, the third promised: 3, 4, then 2, then 1.
  const auto middle = PromisedClass::for_classes(2, 5);
  ASSERT_TRUE(middle);
  EXPECT_EQ(middle->next_class(), 3U);
  EXPECT_EQ(middle->at_end(3), (ClassWorth{1, 0, 1, 1}));
  EXPECT_EQ(middle->at_end(1), (ClassWorth{0, 0, 0, 1}));
  // The best promised: the one below first, then the promise.
  const auto best = PromisedClass::for_classes(4, 5);
  EXPECT_EQ(best->next_class(), 3U);
  EXPECT_EQ(best->at_end(4), (ClassWorth{1, 1, 1, 1}));
  EXPECT_EQ(best->at_end(3), (ClassWorth{1, 0, 1, 1}));
  EXPECT_FALSE(PromisedClass::for_classes(1, 2));
  EXPECT_FALSE(PromisedClass::for_classes(0, 1));
  EXPECT_TRUE(PromisedClass::for_classes(0, 2));
}

}  // namespace
}  // namespace quantiplan
