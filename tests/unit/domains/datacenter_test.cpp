#include "domains/datacenter.hpp"

#include <gtest/gtest.h>

#include <string>
#include <string_view>

#include "domains/model_rows.hpp"

namespace quantiplan {
namespace {

Choice find(const Model& model, std::string_view state, std::string_view action) {
  return model.find_choice(model.find_state(state).value(), action).value();
}

Rational reward(const Model& model, std::string_view state, std::string_view action) {
  return model.reward(model.outcomes(find(model, state, action)).front());
}

Rational mean_jobs(const Model& model, std::string_view state, std::string_view action) {
  Rational mean = 0;
  for (const Outcome& o : model.outcomes(find(model, state, action))) {
    const std::string name(model.state_name(o.next));
    mean += model.probability(o) * Rational(name.substr(name.rfind('=') + 1));
  }
  return mean;
}

TEST(Datacenter, HasOneStatePerServersAndJobs) {
  const Model model = datacenter({});
  EXPECT_EQ(model.name(), "datacenter-5");
  EXPECT_EQ(model.horizon(), 10u);
  EXPECT_EQ(model.discount(), Rational(1));
  EXPECT_EQ(model.state_count(), 5u * 15u);
  EXPECT_EQ(model.choice_count(), 5u * 15u * 5u);
  EXPECT_EQ(model.state_name(model.initial()->only()), "on=3,jobs=5");
  EXPECT_EQ(model.state_name(State{0}), "on=1,jobs=1");
  EXPECT_EQ(model.state_name(State{74}), "on=5,jobs=15");
}

TEST(Datacenter, ThirtyServersMakeThePapersStates) {
  DatacenterParameters p;
  p.servers = 30;
  p.grid = 100;  // fewer outcomes: this test is about states
  const Model model = datacenter(p);
  EXPECT_EQ(model.state_count(), 2700u);
  EXPECT_EQ(model.choice_count(), 81000u);
}

TEST(Datacenter, RewardIsPowerOverloadAndSwitching) {
  const Model model = datacenter({});
  EXPECT_EQ(reward(model, "on=3,jobs=9", "3 on"), -6);
  EXPECT_EQ(reward(model, "on=3,jobs=9", "5 on"), -10);
  EXPECT_EQ(reward(model, "on=3,jobs=9", "1 on"), -10);
  EXPECT_EQ(reward(model, "on=3,jobs=10", "3 on"), -(6 + 20 + 15));
  EXPECT_EQ(reward(model, "on=1,jobs=15", "5 on"), -(2 + 20 + 12 * 15 + 8));
}

TEST(Datacenter, NextStateHasTheServersOfTheAction) {
  const Model model = datacenter({});
  for (const Outcome& o : model.outcomes(find(model, "on=2,jobs=7", "4 on"))) {
    EXPECT_TRUE(model.state_name(o.next).starts_with("on=4,jobs="));
  }
}

// 5 servers: means 3, 8 and 13 up to 5 jobs, up to 10, and beyond, cut off to 1..15. Rounding moves
// each of 15 probabilities by less than 1e-6, the mean by less than 120e-6.
TEST(Datacenter, JobsFollowTheRegimeOfTheCurrentJobs) {
  const Model model = datacenter({});
  EXPECT_EQ(mean_jobs(model, "on=1,jobs=1", "2 on"), mean_jobs(model, "on=4,jobs=5", "3 on"));
  EXPECT_EQ(mean_jobs(model, "on=1,jobs=6", "2 on"), mean_jobs(model, "on=1,jobs=10", "2 on"));
  EXPECT_EQ(mean_jobs(model, "on=1,jobs=11", "2 on"), mean_jobs(model, "on=1,jobs=15", "2 on"));
  EXPECT_NEAR(mean_jobs(model, "on=1,jobs=1", "2 on").get_d(), 3.157185, 2e-4);
  EXPECT_NEAR(mean_jobs(model, "on=1,jobs=6", "2 on").get_d(), 7.929875, 2e-4);
  EXPECT_NEAR(mean_jobs(model, "on=1,jobs=11", "2 on").get_d(), 11.493788, 2e-4);
}

TEST(Datacenter, ProbabilitiesAreGridFractionsThatSumToOne) {
  const Model model = datacenter({});
  for (std::uint32_t c = 0; c < model.choice_count(); ++c) {
    Rational sum = 0;
    for (const Outcome& o : model.outcomes(Choice{c})) {
      const Rational units = model.probability(o) * 1'000'000;
      EXPECT_EQ(units.get_den(), 1);
      EXPECT_GT(units, 0);
      sum += model.probability(o);
    }
    EXPECT_EQ(sum, 1);
  }
}

TEST(Datacenter, EveryWeightAndCutPointIsAParameter) {
  DatacenterParameters p;
  p.servers = 4;
  p.jobs_per_server = 2;
  p.capacity = 1;
  p.power = 100;
  p.overload_job = 10;
  p.overload_step = 3;
  p.switching = 1;
  p.cut_halves = {1, 1};
  p.mean_halves = {2, 3, 1};
  p.initial_on = 4;
  p.initial_jobs = 8;
  const Model model = datacenter(p);
  EXPECT_EQ(model.state_count(), 4u * 8u);
  EXPECT_EQ(model.state_name(model.initial()->only()), "on=4,jobs=8");
  EXPECT_EQ(reward(model, "on=2,jobs=5", "3 on"), -(200 + 30 + 3 + 1));
  // Cut-points coincide: up to 2 jobs the mean is 4, beyond it is 2.
  EXPECT_NEAR(mean_jobs(model, "on=2,jobs=2", "3 on").get_d(), 3.952289, 2e-4);
  EXPECT_NEAR(mean_jobs(model, "on=2,jobs=3", "3 on").get_d(), 2.311133, 2e-4);
}

TEST(Datacenter, WrongParametersAreNamed) {
  DatacenterParameters p;
  p.servers = 0;
  p.cut_halves = {5, 4};
  EXPECT_EQ(problems_of([&] { (void)datacenter(p); }),
            std::vector<std::string>({"--servers: found 0, must be from 1 to 1000",
                                      "--cut-halves: found 5, must be ascending"}));
}

TEST(Datacenter, StartOutsideTheStatesIsNamed) {
  DatacenterParameters p;
  p.initial_on = 6;
  EXPECT_EQ(problems_of([&] { (void)datacenter(p); }),
            std::vector<std::string>({"--initial-on: found 6, must be from 1 to servers"}));
}

}  // namespace
}  // namespace quantiplan
