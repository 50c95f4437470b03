#include <gtest/gtest.h>

#include <map>
#include <set>
#include <string>

#include "domains/garnet.hpp"
#include "domains/machine.hpp"
#include "domains/model_rows.hpp"
#include "domains/river.hpp"
#include "quantiplan/domains.hpp"
#include "quantiplan/formats.hpp"

namespace quantiplan {
namespace {

std::string json(const Model& model) { return format_model(model, Format::json); }

// A value of each parameter that is not its usual one. Where the name of the domain is needed to
// tell, it stands before the parameter. Long by its entries. NOLINTNEXTLINE(readability-function-size)
const std::map<std::string, std::string>& other_values() {
  static const std::map<std::string, std::string> values{{"states", "9"},
                                                         {"actions", "2"},
                                                         {"branching", "3"},
                                                         {"horizon", "4"},
                                                         {"discount", "1/3"},
                                                         {"reward-of", "outcome"},
                                                         {"gambler reward-of", "goal"},
                                                         {"rewards", "skewed"},
                                                         {"least-reward", "-7"},
                                                         {"greatest-reward", "50"},
                                                         {"reward-digits", "2"},
                                                         {"grid", "1000"},
                                                         {"seed", "2"},
                                                         {"servers", "4"},
                                                         {"jobs-per-server", "2"},
                                                         {"mean-halves", "2,3,4"},
                                                         {"cut-halves", "1,3"},
                                                         {"capacity", "2"},
                                                         {"power", "3"},
                                                         {"overload-job", "14"},
                                                         {"overload-step", "21"},
                                                         {"switching", "0"},
                                                         {"initial-on", "2"},
                                                         {"initial-jobs", "4"},
                                                         {"levels", "5"},
                                                         {"initial-wear", "10"},
                                                         {"wear", "0.5"},
                                                         {"failure", "1/7"},
                                                         {"earnings", "2"},
                                                         {"slowdown", "0.5"},
                                                         {"breakdown", "4"},
                                                         {"repair-cost", "0.3"},
                                                         {"repair-success", "0.9"},
                                                         {"replacement-cost", "2"},
                                                         {"goal", "12"},
                                                         {"initial-capital", "5"},
                                                         {"win", "0.49"},
                                                         {"least-bet", "1"},
                                                         {"greatest-bet", "2"},
                                                         {"initial", "0"},
                                                         {"forward", "0.35"},
                                                         {"back", "0.05"},
                                                         {"small-reward", "6"},
                                                         {"large-reward", "1e3"},
                                                         {"width", "5"},
                                                         {"height", "3"},
                                                         {"slip", "0"},
                                                         {"step-cost", "1.5"},
                                                         {"fall-cost", "50"},
                                                         {"initial-stock", "1"},
                                                         {"demand", "1/2,1/2"},
                                                         {"poisson-mean", "2"},
                                                         {"price", "7"},
                                                         {"order-cost", "3"},
                                                         {"unit-cost", "1"},
                                                         {"holding-cost", "2"},
                                                         {"shortage-cost", "1"},
                                                         {"order-limit", "1"},
                                                         {"hiv reward-of", "quality"},
                                                         {"age", "2"},
                                                         {"cd4", "1"},
                                                         {"seats", "3"},
                                                         {"first", "30"},
                                                         {"small", "10"},
                                                         {"large", "60"}};
  return values;
}

std::string other_value(const Domain& domain, const DomainParameter& parameter) {
  const std::string name(parameter.name);
  const auto own = other_values().find(std::string(domain.name) + " " + name);
  return own != other_values().end() ? own->second : other_values().at(name);
}

// Small enough to be quick, large enough for every value above.
std::vector<GivenParameter> small_parameters(const Domain& domain, std::string_view without) {
  std::vector<GivenParameter> given;
  if (domain.name == "garnet" && without != "states") given.push_back({"states", "8"});
  return given;
}

TEST(DomainTable, NamesAreDistinct) {
  std::set<std::string_view> domains;
  for (const Domain& domain : domain_table()) {
    EXPECT_TRUE(domains.insert(domain.name).second) << domain.name;
    std::set<std::string_view> parameters;
    for (const DomainParameter& p : domain.parameters) {
      EXPECT_TRUE(parameters.insert(p.name).second) << p.name;
      EXPECT_FALSE(p.help.empty()) << p.name;
    }
    EXPECT_TRUE(parameters.contains("horizon")) << domain.name;
    EXPECT_TRUE(parameters.contains("discount")) << domain.name;
  }
  EXPECT_EQ(domains.size(), 10u);
}

TEST(DomainTable, EveryModelCanBeSolvedAsItIs) {
  for (const Domain& domain : domain_table()) {
    const Model model = generate(domain.name);
    EXPECT_TRUE(model.name().starts_with(domain.name));
    EXPECT_TRUE(model.horizon().has_value()) << domain.name;
    EXPECT_TRUE(model.discount().has_value()) << domain.name;
    EXPECT_TRUE(model.initial().has_value()) << domain.name;
    expect_probabilities_sum_to_one(model);
  }
}

TEST(DomainTable, UsualValuesReadBackAsTheModelWithoutThem) {
  for (const Domain& domain : domain_table()) {
    std::vector<GivenParameter> all;
    for (const DomainParameter& p : domain.parameters) {
      all.push_back({std::string(p.name), p.usual});
    }
    EXPECT_EQ(json(generate(domain.name, all)), json(generate(domain.name))) << domain.name;
  }
}

TEST(DomainTable, EveryParameterChangesTheModel) {
  for (const Domain& domain : domain_table()) {
    for (const DomainParameter& p : domain.parameters) {
      std::vector<GivenParameter> given = small_parameters(domain, p.name);
      const std::string usual = json(generate(domain.name, given));
      given.push_back({std::string(p.name), other_value(domain, p)});
      EXPECT_NE(json(generate(domain.name, given)), usual) << domain.name << " " << p.name;
    }
  }
}

TEST(DomainTable, TextsMeanTheirValues) {
  MachineParameters p;
  p.levels = 4;
  p.wear = Rational(1, 3);
  EXPECT_EQ(json(generate("machine", {{"levels", "4"}, {"wear", "1/3"}})), json(machine(p)));
  GarnetParameters g;
  g.states = 8;
  g.reward_of = GarnetParameters::RewardOf::outcome;
  g.least_reward = -7;
  EXPECT_EQ(
      json(generate("garnet", {{"states", "8"}, {"reward-of", "outcome"}, {"least-reward", "-7"}})),
      json(garnet(g)));
}

TEST(DomainTable, WhatCannotBeReadIsNamed) {
  const auto problem = [](const char* domain, const char* name, const char* text) {
    const Names list = problems_of([&] { (void)generate(domain, {{name, text}}); });
    return list.size() == 1 ? list.front() : "not one problem";
  };
  EXPECT_EQ(problem("machine", "levels", "ten"),
            "--levels: found 'ten', expected a whole number from 0 to 2^32 - 1");
  EXPECT_EQ(problem("machine", "levels", "-1"),
            "--levels: found '-1', expected a whole number from 0 to 2^32 - 1");
  EXPECT_EQ(problem("machine", "horizon", ""),
            "--horizon: found '', expected a whole number from 0 to 2^64 - 1");
  EXPECT_EQ(problem("garnet", "least-reward", "0.5"),
            "--least-reward: found '0.5', expected a whole number from -2^63 to 2^63 - 1");
  EXPECT_EQ(problem("garnet", "reward-of", "state"),
            "--reward-of: found 'state', expected choice or outcome");
  EXPECT_EQ(problem("gambler", "greatest-bet", "all"),
            "--greatest-bet: found 'all', expected a whole number from 0 to 2^32 - 1, or auto");
  EXPECT_EQ(problem("datacenter", "cut-halves", "1,2,3"),
            "--cut-halves: found '1,2,3', expected 2 whole numbers with commas between");
  EXPECT_EQ(problem("inventory", "demand", "1,"),
            "--demand: '' is no number: it is empty; expected a decimal such as -0.5 or 1e-3, "
            "or a fraction such as 1/3");
  EXPECT_EQ(problem("river", "seed", "1"),
            "--seed: no parameter of 'river', expected one of states, initial, horizon, discount, "
            "forward, back, small-reward, large-reward");
  EXPECT_EQ(problem("river", "discount", "0"),
            "--discount: found 0, must be above 0 and at most 1");
  EXPECT_EQ(problem("lake", "states", "3"),
            "domain: found 'lake', expected one of garnet, datacenter, machine, gambler, river, "
            "cliff, inventory, hiv, seats, gamble");
  EXPECT_EQ(problems_of([] {
              (void)generate("river", {{"states", "3"}, {"states", "3"}});
            }),
            Names({"--states: found it more than once, expected once"}));
}

}  // namespace
}  // namespace quantiplan
