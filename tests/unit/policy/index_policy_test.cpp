#include "policy/index_policy.hpp"

#include <gtest/gtest.h>

#include "numbers/thrown.hpp"
#include "policy/residual_rules.hpp"
#include "quantiplan/solve.hpp"

namespace quantiplan {
namespace {

// At "s": a gives 1 or -1/3, b gives 1/2, both stay.
Model two_ways(std::uint64_t horizon) {
  ModelBuilder builder;
  builder.horizon(horizon).discount("0.9").initial("s");
  builder.begin_choice("s", "a").add_outcome("s", "1/2", 1).add_outcome("s", "1/2", "-1/3");
  builder.begin_choice("s", "b").add_outcome("s", 1, "1/2");
  return builder.build();
}

// Plays a while the index is above 3, else b.
Policy on_a_grid(const Model& model, const Rational& unit, std::vector<std::uint64_t> halved_at) {
  Policy policy;
  policy.setting = resolve(model, {});
  policy.target = 12 * unit;
  policy.grid = PolicyGrid{unit, std::move(halved_at)};
  for (std::uint64_t t = 0; t < policy.setting.horizon; ++t)
    policy.rules.push_back({t, State{0}, {{Rational(3), Choice{1}}, {{}, Choice{0}}}});
  return policy;
}

TEST(IndexPolicy, MovesAsThePolicyDoes) {
  const Model model = two_ways(60);
  const Policy policy = on_a_grid(model, Rational(1, 4), {1, 5, 5, 20, 30, 41});
  const auto fast = IndexPolicy::make(model, policy);
  ASSERT_TRUE(fast.has_value());
  EXPECT_EQ(fast->first().index, 12);
  for (unsigned path = 0; path < 64; ++path) {
    IndexPolicy::Place place = fast->first();
    Rational residual = first_residual(policy);
    for (std::uint64_t t = 0; t < 60; ++t) {
      const Choice choice = fast->choose(t, State{0}, place);
      ASSERT_EQ(choice, choose_by_residual(model, policy, t, State{0}, residual));
      const auto outcomes = model.outcomes(choice);
      const Outcome& o = outcomes[(path >> (t % 6)) % outcomes.size()];
      fast->collect(o.reward, place);
      residual = next_residual(policy, t, residual, model.reward(o));
      ASSERT_EQ(residual, Rational(Integer(place.index)));
    }
  }
}

TEST(IndexPolicy, CutsIndicesThatCannotComeBack) {
  const Model model = two_ways(200);
  std::vector<std::uint64_t> halved_at;
  for (std::uint64_t t = 1; t < 30; ++t) halved_at.push_back(t);
  // 2^52 steps at first, 2^81 in the end.
  Policy policy = on_a_grid(model, Rational(1, 4), halved_at);
  policy.target = Rational(Integer(1) << 50);
  const auto fast = IndexPolicy::make(model, policy);
  ASSERT_TRUE(fast.has_value());
  IndexPolicy::Place place = fast->first();
  Rational residual = first_residual(policy);
  for (std::uint64_t t = 0; t < 200; ++t) {
    const Choice choice = fast->choose(t, State{0}, place);
    ASSERT_EQ(choice, choose_by_residual(model, policy, t, State{0}, residual));
    const Outcome& o = model.outcomes(choice)[0];
    fast->collect(o.reward, place);
    residual = next_residual(policy, t, residual, model.reward(o));
  }
  EXPECT_GT(place.index, std::int64_t{1} << 61);
  EXPECT_GT(residual, Rational(Integer(1) << 80));
}

TEST(IndexPolicy, CountsCostsAndAdversariesNegatively) {
  const Model model = two_ways(3);
  Policy policy = on_a_grid(model, Rational(1, 4), {1});
  const auto after_one = [&] {
    const auto fast = IndexPolicy::make(model, policy);
    const auto after = [&](std::size_t outcome) {
      IndexPolicy::Place place = fast->first();
      static_cast<void>(fast->choose(0, State{0}, place));
      fast->collect(model.outcomes(Choice{0})[outcome].reward, place);
      return place.index;
    };
    return std::pair(after(0), after(1));
  };
  // 1 is 4 steps; -1/3 is -4/3 steps, rounded down to -2. Steps are halved at time 1.
  EXPECT_EQ(after_one(), std::pair(std::int64_t{16}, std::int64_t{28}));
  policy.setting.cost = true;
  EXPECT_EQ(after_one(), std::pair(std::int64_t{32}, std::int64_t{22}));
  policy.setting.adversarial = true;
  EXPECT_EQ(after_one(), std::pair(std::int64_t{16}, std::int64_t{28}));
  policy.setting.cost = false;
  EXPECT_EQ(after_one(), std::pair(std::int64_t{32}, std::int64_t{22}));
}

TEST(IndexPolicy, IsNotForResidualsWithoutEnd) {
  const Model model = two_ways(3);
  Policy policy = on_a_grid(model, Rational(1, 4), {1});
  policy.setting.horizon = kInfiniteHorizon;
  EXPECT_FALSE(IndexPolicy::make(model, policy).has_value());
  policy.truncated_at = 2;
  EXPECT_FALSE(IndexPolicy::make(model, policy).has_value());
  policy.rules[2].runs.erase(policy.rules[2].runs.begin());
  EXPECT_TRUE(IndexPolicy::make(model, policy).has_value());
}

TEST(IndexPolicy, GivesWayWhereIndicesMightNotFit) {
  const Model model = two_ways(3);
  Policy policy = on_a_grid(model, Rational(1, 4), {});
  EXPECT_TRUE(IndexPolicy::make(model, policy).has_value());
  Rational tiny(1);
  mpq_div_2exp(tiny.get_mpq_t(), tiny.get_mpq_t(), 70);
  EXPECT_FALSE(IndexPolicy::make(model, on_a_grid(model, tiny, {})).has_value());
  policy.rules[0].runs[0].upto = Rational(1, 2);
  EXPECT_FALSE(IndexPolicy::make(model, policy).has_value());
  policy.grid.reset();
  EXPECT_FALSE(IndexPolicy::make(model, policy).has_value());
}

TEST(IndexPolicy, SaysWhereItHasNoRule) {
  const Model model = two_ways(3);
  Policy policy = on_a_grid(model, Rational(1, 4), {});
  policy.rules.pop_back();
  const auto fast = IndexPolicy::make(model, policy);
  IndexPolicy::Place place;
  EXPECT_EQ(thrown(ErrorCode::bad_policy, [&] { (void)fast->choose(2, State{0}, place); }),
            "time 2, state 's': no rule, the policy must have one");
}

TEST(Simulate, PlaysTheSameEpisodesWithAndWithoutFastIndices) {
  const Model model = two_ways(12);
  Policy policy = on_a_grid(model, Rational(1, 4), {1, 2, 6});
  const std::vector<Episode> fast = simulate(model, policy, {50, 9, KeepEpisodes::steps});
  // A threshold that no index reaches, and that is too large for the fast way.
  for (PolicyRule& rule : policy.rules)
    rule.runs.insert(rule.runs.begin(), {Rational(-(Integer(1) << 70)), Choice{1}});
  ASSERT_FALSE(IndexPolicy::make(model, policy).has_value());
  const std::vector<Episode> slow = simulate(model, policy, {50, 9, KeepEpisodes::steps});
  for (std::size_t i = 0; i < fast.size(); ++i) {
    EXPECT_EQ(fast[i].wealth, slow[i].wealth);
    Rational residual = first_residual(policy);
    Rational wealth = 0;
    Rational power = 1;
    for (std::uint64_t t = 0; t < 12; ++t) {
      const Step& step = fast[i].steps[t];
      EXPECT_EQ(step.choice, choose_by_residual(model, policy, t, State{0}, residual));
      residual = next_residual(policy, t, residual, step.reward);
      wealth += power * step.reward;
      power *= Rational(9, 10);
    }
    EXPECT_EQ(fast[i].wealth, wealth);
  }
}

}  // namespace
}  // namespace quantiplan
