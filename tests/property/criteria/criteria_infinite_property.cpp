// CVaR and expectation of costs to a goal at an infinite horizon, against a long finite horizon at whose end a miss is dear.
#include <gtest/gtest.h>

#include <cmath>

#include "harness/random_model.hpp"
#include "oracles/plain_model.hpp"
#include "quantiplan/error.hpp"
#include "quantiplan/measures.hpp"
#include "quantiplan/solve.hpp"

namespace quantiplan::testing {
namespace {

constexpr int kSteps = 400;
constexpr double kCostOfMiss = 1e7;

// Least E (C - b)^+ over kSteps steps, for every b up to `most`, in doubles; costs are whole.
class LongCosts {
 public:
  LongCosts(const PlainModel& plain, std::size_t most) : plain_(plain), most_(most) {
    const std::size_t states = plain.states.size();
    mean_.assign(states, kCostOfMiss);
    excess_.assign(states, std::vector<double>(most + 1, kCostOfMiss));
    for (const std::size_t g : plain.goal) {
      mean_[g] = 0;
      excess_[g].assign(most + 1, 0);
    }
    for (int t = 0; t < kSteps; ++t) step();
  }
  [[nodiscard]] double cvar(const Rational& tau) const {
    double best = HUGE_VAL;
    for (std::size_t b = 0; b <= most_; ++b)
      best = std::min(best,
                      static_cast<double>(b) + excess_[plain_.initial][b] / to_nearest_double(tau));
    return best;
  }

 private:
  void step() {
    std::vector<double> mean = mean_;
    auto excess = excess_;
    for (std::size_t s = 0; s < plain_.states.size(); ++s) {
      if (plain_.is_goal(s) || plain_.states[s].choices.empty()) continue;
      for (std::size_t b = 0; b <= most_ + 1; ++b) {
        double best = HUGE_VAL;
        for (const PlainChoice& choice : plain_.states[s].choices) {
          double sum = 0;
          for (const PlainOutcome& o : choice.outcomes)
            sum += to_nearest_double(o.probability) * after(o, b);
          best = std::min(best, sum);
        }
        (b <= most_ ? excess[s][b] : mean[s]) = best;
      }
    }
    mean_ = std::move(mean);
    excess_ = std::move(excess);
  }
  // Beyond the last budget stands the whole cost.
  [[nodiscard]] double after(const PlainOutcome& o, std::size_t b) const {
    const double cost = to_nearest_double(o.reward);
    if (b > most_) return cost + mean_[o.next];
    const double left = static_cast<double>(b) - cost;
    return left >= 0 ? excess_[o.next][static_cast<std::size_t>(left)] : mean_[o.next] - left;
  }

  const PlainModel& plain_;
  std::size_t most_;
  std::vector<double> mean_;
  std::vector<std::vector<double>> excess_;
};

bool has_whole_costs_to_a_goal(const PlainModel& plain) {
  if (!plain.cost || plain.goal.empty() || plain.is_goal(plain.initial)) return false;
  for (const PlainState& state : plain.states)
    for (const PlainChoice& choice : state.choices)
      for (const PlainOutcome& o : choice.outcomes)
        if (o.reward < 0 || o.reward > 20 || o.reward.get_den() != 1) return false;
  return true;
}

void require_near(const PlainModel& plain, std::uint64_t seed) {
  const Model model = build(plain);
  Query query;
  query.criterion.kind = Criterion::Kind::cvar;
  query.taus = {Rational(1, 10), Rational(1, 2), Rational(1)};
  const Answer answer = solve(model, query);
  Query means;
  means.criterion.kind = Criterion::Kind::expectation;
  const Result mean = solve(model, means).results.front();
  EXPECT_EQ(answer.results.back().optimum->lower, mean.optimum->lower) << "seed " << seed;
  for (const Result& result : answer.results) {
    const Total& value = result.optimum->lower;
    EXPECT_EQ(value, result.optimum->upper);
    if (!value.is_finite()) {
      EXPECT_EQ(value, Total::miss());
      EXPECT_GE(LongCosts(plain, 1).cvar(result.tau), kCostOfMiss / 1000) << "seed " << seed;
      continue;
    }
    const double cost = -to_nearest_double(value.value());
    if (cost > 500) continue;
    const double near = LongCosts(plain, static_cast<std::size_t>(cost) + 2).cvar(result.tau);
    EXPECT_NEAR(cost, near, 1e-6 * (1 + near))
        << "seed " << seed << ", tau " << to_text(result.tau);
    const auto own = measure(result.distribution(), {{Measure::cvar}, {result.tau}, {}});
    ASSERT_TRUE(own.front().value.has_value());
    EXPECT_LE(own.front().value->lower, value) << "seed " << seed;
    EXPECT_GE(own.front().value->upper, value) << "seed " << seed;
  }
}

TEST(Property, CostsToAGoalWithoutEndAreNearLongHorizons) {
  int tried = 0;
  for (std::uint64_t seed = 1; seed < 2000 && tried < 60; ++seed) {
    const PlainModel plain = infinite_model(seed);
    if (!has_whole_costs_to_a_goal(plain)) continue;
    ++tried;
    try {
      require_near(plain, seed);
    } catch (const Error& error) {
      EXPECT_EQ(error.code(), ErrorCode::refused) << "seed " << seed << ": " << error.what();
    }
  }
  EXPECT_GE(tried, 10);
}

}  // namespace
}  // namespace quantiplan::testing
