#include "check/common/counted_claim.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "check/check_models.hpp"

namespace quantiplan::checking {
namespace {

ResolvedSetting setting(bool goal, bool cost, bool adversarial) {
  ResolvedSetting made;
  made.horizon = 3;
  if (goal) made.goal = {State{1}};
  made.cost = cost;
  made.adversarial = adversarial;
  return made;
}

TEST(CountedSign, TurnsWithCostsAndWithAdversaries) {
  EXPECT_EQ(counted_sign(setting(false, false, false)), 1);
  EXPECT_EQ(counted_sign(setting(false, true, false)), -1);
  EXPECT_EQ(counted_sign(setting(false, false, true)), -1);
  EXPECT_EQ(counted_sign(setting(false, true, true)), 1);
}

TEST(Event, RanksAMissBelowEverything) {
  const Event event(setting(true, false, false), 2, false);
  EXPECT_EQ(event.text(), "W >= 2");
  EXPECT_TRUE(event.holds(2));
  EXPECT_FALSE(event.holds(1));
  EXPECT_FALSE(event.holds_at_miss());
  EXPECT_TRUE(event.holds_at_plus_infinity());
  EXPECT_FALSE(event.holds_at_minus_infinity());
  const Event reaching(setting(true, false, false), Total::minus_infinity(), false);
  EXPECT_EQ(reaching.numbers(), Event::Numbers::all);
  EXPECT_TRUE(reaching.holds_at_minus_infinity());
  EXPECT_FALSE(reaching.holds_at_miss());
  EXPECT_TRUE(Event(setting(true, false, false), Total::miss(), false).holds_at_miss());
}

TEST(Event, IsTurnedRoundForAnAdversary) {
  // W < 2 or missed, that is -W > -2.
  const Event event(setting(true, false, true), 2, true);
  EXPECT_EQ(event.text(), "W < 2");
  EXPECT_EQ(event.level(), Total(-2));
  EXPECT_TRUE(event.holds(-1));
  EXPECT_FALSE(event.holds(-2));
  EXPECT_TRUE(event.holds_at_miss());
  // Nothing is below a miss.
  const Event below(setting(true, false, true), Total::miss(), true);
  EXPECT_EQ(below.numbers(), Event::Numbers::none);
  EXPECT_FALSE(below.holds_at_miss());
  EXPECT_FALSE(below.holds_at_plus_infinity());
  // W = -inf is the best it can have but for a miss.
  EXPECT_TRUE(event.holds_at_plus_infinity());
  EXPECT_FALSE(event.holds_at_minus_infinity());
}

TEST(CountedClaim, OfAQuantileDemandsTheSameOfTheOtherSideFromAnAdversary) {
  Policy policy;
  policy.setting = setting(false, false, true);
  PolicyClaim claimed = claim("0.3", Side::lower, "5", 0.4);
  claimed.upper = Total(6);
  const CountedClaim counted(policy, claimed);
  // It shows that W <= 6 with probability 0.3 at least; nobody has W < 5 so often.
  EXPECT_EQ(counted.own.text(), "W <= 6");
  EXPECT_EQ(counted.beyond.text(), "W < 5");
  EXPECT_EQ(counted.demand.text(), "at least 0.3");
  EXPECT_EQ(counted.beyond_demand.text(), "at least 0.3");
  EXPECT_TRUE(counted.is_bound);
  policy.setting.adversarial = false;
  const CountedClaim plain(policy, claimed);
  EXPECT_EQ(plain.own.text(), "W >= 5");
  EXPECT_EQ(plain.beyond.text(), "W > 6");
  EXPECT_EQ(plain.demand.text(), "more than 0.7");
}

TEST(CountedClaim, OfAThresholdBoundsEveryPolicy) {
  Policy policy;
  policy.setting = setting(false, false, false);
  const CountedClaim exact(policy, threshold_claim(5, number("0.3")));
  EXPECT_EQ(exact.own.text(), "W >= 5");
  EXPECT_EQ(exact.beyond.text(), "W >= 5");
  EXPECT_EQ(exact.beyond_demand.theta, number("0.3"));
  EXPECT_FALSE(exact.is_bound);
  const CountedClaim bracket(policy, threshold_claim(5, number("0.25"), 0.75));
  EXPECT_TRUE(bracket.is_bound);
  EXPECT_EQ(bracket.claimed(), number("0.25"));
  EXPECT_EQ(bracket.beyond_demand.theta, number("0.75"));
}

TEST(CountedClaim, OfAThresholdIsTheComplementForAnAdversary) {
  Policy policy;
  policy.setting = setting(false, false, true);
  const CountedClaim exact(policy, threshold_claim(5, number("0.3")));
  EXPECT_EQ(exact.own.text(), "W < 5");
  EXPECT_EQ(exact.exact, number("0.7"));
  EXPECT_EQ(exact.beyond_demand.theta, number("0.7"));
  EXPECT_EQ(exact.text, "1 - 0.29999999999999999");
  // At least 1/4 and at most 3/4 is guaranteed: the policy shows 1 - 3/4, nobody more than 1 - 1/4.
  const CountedClaim bracket(policy, threshold_claim(5, number("0.25"), 0.75));
  EXPECT_LE(*bracket.claimed(), number("0.25"));
  EXPECT_GT(*bracket.claimed(), number("0.2499999999"));
  EXPECT_EQ(bracket.beyond_demand.theta, number("0.75"));
}

TEST(CountedClaim, HoldsADoubleToBeALowerBound) {
  Policy policy;
  policy.setting = setting(false, false, false);
  // The double nearest to 5/6 is above it, and so is its text.
  const Rational truth(5, 6);
  const double nearest = to_nearest_double(truth);
  PolicyClaim claimed = claim("0.9", Side::lower, "5", nearest);
  EXPECT_FALSE(CountedClaim(policy, claimed).is_reached_by(truth));
  claimed.exact_probability = truth;
  EXPECT_TRUE(CountedClaim(policy, claimed).is_reached_by(truth));
  claimed.exact_probability.reset();
  claimed.upper = Total(6);
  EXPECT_FALSE(CountedClaim(policy, claimed).is_reached_by(truth));
  claimed.probability = std::nextafter(nearest, 0.0);
  EXPECT_TRUE(CountedClaim(policy, claimed).is_reached_by(truth));
  PolicyClaim at_five = threshold_claim(5, truth);
  EXPECT_TRUE(CountedClaim(policy, at_five).is_reached_by(truth));
  at_five.exact_probability.reset();
  EXPECT_FALSE(CountedClaim(policy, at_five).is_reached_by(truth));
  at_five.probability = std::nextafter(nearest, 0.0);
  EXPECT_TRUE(CountedClaim(policy, at_five).is_reached_by(truth));
  // The double nearest to 1/5 is above it, too, but 0.2 says what is true.
  EXPECT_TRUE(
      CountedClaim(policy, claim("0.9", Side::lower, "5", 0.2)).is_reached_by(number("0.2")));
}

TEST(WrongClaim, NamesWhatMakesNoSense) {
  Policy policy;
  policy.setting = setting(false, false, false);
  PolicyClaim missed = claim("0.3", Side::lower, "5", 0.4);
  missed.quantile = Total::miss();
  EXPECT_EQ(wrong_claim(policy, missed), "The claim speaks of a miss, but there is no goal.");
  EXPECT_EQ(wrong_claim(policy, threshold_claim(5, number("0.5"), 0.25)),
            "The claimed bracket ends at 0.25, below its probability 0.5.");
  EXPECT_EQ(wrong_claim(policy, claim("0", Side::lower, "5", 0.4)),
            "The claimed tau is 0: a lower quantile needs it in (0, 1].");
  policy.setting = setting(true, false, false);
  EXPECT_EQ(wrong_claim(policy, missed), "");
}

}  // namespace
}  // namespace quantiplan::checking
