// The truth at the infinite horizon on random models: found in two ways, and as a limit.
#include <gtest/gtest.h>

#include "harness/harness.hpp"
#include "harness/random_model.hpp"
#include "oracles/brute_force.hpp"
#include "oracles/infinite_reference.hpp"

namespace quantiplan::testing {
namespace {

constexpr Aim kAims[] = {Aim::greatest, Aim::least};

TEST(Unfolding, CountingPoliciesAgreesWithIteration) {
  std::size_t counted = 0;
  const auto compare = [&](const PlainModel& model, const Rational& y, std::uint64_t seed) {
    const Unfolding unfolding = unfold(model, y);
    for (const Aim aim : kAims) {
      const auto found = chance_by_counting(unfolding, aim, 300);
      if (!found) continue;
      ++counted;
      ASSERT_EQ(*found, chance(unfolding, aim)) << seed << "\n" << y << "\n" << json_text(model);
    }
  };
  for (std::uint64_t seed = 1; seed <= case_count(0.25); ++seed) {
    const PlainModel infinite = infinite_model(seed);
    const bool rises = shape_of(infinite) == Shape::never_falls;
    for (const int y : {0, 1, 2, 3, 4}) compare(infinite, rises ? y : -y, seed);
    const PlainModel discounted = discounted_model(seed);
    for (const int y : {-2, -1, 0, 1, 2}) compare(discounted, y, seed);
  }
  EXPECT_GT(counted, case_count(1));
}

// With T steps to go at most, what is to be reached is reached less often, and what is to be
// avoided is avoided more often.
TEST(Unfolding, IsTheLimitOfLongHorizons) {
  std::size_t near = 0, all = 0;
  for (std::uint64_t seed = 1; seed <= case_count(0.05); ++seed) {
    PlainModel model = infinite_model(seed);
    const int sign = shape_of(model) == Shape::never_falls ? 1 : -1;
    const bool from_above = model.goal.empty() && sign < 0;
    for (const Aim aim : kAims) {
      for (const int y : {0, 1, 3}) {
        model.horizon = kInfiniteHorizon;
        const Rational truth = chance(unfold(model, y * sign), aim);
        Rational off = 1;
        for (const unsigned horizon : {8U, 16U, 64U}) {
          model.horizon = horizon;
          const Rational found = Reference(model, aim).at_least(y * sign);
          ASSERT_TRUE(from_above ? found >= truth : found <= truth) << seed << "\n" << y;
          ASSERT_LE(abs(found - truth), off) << seed << "\n" << y;
          off = abs(found - truth);
        }
        ++all;
        if (off < Rational(1, 1000)) ++near;
      }
    }
  }
  EXPECT_GT(near, all * 9 / 10);
}

TEST(Unfolding, OfADiscountLiesBetweenLongHorizons) {
  for (std::uint64_t seed = 1; seed <= case_count(0.1); ++seed) {
    PlainModel model = discounted_model(seed);
    if (!model.goal.empty()) continue;
    Rational most = 0;
    for (const PlainState& state : model.states)
      for (const PlainChoice& choice : state.choices)
        for (const PlainOutcome& o : choice.outcomes)
          most = std::max(most, Rational(abs(o.reward)));
    constexpr std::uint64_t kHorizon = 7;
    Rational tail = most / (1 - model.discount);
    for (std::uint64_t t = 0; t < kHorizon; ++t) tail *= model.discount;
    for (const Aim aim : kAims) {
      for (const Rational& y : {Rational(-1), Rational(1, 2), Rational(1), Rational(7, 4)}) {
        model.horizon = kInfiniteHorizon;
        const Rational truth = chance(unfold(model, y), aim);
        model.horizon = kHorizon;
        Reference reference(model, aim);
        ASSERT_LE(reference.at_least(Rational(y + tail)), truth) << seed << "\n" << y;
        ASSERT_GE(reference.at_least(Rational(y - tail)), truth) << seed << "\n" << y;
      }
    }
  }
}

TEST(InfiniteReference, MeetsItsLimitWhereItSays) {
  std::size_t met = 0, not_met = 0;
  for (std::uint64_t seed = 1; seed <= case_count(0.25); ++seed) {
    const PlainModel model = infinite_model(seed);
    for (const Aim aim : kAims) {
      InfiniteReference reference(model, aim);
      const int sign = shape_of(model) == Shape::never_falls ? 1 : -1;
      const auto at = [&](int k) {
        return reference.at_least(Rational(reference.unit() * sign * k));
      };
      for (const int k : {0, 1, 5, 20}) {
        ASSERT_TRUE(sign > 0 ? at(k) >= reference.limit() : at(k) <= reference.limit()) << seed;
        if (!reference.meets_limit()) {
          ASSERT_NE(at(k), reference.limit()) << seed << "\n" << json_text(model);
        }
      }
      ++(reference.meets_limit() ? met : not_met);
      if (reference.meets_limit()) {
        int k = 1;
        while (at(k) != reference.limit() && k < 200) k *= 2;
        ASSERT_LT(k, 200) << seed << "\n" << json_text(model);
      }
    }
  }
  EXPECT_GT(met, case_count(0.05));
  EXPECT_GT(not_met, case_count(0.05));
}

TEST(InfiniteReference, LimitsOfGainsAreChancesOfInfiniteGain) {
  for (std::uint64_t seed = 1; seed <= case_count(0.25); ++seed) {
    PlainModel model = infinite_model(seed);
    model.goal.clear();
    if (shape_of(model) != Shape::never_falls) continue;
    EXPECT_EQ(InfiniteReference(model, Aim::greatest).limit(),
              long_run_of(model).most_infinite[model.initial]);
  }
}

TEST(RandomModel, WithoutEndMeetsEveryKindOfAnswer) {
  std::map<std::string, std::size_t> kinds;
  for (std::uint64_t seed = 1; seed <= 400; ++seed) {
    const PlainModel model = infinite_model(seed);
    for (const Aim aim : kAims) {
      InfiniteReference reference(model, aim);
      for (const Rational& tau :
           {Rational(1, 4), Rational(1, 2), Rational(2, 3), Rational(1 - reference.limit())}) {
        for (const Side side : {Side::lower, Side::upper}) {
          if (side == Side::lower ? tau == 0 : tau == 1) continue;
          const Optimum best = reference.optimum(tau, side);
          std::string kind = aim == Aim::greatest ? "greatest " : "least ";
          kind += model.goal.empty() ? "plain " : "goal ";
          kind += shape_of(model) == Shape::never_falls ? "rising " : "falling ";
          kind += best.quantile.is_finite() ? (best.quantile == 0 ? "zero" : "number")
                                            : to_text(best.quantile);
          if (1 - tau == reference.limit()) kind += " at the limit";
          ++kinds[kind];
        }
      }
    }
  }
  for (const char* kind : {"greatest plain rising inf at the limit",
                           "greatest plain rising number at the limit",
                           "greatest plain falling -inf at the limit",
                           "greatest plain falling number at the limit",
                           "greatest goal rising inf at the limit",
                           "greatest goal rising number at the limit",
                           "greatest goal falling -inf at the limit",
                           "greatest goal falling miss at the limit",
                           "least plain rising inf at the limit",
                           "least plain falling number at the limit",
                           "least goal falling -inf at the limit",
                           "least goal rising inf at the limit"})
    EXPECT_GT(kinds[kind], 2U) << kind;
  EXPECT_GE(kinds.size(), 48U);
}

}  // namespace
}  // namespace quantiplan::testing
