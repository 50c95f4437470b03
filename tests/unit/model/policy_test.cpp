#include "quantiplan/policy.hpp"

#include <gtest/gtest.h>

#include "numbers/thrown.hpp"

namespace quantiplan {
namespace {

Model two_actions() {
  ModelBuilder builder;
  builder.begin_choice("a", "x").add_outcome("b", 1, 1).begin_choice("a", "y").add_outcome(
      "b", 1, 2);
  return builder.build();
}

TEST(Policy, ChoosesTheFirstRunThatHoldsTheResidual) {
  const Model model = two_actions();
  Policy policy;
  policy.rules.push_back(
      {0, State{0}, {{Rational(-40), Choice{0}}, {Rational(5), Choice{1}}, {{}, Choice{0}}}});
  policy.rules.push_back({2, State{0}, {{{}, Choice{1}}}});
  EXPECT_EQ(policy.choose(model, 0, State{0}, -41), Choice{0});
  EXPECT_EQ(policy.choose(model, 0, State{0}, -40), Choice{0});  // upto includes its end
  EXPECT_EQ(policy.choose(model, 0, State{0}, Rational(-399, 10)), Choice{1});
  EXPECT_EQ(policy.choose(model, 0, State{0}, 5), Choice{1});
  EXPECT_EQ(policy.choose(model, 0, State{0}, 6), Choice{0});
  EXPECT_EQ(policy.choose(model, 2, State{0}, 0), Choice{1});
}

TEST(Policy, SaysWhereItHasNoRule) {
  const Model model = two_actions();
  Policy policy;
  policy.rules.push_back({0, State{0}, {{Rational(1), Choice{0}}}});
  EXPECT_EQ(thrown(ErrorCode::bad_policy, [&] { (void)policy.choose(model, 1, State{0}, 0); }),
            "time 1, state 'a': no rule, the policy must have one");
  EXPECT_EQ(thrown(ErrorCode::bad_policy, [&] { (void)policy.choose(model, 0, State{1}, 0); }),
            "time 0, state 'b': no rule, the policy must have one");
  EXPECT_EQ(thrown(ErrorCode::bad_policy, [&] { (void)policy.choose(model, 0, State{0}, 2); }),
            "time 0, state 'a': no action above the last 'upto'");
}

}  // namespace
}  // namespace quantiplan
