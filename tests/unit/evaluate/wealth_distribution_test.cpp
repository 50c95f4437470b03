#include "evaluate/classes/wealth_distribution.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "evaluate/wealth_models.hpp"
#include "quantiplan/error.hpp"

namespace quantiplan {
namespace {

Options with(Arithmetic arithmetic) {
  Options options;
  options.arithmetic = arithmetic;
  return options;
}

// The class and the exact probability of an atom.
void expect_atom(const Distribution& d,
                 std::size_t position,
                 const std::string& text,
                 const Rational& p) {
  ASSERT_GE(d.atoms.size(), position);
  EXPECT_EQ(d.atoms[position - 1].wealth.position(), position);
  EXPECT_EQ(d.classes->text(position), text);
  EXPECT_EQ(d.atoms[position - 1].probability.exact, p) << text;
}

// Every probability of the doubles is within its error of the rational one.
void expect_within_error(const Distribution& floating, const Distribution& exact) {
  ASSERT_EQ(floating.atoms.size(), exact.atoms.size());
  EXPECT_EQ(exact.relative_error, 0);
  EXPECT_GT(floating.relative_error, 0);
  EXPECT_LT(floating.relative_error + floating.absolute_error, 1e-12);
  for (std::size_t i = 0; i < exact.atoms.size(); ++i) {
    EXPECT_EQ(floating.atoms[i].wealth, exact.atoms[i].wealth);
    EXPECT_FALSE(floating.atoms[i].probability.exact);
    const Rational truth = *exact.atoms[i].probability.exact;
    const Rational error =
        truth * Rational(floating.relative_error) + Rational(floating.absolute_error);
    EXPECT_LE(abs(Rational(floating.atoms[i].probability.nearest) - truth), error);
  }
}

TEST(WealthDistribution, FollowsRulesThatGoByWealth) {
  const Model model = testing::medals(2);
  const Distribution d =
      evaluate_wealth(model, structure_of(model), testing::bold_then_safe(model), {});
  ASSERT_EQ(d.atoms.size(), 3U);
  expect_atom(d, 1, "2 bronze", Rational(1, 4));
  expect_atom(d, 2, "1 gold, 1 bronze", Rational(1, 4));
  expect_atom(d, 3, "1 gold, 1 silver", Rational(1, 2));
  EXPECT_EQ(d.relative_error, 0);
  EXPECT_EQ(*d.at_least({d.classes, 2}).exact, Rational(3, 4));
  EXPECT_EQ(d.quantile(Rational(1, 2), Side::upper).lower.position(), 3U);
  EXPECT_EQ(d.quantile(Rational(1, 2), Side::lower).lower.position(), 2U);
  EXPECT_TRUE(std::isnan(d.mean.nearest));
}

TEST(WealthDistribution, StatesPositionsInGivenClasses) {
  const Model model = testing::medals(2);
  const auto structure = structure_of(model);
  // All that two rounds can end in: bold twice, and once of each, and safe twice.
  const Distribution bold =
      evaluate_wealth(model, structure, testing::always(model, {{"field", "bold"}}), {});
  ASSERT_EQ(bold.atoms.size(), 3U);
  expect_atom(bold, 3, "2 gold", Rational(1, 4));
  const Distribution mixed = evaluate_wealth(model, structure, testing::bold_then_safe(model), {});
  const auto all = std::make_shared<const WealthClasses>(
      structure,
      std::vector<WealthId>{
          (*bold.classes)[1], (*bold.classes)[2], (*mixed.classes)[3], (*bold.classes)[3]});
  const Distribution d =
      evaluate_wealth(model, structure, testing::always(model, {{"field", "bold"}}), {}, all);
  EXPECT_EQ(d.classes, all);
  ASSERT_EQ(d.atoms.size(), 3U);
  EXPECT_EQ(d.atoms[2].wealth.position(), 4U);
}

TEST(WealthDistribution, GivesTheSameInDoublesWithinItsBound) {
  const Model model = testing::medals(40);
  const Policy policy = testing::always(model, {{"field", "bold"}});
  const auto structure = structure_of(model);
  const Distribution exact = evaluate_wealth(model, structure, policy, {});
  ASSERT_EQ(exact.atoms.size(), 41U);
  expect_atom(exact, 1, "40 bronze", Rational(1, Integer(1) << 40));
  expect_within_error(evaluate_wealth(model, structure, policy, with(Arithmetic::floating)), exact);
}

TEST(WealthDistribution, GathersWealthsOfOneClass) {
  // The longest run of heads in three tosses: 1/8, 4/8, 2/8, 1/8.
  struct Longest {
    struct Wealth {
      int now = 0;
      int best = 0;
      auto operator<=>(const Wealth&) const = default;
    };
    [[nodiscard]] static Wealth initial() { return {}; }
    [[nodiscard]] static Wealth update(const Wealth& w, const Reward& r) {
      const int now = r.number > 0 ? w.now + 1 : 0;
      return {now, std::max(now, w.best)};
    }
    [[nodiscard]] static std::weak_ordering order(const Wealth& a, const Wealth& b) {
      return a.best <=> b.best;
    }
    [[nodiscard]] static std::string text(const Wealth& w) {
      return std::to_string(w.now) + "/" + std::to_string(w.best);
    }
    [[nodiscard]] static std::string class_text(const Wealth& w) { return std::to_string(w.best); }
  };
  ModelBuilder b;
  b.horizon(3).initial("s");
  b.begin_choice("s", "toss").add_outcome("s", "1/2", 0).add_outcome("s", "1/2", 1);
  const Model model = b.build();
  const Distribution d = evaluate_wealth(
      model, make_structure(model, Longest{}), testing::always(model, {{"s", "toss"}}), {});
  ASSERT_EQ(d.atoms.size(), 4U);
  expect_atom(d, 1, "0", Rational(1, 8));
  expect_atom(d, 2, "1", Rational(1, 2));
  expect_atom(d, 3, "2", Rational(1, 4));
  expect_atom(d, 4, "3", Rational(1, 8));
}

TEST(WealthDistribution, FindsTheLimitOfAMaximum) {
  const Model model = testing::best_of_tries();
  const auto structure = structure_of(model);
  const Policy tries = testing::always(model, {{"s", "try"}});
  const Distribution d = evaluate_wealth(model, structure, tries, {});
  ASSERT_EQ(d.atoms.size(), 3U);
  expect_atom(d, 1, "0", Rational(1, 3));
  expect_atom(d, 2, "1", Rational(1, 6));
  expect_atom(d, 3, "2", Rational(1, 2));
  EXPECT_EQ(*d.mean.exact, Rational(7, 6));
  expect_within_error(evaluate_wealth(model, structure, tries, with(Arithmetic::floating)), d);
}

TEST(WealthDistribution, FollowsAStationaryPolicyByWealth) {
  const Model model = testing::best_of_tries();
  Policy policy = testing::wealth_policy(model, {"1"});
  testing::add_wealth_rule(policy, model, 0, "s", {{"1", "stop"}}, "try");
  const Distribution d = evaluate_wealth(model, structure_of(model), policy, {});
  ASSERT_EQ(d.atoms.size(), 3U);
  for (std::size_t i = 1; i <= 3; ++i) expect_atom(d, i, std::to_string(i - 1), Rational(1, 3));
}

TEST(WealthDistribution, FindsTheLimitOfAMinimum) {
  const Model model = testing::worst_of_the_way();
  const auto structure = structure_of(model);
  const Distribution slow =
      evaluate_wealth(model,
                      structure,
                      testing::always(model, {{"home", "go"}, {"road", "slow"}, {"swamp", "wade"}}),
                      {});
  ASSERT_EQ(slow.atoms.size(), 2U);
  expect_atom(slow, 1, "2", Rational(1, 2));
  expect_atom(slow, 2, "3", Rational(1, 2));
  const Distribution fast =
      evaluate_wealth(model,
                      structure,
                      testing::always(model, {{"home", "go"}, {"road", "fast"}, {"swamp", "wade"}}),
                      {});
  ASSERT_EQ(fast.atoms.size(), 2U);
  expect_atom(fast, 1, "1", Rational(1, 2));  // however rare, it comes
  expect_atom(fast, 2, "2", Rational(1, 2));
}

TEST(WealthDistribution, HasNoMeanWhereNothingWasMet) {
  Wealth wealth;
  wealth.kind = WealthKind::max;
  ModelBuilder b;
  b.wealth(wealth).horizon(2).initial("end").declare_state("end");
  b.declare_state("s").begin_choice("s", "go").add_outcome("end", 1, 3);
  const Model model = b.build();
  const Distribution d =
      evaluate_wealth(model, structure_of(model), testing::wealth_policy(model), {});
  ASSERT_EQ(d.atoms.size(), 1U);
  expect_atom(d, 1, "-inf", 1);
  EXPECT_TRUE(std::isnan(d.mean.nearest));
}

TEST(WealthDistribution, RefusesAWealthThatNeverSettles) {
  const Model finite = testing::blinking_lamp(3);
  const Distribution d = evaluate_wealth(
      finite, structure_of(finite), testing::always(finite, {{"room", "wait"}}), {});
  expect_atom(d, 1, "on", 1);
  EXPECT_EQ(d.classes->rank(1), 2U);
  const Model infinite = testing::blinking_lamp(kInfiniteHorizon);
  try {
    (void)evaluate_wealth(
        infinite, structure_of(infinite), testing::always(infinite, {{"room", "wait"}}), {});
    FAIL() << "expected a refusal";
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::refused);
    EXPECT_NE(std::string(error.what()).find("and back for ever"), std::string::npos);
  }
}

TEST(WealthDistribution, NamesTheRuleThatIsMissing) {
  const Model model = testing::medals(2);
  Policy policy = testing::bold_then_safe(model);
  policy.rules.pop_back();
  try {
    (void)evaluate_wealth(model, structure_of(model), policy, {});
    FAIL() << "expected an error";
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::bad_policy);
    EXPECT_EQ(error.problems().at(0).message,
              "time 1, state 'field': no rule, the policy must have one");
  }
  policy = testing::bold_then_safe(model);
  policy.rules.back().runs.pop_back();  // no action with bronze
  EXPECT_THROW((void)evaluate_wealth(model, structure_of(model), policy, {}), Error);
}

TEST(WealthDistribution, RefusesAPolicyOfSums) {
  const Model model = testing::medals(2);
  Policy policy = testing::bold_then_safe(model);
  policy.rules.back().runs.front().upto = 3;
  EXPECT_THROW((void)evaluate_wealth(model, structure_of(model), policy, {}), Error);
  policy = testing::bold_then_safe(model);
  policy.setting.cost = true;
  EXPECT_THROW((void)evaluate_wealth(model, structure_of(model), policy, {}), Error);
}

}  // namespace
}  // namespace quantiplan
