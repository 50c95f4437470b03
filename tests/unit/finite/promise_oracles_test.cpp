// The three ways to find the best pairs (P, E) of a weight: over arrays, and node by node in doubles
// and in rationals.
#include <gtest/gtest.h>

#include "finite/promise/double_nodes.hpp"
#include "finite/promise/exact_nodes.hpp"
#include "finite/promise/weighted_pass.hpp"
#include "quantiplan/solve.hpp"

namespace quantiplan {
namespace {

Model short_walk() {
  ModelBuilder b;
  b.horizon(6).initial("a");
  b.begin_choice("a", "x").add_outcome("a", "1/3", 4).add_outcome("b", "2/3", -1);
  b.begin_choice("a", "y").add_outcome("b", "1/7", 11).add_outcome("a", "6/7", 1);
  b.begin_choice("b", "x").add_outcome("a", "1/10", 5).add_outcome("b", "9/10", 1);
  b.begin_choice("b", "z").add_outcome("a", "1/2", -3).add_outcome("end", "1/2", 7);
  return b.build();
}

class PromiseOracles : public ::testing::Test {
 protected:
  PromiseOracles() : model_(short_walk()), limits_(options_) {
    stages_ = std::make_shared<Stages>(model_, resolve(model_, {}), limits_);
    windows_ = std::make_shared<Windows>(*stages_, ChoiceFilter(), limits_);
    expectation_ = std::make_shared<Expectation<double>>(*stages_, limits_);
    const Window start = windows_->start();
    for (std::int64_t y = start.least - 1; y <= start.possible + 1; ++y) targets_.push_back(y);
    const Expectation<Rational> exact(*stages_, limits_);
    exact_ = exact_nodes({stages_,
                          std::make_shared<Windows>(windows_->down_to_least()),
                          FreeWorth::of_mean(exact),
                          targets_,
                          1'000'000},
                         limits_);
  }

  void expect_agreement(PromisePasses& other, const Aim& aim) {
    Work work;
    const auto truth = exact_->run(aim, limits_, work);
    const auto found = other.run(aim, limits_, work);
    ASSERT_TRUE(truth && found);
    for (std::size_t i = 0; i < targets_.size(); ++i) {
      const Prospect& a = (*truth)[i];
      const Prospect& b = (*found)[i];
      if (aim.weight) {
        EXPECT_GE(*b.optimum, *a.optimum) << targets_[i];
        EXPECT_NEAR(to_nearest_double(*b.optimum), to_nearest_double(*a.optimum), 1e-9);
        EXPECT_NEAR(to_nearest_double(b.mean + *aim.weight * b.chance),
                    to_nearest_double(*a.optimum),
                    1e-9);
      } else {
        EXPECT_LE(b.probability.least(), *a.probability.exact) << targets_[i];
        EXPECT_GE(b.probability.greatest(), *a.probability.exact) << targets_[i];
        EXPECT_LE(abs(b.mean - a.mean), b.mean_error) << targets_[i];
      }
    }
  }

  Model model_;
  Options options_;
  Limits limits_;
  std::shared_ptr<Stages> stages_;
  std::shared_ptr<Windows> windows_;
  std::shared_ptr<Expectation<double>> expectation_;
  std::vector<std::int64_t> targets_;
  std::unique_ptr<PromisePasses> exact_;
};

TEST_F(PromiseOracles, AgreeOnEveryTarget) {
  const auto nodes = double_nodes({stages_, windows_, expectation_, targets_, 1'000'000}, limits_);
  const auto arrays = WeightedPass::prepare(
      {stages_, windows_, expectation_, find_kernel("auto"), targets_}, limits_);
  ASSERT_TRUE(exact_ && nodes && arrays);
  EXPECT_TRUE(exact_->is_exact());
  EXPECT_FALSE(nodes->is_exact());
  for (const char* weight : {"0", "1/3", "2", "7.5", "30", "1000"}) {
    expect_agreement(*nodes, Aim::weighted(Number::parse(weight).rational()));
    expect_agreement(*arrays, Aim::weighted(Number::parse(weight).rational()));
  }
  expect_agreement(*nodes, Aim::probability_first());
  expect_agreement(*arrays, Aim::probability_first());
}

TEST_F(PromiseOracles, RefuseMoreNodesThanTheyMayHave) {
  EXPECT_EQ(double_nodes({stages_, windows_, expectation_, targets_, 100}, limits_), nullptr);
}

TEST_F(PromiseOracles, SettleTheProbabilityOfAPolicyInRationals) {
  const auto nodes = double_nodes({stages_, windows_, expectation_, targets_, 1'000'000}, limits_);
  ASSERT_TRUE(nodes);
  Work work;
  const auto truth = exact_->run(Aim::probability_first(), limits_, work);
  for (std::size_t i = 0; i < targets_.size(); ++i)
    EXPECT_EQ(nodes->exact_probability(Aim::probability_first(), i, limits_),
              (*truth)[i].probability.exact);
}

}  // namespace
}  // namespace quantiplan
