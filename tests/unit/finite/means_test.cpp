#include <gtest/gtest.h>

#include "finite/means/mean_sweep.hpp"
#include "finite/means/node_means.hpp"
#include "finite/pass/pass.hpp"
#include "quantiplan/solve.hpp"
#include "small_models.hpp"

namespace quantiplan {
namespace {

// A pass with its decisions, and everything that lives as long as they do.
struct Decided {
  explicit Decided(Model m) : model(std::move(m)), limits(options) {
    ground = std::make_shared<Groundwork>();
    ground->stages = std::make_shared<Stages>(model, resolve(model, {}), limits);
    ground->windows = std::make_shared<Windows>(*ground->stages, ChoiceFilter(), limits);
    expectation = std::make_unique<Expectation<double>>(*ground->stages, limits);
    ground->expectation_choice = expectation->choices();
    Work work;
    const PassInput<double> input{*ground->stages,
                                  *ground->windows,
                                  *expectation,
                                  ChoiceFilter(),
                                  true,
                                  Representation::automatic,
                                  find_kernel("auto")};
    decisions = run_pass(input, limits, work).decisions;
  }
  Model model;
  Options options;
  Limits limits;
  std::shared_ptr<Groundwork> ground;
  std::unique_ptr<Expectation<double>> expectation;
  std::shared_ptr<Decisions> decisions;
};

Model risky_walk() {
  ModelBuilder b;
  b.horizon(7).initial("a");
  b.begin_choice("a", "x").add_outcome("a", "1/3", 4).add_outcome("b", "2/3", -1);
  b.begin_choice("a", "y").add_outcome("b", "1/7", 11).add_outcome("a", "6/7", 1);
  b.begin_choice("b", "x").add_outcome("a", "1/10", 5).add_outcome("b", "9/10", 1);
  b.begin_choice("b", "z").add_outcome("a", "1/2", -3).add_outcome("end", "1/2", 7);
  return b.build();
}

TEST(Means, AgreeNodeByNodeAndInOneSweepForEveryTarget) {
  const Decided d(risky_walk());
  const Window& w = d.ground->windows->at(0, 0);
  std::vector<std::int64_t> targets;
  for (std::int64_t y = w.least - 2; y <= w.possible + 2; ++y) targets.push_back(y);
  const ResidualRule rule(d.ground, d.decisions, nullptr);
  const auto nodes = node_means(*d.ground, *d.expectation, rule, targets, 1'000'000, d.limits);
  for (const Kernel& kernel : kernels()) {
    if (!kernel.supported()) continue;
    const auto sweep =
        sweep_means(*d.ground, *d.expectation, *d.decisions, targets, 1e9, kernel, d.limits);
    ASSERT_TRUE(nodes && sweep);
    for (std::size_t i = 0; i < targets.size(); ++i) {
      EXPECT_NEAR((*nodes)[i], (*sweep)[i], 1e-12) << targets[i];
    }
  }
}

TEST(Means, AreThoseOfThePolicysDistribution) {
  const Model model = risky_walk();
  for (const Arithmetic arithmetic : {Arithmetic::floating, Arithmetic::exact}) {
    Options options;
    options.arithmetic = arithmetic;
    Query query{{}, Sides::both, {}, true};
    for (int percent = 1; percent < 100; percent += 7) query.taus.emplace_back(percent, 100);
    for (Rational& tau : query.taus) tau.canonicalize();
    for (const Result& result : solve(model, query, options).results) {
      EXPECT_NEAR(result.mean->nearest, result.distribution().mean.nearest, 1e-12);
    }
  }
}

TEST(Means, OfTooManyNodesAreLeftToTheSweep) {
  const Decided d(risky_walk());
  const ResidualRule rule(d.ground, d.decisions, nullptr);
  const std::int64_t target = d.ground->windows->at(0, 0).possible;
  EXPECT_FALSE(node_means(*d.ground, *d.expectation, rule, {target}, 3, d.limits).has_value());
  EXPECT_FALSE(
      sweep_means(
          *d.ground, *d.expectation, *d.decisions, {target}, 3, *find_kernel("auto"), d.limits)
          .has_value());
}

}  // namespace
}  // namespace quantiplan
