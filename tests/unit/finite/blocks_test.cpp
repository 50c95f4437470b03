// Decisions recomputed from checkpoints are those of the whole pass, bit for bit.
#include <gtest/gtest.h>

#include "domains/machine.hpp"
#include "finite/pass/pass.hpp"

namespace quantiplan {
namespace {

TEST(Blocks, RecomputeTheDecisionsOfTheWholePass) {
  MachineParameters parameters;
  parameters.levels = 4;
  parameters.horizon = 20;
  const Model model = machine(parameters);
  Options options;
  options.threads = 1;
  Limits limits(options);
  const Stages exact(model, resolve(model, {}), limits);
  Grid grid{Rational(1, 8), std::vector<std::uint32_t>(21, 0)};
  for (std::size_t t = 7; t <= 20; ++t) grid.halvings[t] = t < 13 ? 1 : 3;
  const Stages stages(exact, grid, Rounding::down);
  ASSERT_TRUE(stages.has_keys());
  const Windows windows(stages, ChoiceFilter(), limits);
  const Expectation<double> expectation(stages, limits);
  for (const auto representation : {Representation::sparse, Representation::dense}) {
    LayerRecord record(20, 6);
    PassInput<double> input{stages, windows, expectation, ChoiceFilter(), true, representation};
    input.kernel = find_kernel("auto");
    input.record = &record;
    Work work;
    const PassOutput<double> whole = run_pass(input, limits, work);
    ASSERT_EQ(whole.status, Status::solved);
    input.record = nullptr;
    std::size_t rules_seen = 0;
    for (const auto& [first, end] : {std::pair(0, 6), std::pair(6, 12), std::pair(18, 20)}) {
      input.resume = end < 20 ? &record : nullptr;
      input.resume_at = static_cast<std::uint64_t>(end);
      input.stop = static_cast<std::uint64_t>(first);
      const PassOutput<double> part = run_pass(input, limits, work);
      ASSERT_EQ(part.status, Status::solved);
      for (int t = first; t < end; ++t) {
        const auto expected = whole.decisions->take_layer(static_cast<std::uint64_t>(t));
        const auto found = part.decisions->take_layer(static_cast<std::uint64_t>(t));
        EXPECT_EQ(expected.begin, found.begin) << t;
        EXPECT_EQ(expected.upto, found.upto) << t;
        EXPECT_EQ(expected.what, found.what) << t;
        rules_seen += found.upto.size();
      }
    }
    EXPECT_GT(rules_seen, 50U);
  }
}

TEST(Blocks, AreLoadedWhenAskedForAndOneAtATime) {
  std::vector<std::uint64_t> loads;
  const Decisions decisions(5, 2, [&](std::uint64_t first, std::uint64_t end) {
    loads.push_back(first);
    std::vector<Decisions::LayerRules> rules;
    for (std::uint64_t t = first; t < end; ++t)
      rules.push_back({{0, 1}, {100}, {Decisions::encode({static_cast<std::uint32_t>(t), false})}});
    return rules;
  });
  for (std::uint64_t t = 0; t < 5; ++t) EXPECT_EQ(decisions.at(t, 0, 7).choice, t);
  EXPECT_EQ(loads, (std::vector<std::uint64_t>{0, 2, 4}));
  EXPECT_EQ(decisions.at(1, 0, 7).choice, 1U);
  EXPECT_EQ(loads.back(), 0U);
}

TEST(Blocks, BeginWhereDecisionsOutgrowTheirMemory) {
  MachineParameters parameters;
  parameters.levels = 4;
  parameters.horizon = 20;
  const Model model = machine(parameters);
  Options options;
  Limits limits(options);
  const Stages exact(model, resolve(model, {}), limits);
  const Grid grid{Rational(1, 8), std::vector<std::uint32_t>(21, 0)};
  const Stages stages(exact, grid, Rounding::down);
  const Windows windows(stages, ChoiceFilter(), limits);
  const Expectation<double> expectation(stages, limits);
  PassInput<double> input{stages, windows, expectation, ChoiceFilter()};
  input.kernel = find_kernel("auto");
  input.most_decision_bytes = 500;
  Work work;
  EXPECT_TRUE(run_pass(input, limits, work).decisions_too_large);
}

}  // namespace
}  // namespace quantiplan
