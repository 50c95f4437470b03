// The greatest chance at an infinite horizon, against long finite horizons: those approach it from one side.
#include <gtest/gtest.h>

#include <random>

#include "check/check_models.hpp"
#include "check/finite/optimality.hpp"
#include "check/infinite/undiscounted_optimum.hpp"

namespace quantiplan::checking {
namespace {

Model random_infinite_errand(std::mt19937_64& bits, bool gains) {
  const std::vector<const char*> chances{"1/2", "1/3", "0.4"};
  const std::vector<const char*> states{"a", "b", "c", "shop", "lost"};
  ModelBuilder b;
  b.initial("a").goal("shop");
  for (const char* state : states) b.declare_state(state);
  for (const char* state : {"a", "b", "c"}) {
    for (const char* action : {"x", "y"}) {
      const Number p = chances[bits() % chances.size()];
      b.begin_choice(state, action);
      for (const Number& share : {p, Number(Rational(1 - p.rational()))}) {
        const int size = static_cast<int>(bits() % 5) - 2;
        const int reward = std::max(size, 0);
        b.add_outcome(states[bits() % 5], share, gains ? reward : -reward);
      }
    }
  }
  return b.build();
}

class LongHorizon : public ::testing::TestWithParam<int> {};

TEST_P(LongHorizon, ApproachesTheGreatestChanceFromOneSide) {
  const int kind = GetParam();
  const bool gains = (kind & 1) != 0;
  std::mt19937_64 bits(static_cast<unsigned>(kind));
  const Options options;
  CheckLimits limits(options);
  for (int i = 0; i < 25; ++i) {
    const Model model = random_infinite_errand(bits, gains);
    Setting setting;
    setting.horizon = kInfiniteHorizon;
    setting.adversarial = (kind & 2) != 0;
    if ((kind & 4) != 0) setting.goal.emplace();
    const ResolvedSetting infinite = resolve(model, setting);
    setting.horizon = 200;
    const ResolvedSetting finite = resolve(model, setting);
    const int size = static_cast<int>(bits() % 5);
    const Event event(infinite, gains ? size : -size, bits() % 2 == 0);
    SCOPED_TRACE(std::to_string(i) + ": " + event.text());
    const Demand undecided{Rational(1, 2), Side::upper};
    const auto found = greatest_undiscounted_chance(model, infinite, event, undecided, limits);
    ASSERT_TRUE(found);
    const Ends ends(model, finite, event);
    auto ledger = IntegerLedger::make(model, finite);
    const auto within =
        greatest_chance(model, ends, *ledger, limits, [](const Bounds&) { return true; });
    ASSERT_TRUE(within);
    // What is to be reached is reached in time or not; what is to be avoided may come later.
    const bool reaches = misses_of(infinite) == Misses::none ? gains != setting.adversarial
                                                             : misses_of(infinite) == Misses::worst;
    if (reaches) {
      EXPECT_GE(found->high, within->low);
    } else {
      EXPECT_LE(found->low, within->high);
    }
    EXPECT_LE(abs(found->low - within->low), number("1e-3")) << within->low.get_d();
    EXPECT_LE(found->high - found->low, number("1e-9"));
  }
}

INSTANTIATE_TEST_SUITE_P(SignsGoalsAndAdversaries, LongHorizon, ::testing::Range(0, 8));

TEST(UndiscountedOptimum, RefusesWhatComesRoundWithBothSigns) {
  ModelBuilder b;
  b.horizon(kInfiniteHorizon).initial("s");
  b.begin_choice("s", "up").add_outcome("t", 1, 1);
  b.begin_choice("t", "down").add_outcome("s", 1, -1);
  const Model model = b.build();
  const ResolvedSetting setting = resolve(model, {});
  const Options options;
  CheckLimits limits(options);
  EXPECT_FALSE(greatest_undiscounted_chance(
      model, setting, Event(setting, 1, false), {Rational(1, 2), Side::upper}, limits));
}

}  // namespace
}  // namespace quantiplan::checking
