#include "domains/hiv.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "domains/parameter_checks.hpp"

namespace quantiplan {
namespace {

constexpr std::uint32_t kAges = 8;
constexpr std::uint32_t kGroups = 7;
constexpr std::uint32_t kPeriods = 8;
constexpr std::uint32_t kDead = kAges * kGroups * (kPeriods + 1);
constexpr int kShares = 10000;

using ByGroup = std::array<const char*, kGroups>;

struct Figures {
  std::array<double, kGroups> edges;  // lower edge of each group of CD4
  std::array<double, kGroups> midpoints;
  ByGroup death_untreated;
  ByGroup death_treated;
  ByGroup reward_untreated;
  ByGroup reward_treated;
};

constexpr ByGroup kAlive = {"1", "1", "1", "1", "1", "1", "1"};

constexpr Figures kLife = {
    {0, 50, 100, 200, 350, 500, 650},
    {25, 75, 150, 275, 425, 575, 750},
    {"0.1005", "0.02", "0.0108", "0.006", "0.0016", "0.001", "0.0008"},
    {"0.0167", "0.0119", "0.0085", "0.0039", "0.0003", "0.0002", "0.0002"},
    kAlive,
    kAlive,
};

constexpr Figures kQuality = {
    {0, 50, 100, 200, 300, 400, 500},
    {25, 75, 150, 250, 350, 450, 750},
    {"0.1618", "0.0692", "0.0549", "0.0428", "0.0348", "0.0295", "0.0186"},
    {"0.1356", "0.0472", "0.0201", "0.0103", "0.0076", "0.0076", "0.0045"},
    {"0.41", "0.415", "0.42", "0.425", "0.43", "0.435", "0.44"},
    {"0.36", "0.375", "0.39", "0.405", "0.42", "0.435", "0.45"},
};

// In a year and among 100,000, by age group.
constexpr std::array<const char*, kAges> kOtherDeaths = {
    "79.5", "163.4", "255.4", "453.3", "992.1", "1978.7", "4708.2", "14389.6"};

constexpr double kDriftUntreated = -35.25;
constexpr std::array<double, kPeriods> kDriftTreated = {100, 50, 40, 40, 25, 20, 20, 0};
constexpr double kDeviation = 25;

Rational figure(const char* text) { return Number::parse(text).rational(); }

// Multiples of 1/kShares: differences of the rounded distribution function, so that their sum is 1.
std::array<int, kGroups> group_law(const Figures& figures, std::uint32_t group, double drift) {
  const double mean = figures.midpoints[group] + drift;
  std::array<int, kGroups> law{};
  int above = kShares;  // of this group and those above it
  for (std::uint32_t c = 0; c < kGroups; ++c) {
    int beyond = 0;
    if (c + 1 < kGroups) {
      const double z = (figures.edges[c + 1] - mean) / (kDeviation * std::sqrt(2.0));
      beyond = static_cast<int>(std::lround(kShares * 0.5 * std::erfc(z)));
    }
    law[c] = above - beyond;
    above = beyond;
  }
  return law;
}

State state_at(std::uint32_t age, std::uint32_t group, std::uint32_t periods) {
  return State{(age * kGroups + group) * (kPeriods + 1) + periods};
}

void add_step(ModelBuilder& builder,
              const Figures& figures,
              std::uint32_t age,
              std::uint32_t group,
              std::uint32_t periods,
              bool is_treated) {
  const Rational other = figure(kOtherDeaths[age]) / 200000;
  const Rational by_hiv =
      figure((is_treated ? figures.death_treated : figures.death_untreated)[group]);
  const Rational alive = (1 - by_hiv) * (1 - other);
  const double drift = !is_treated          ? kDriftUntreated
                       : periods < kPeriods ? kDriftTreated[periods]
                                            : 0;
  const std::uint32_t next_periods = is_treated ? std::min(periods + 1, kPeriods) : periods;
  const Rational reward =
      figure((is_treated ? figures.reward_treated : figures.reward_untreated)[group]);
  const std::array<int, kGroups> law = group_law(figures, group, drift);
  builder.begin_choice(state_at(age, group, periods), is_treated ? "treat" : "wait");
  builder.add_outcome(State{kDead}, Rational(1 - alive), 0);
  const Rational ages = age + 1 < kAges ? Rational(1, 20) : Rational(0);
  for (std::uint32_t c = 0; c < kGroups; ++c) {
    const Rational there = alive * law[c] / kShares;
    builder.add_outcome(state_at(age, c, next_periods), Rational(there * (1 - ages)), reward);
    if (age + 1 < kAges)
      builder.add_outcome(state_at(age + 1, c, next_periods), Rational(there * ages), reward);
  }
}

}  // namespace

void HivParameters::validate() const {
  ParameterChecks check;
  check.whole("age", age, 0, kAges - 1);
  check.whole("cd4", cd4, 0, kGroups - 1);
  check.setting(horizon, discount);
  check.done();
}

Model hiv(const HivParameters& parameters, WorkWatch* watch) {
  const HivParameters& p = parameters;
  p.validate();
  const bool is_life = p.reward_of == HivParameters::RewardOf::life;
  const Figures& figures = is_life ? kLife : kQuality;
  const auto name = [](std::uint32_t age, std::uint32_t group, std::uint32_t periods) {
    return fmt::format("age={},cd4={},periods={}", age, group, periods);
  };
  ModelBuilder builder;
  builder.watched_by(watch);
  builder.name(is_life ? "hiv" : "hiv-quality").horizon(p.horizon).discount(p.discount);
  builder.initial(name(p.age, p.cd4, 0));
  const auto for_each_state = [](const auto& visit) {
    for (std::uint32_t age = 0; age < kAges; ++age) {
      for (std::uint32_t group = 0; group < kGroups; ++group) {
        for (std::uint32_t periods = 0; periods <= kPeriods; ++periods) visit(age, group, periods);
      }
    }
  };
  for_each_state([&](auto... s) { builder.declare_state(name(s...)); });
  builder.declare_state("dead");
  for_each_state([&](std::uint32_t age, std::uint32_t group, std::uint32_t periods) {
    if (periods == 0) add_step(builder, figures, age, group, periods, false);
    add_step(builder, figures, age, group, periods, true);
  });
  return builder.build();
}

}  // namespace quantiplan
