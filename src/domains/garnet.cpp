#include "domains/garnet.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <vector>

#include "base/work_watch.hpp"
#include "domains/grid_numbers.hpp"
#include "domains/parameter_checks.hpp"
#include "domains/seeded.hpp"

namespace quantiplan {
namespace {

std::vector<std::string> numbered(char letter, std::uint32_t count) {
  std::vector<std::string> names;
  names.reserve(count);
  for (std::uint32_t i = 0; i < count; ++i) names.push_back(fmt::format("{}{}", letter, i));
  return names;
}

// Rewards have 15 digits at most, decimal places included: a range of them is counted in 64 bits,
// and their sums have room besides.
constexpr std::uint32_t kMostDigits = 15;

std::int64_t power_of_ten(std::uint32_t exponent) {
  std::int64_t power = 1;
  for (std::uint32_t i = 0; i < exponent; ++i) power *= 10;
  return power;
}

// The rewards of one choice after another.
class RandomRewards {
 public:
  explicit RandomRewards(const GarnetParameters& p)
      : parameters_(p),
        unit_(power_of_ten(is_integer() ? p.reward_digits : kMostDigits)),
        least_(is_integer() ? p.least_reward * unit_ : 0),
        count_(static_cast<std::uint64_t>((is_integer() ? p.greatest_reward * unit_ : unit_) -
                                          least_) +
               1) {}

  // Of all outcomes of a choice.
  void draw(Seeded& random, std::vector<Number>& rewards) const {
    rewards.clear();
    if (parameters_.rewards == GarnetParameters::Rewards::skewed) {
      draw_skewed(random, rewards);
      return;
    }
    const bool each = parameters_.reward_of == GarnetParameters::RewardOf::outcome;
    for (std::uint32_t i = 0; i < parameters_.branching; ++i)
      rewards.push_back(each || i == 0 ? one(random) : rewards.front());
  }

 private:
  [[nodiscard]] bool is_integer() const {
    return parameters_.rewards == GarnetParameters::Rewards::integer;
  }
  Number one(Seeded& random) const {
    return Fraction{least_ + static_cast<std::int64_t>(random.below(count_)), unit_};
  }
  // Safe: a little, whatever comes. Risky: 1 if one outcome comes, nothing else.
  void draw_skewed(Seeded& random, std::vector<Number>& rewards) const {
    constexpr std::int64_t kUnit = 1000;
    constexpr std::uint64_t kMostSafe = 200;
    if (random.below(2) == 0) {
      const auto safe = static_cast<std::int64_t>(random.below(kMostSafe + 1));
      rewards.assign(parameters_.branching, Number(Fraction{safe, kUnit}));
      return;
    }
    rewards.assign(parameters_.branching, Number(0));
    rewards[random.below(parameters_.branching)] = Number(1);
  }

  const GarnetParameters& parameters_;
  std::int64_t unit_;  // per 1
  std::int64_t least_;
  std::uint64_t count_;
};

// Of integer rewards. A range that would fit without decimal places blames these: they are 0 unless
// they are given.
void check_range(const GarnetParameters& p, ParameterChecks& check) {
  const std::int64_t most = power_of_ten(kMostDigits);
  const std::int64_t size =
      std::max(-std::max(p.least_reward, -most), std::min(p.greatest_reward, most));
  check.want(p.least_reward >= -most, "least-reward", p.least_reward, "at least -10^15");
  check.want(p.greatest_reward <= most, "greatest-reward", p.greatest_reward, "at most 10^15");
  check.want(p.least_reward <= p.greatest_reward,
             "least-reward",
             p.least_reward,
             "at most greatest-reward");
  std::uint32_t room = kMostDigits;  // decimal places that the largest reward leaves
  while (room > 0 && power_of_ten(kMostDigits - room) < size) --room;
  check.want(p.reward_digits <= room,
             "reward-digits",
             p.reward_digits,
             fmt::format(
                 "at most {} with rewards from {} to {}", room, p.least_reward, p.greatest_reward));
}

}  // namespace

void GarnetParameters::validate() const {
  ParameterChecks check;
  check.want(states >= 1, "states", states, "at least 1");
  check.want(actions >= 1, "actions", actions, "at least 1");
  check.want(branching >= 1 && branching <= states, "branching", branching, "from 1 to states");
  check.setting(horizon, discount);
  if (rewards != Rewards::integer)
    check.want(reward_digits <= kMostDigits, "reward-digits", reward_digits, "at most 15");
  check.want(
      grid >= branching && grid <= GridNumbers::kFinest, "grid", grid, "from branching to 10^9");
  if (rewards == Rewards::integer) check_range(*this, check);
  check.done();
}

Model garnet(const GarnetParameters& parameters, WorkWatch* watch) {
  const GarnetParameters& p = parameters;
  p.validate();
  if (watch != nullptr)
    watch->ask_if_large((std::uint64_t{p.states} + p.actions) * sizeof(std::string));
  const std::vector<std::string> states = numbered('s', p.states);
  const std::vector<std::string> actions = numbered('a', p.actions);
  const RandomRewards rewards(p);
  GridNumbers probabilities(p.grid);
  Seeded random(p.seed);

  ModelBuilder builder;
  builder.watched_by(watch);
  builder.name(fmt::format("garnet-{}-{}-{}", p.states, p.actions, p.branching));
  builder.horizon(p.horizon).discount(p.discount).initial(states.front());
  for (const std::string& state : states) builder.declare_state(state);
  std::vector<std::uint64_t> next;
  std::vector<std::uint64_t> cuts;
  std::vector<Number> of_choice;
  for (const std::string& state : states) {
    for (const std::string& action : actions) {
      builder.begin_choice(state, action);
      random.subset(p.branching, p.states, next);
      random.subset(p.branching - 1, p.grid - 1, cuts);  // cut c stands for the point (c+1)/grid
      cuts.push_back(p.grid - 1);
      rewards.draw(random, of_choice);
      std::uint64_t begin = 0;
      for (std::size_t i = 0; i < next.size(); ++i) {
        const std::uint64_t end = cuts[i] + 1;
        builder.add_outcome(states[next[i]], probabilities[end - begin], of_choice[i]);
        begin = end;
      }
    }
  }
  return builder.build();
}

}  // namespace quantiplan
