#include "garnet.hpp"

#include <fmt/format.h>

#include <string>
#include <vector>

#include "grid_numbers.hpp"
#include "quantiplan/error.hpp"
#include "seeded.hpp"

namespace quantiplan {
namespace {

std::vector<std::string> numbered(char letter, std::uint32_t count) {
  std::vector<std::string> names;
  names.reserve(count);
  for (std::uint32_t i = 0; i < count; ++i) names.push_back(fmt::format("{}{}", letter, i));
  return names;
}

class RandomRewards {
 public:
  explicit RandomRewards(const GarnetParameters& p)
      : least_(p.least_reward),
        count_(static_cast<std::uint64_t>(p.greatest_reward - p.least_reward) + 1) {}

  Number draw(Seeded& random) const {
    return least_ + static_cast<std::int64_t>(random.below(count_));
  }

 private:
  std::int64_t least_;
  std::uint64_t count_;
};

}  // namespace

void GarnetParameters::validate() const {
  Problems problems;
  const auto want = [&](bool holds, std::string_view what, auto found, std::string_view wanted) {
    if (!holds)
      problems.add("garnet", fmt::format("{}: found {}, must be {}", what, found, wanted));
  };
  // A range of rewards is counted in 64 bits, and their sums must have room besides.
  constexpr std::int64_t kMostReward = 1'000'000'000'000'000;
  want(states >= 1, "states", states, "at least 1");
  want(actions >= 1, "actions", actions, "at least 1");
  want(branching >= 1 && branching <= states, "branching", branching, "from 1 to states");
  want(grid >= branching && grid <= GridNumbers::kFinest, "grid", grid, "from branching to 10^9");
  want(least_reward >= -kMostReward, "least_reward", least_reward, "at least -10^15");
  want(greatest_reward <= kMostReward, "greatest_reward", greatest_reward, "at most 10^15");
  want(least_reward <= greatest_reward, "least_reward", least_reward, "at most greatest_reward");
  problems.throw_if_any(ErrorCode::bad_request);
}

Model garnet(const GarnetParameters& parameters) {
  const GarnetParameters& p = parameters;
  p.validate();
  const std::vector<std::string> states = numbered('s', p.states);
  const std::vector<std::string> actions = numbered('a', p.actions);
  const RandomRewards rewards(p);
  GridNumbers probabilities(p.grid);
  Seeded random(p.seed);

  ModelBuilder builder;
  builder.name(fmt::format("garnet-{}-{}-{}", p.states, p.actions, p.branching));
  builder.horizon(p.horizon).initial(states.front());
  for (const std::string& state : states) builder.declare_state(state);
  std::vector<std::uint64_t> next;
  std::vector<std::uint64_t> cuts;
  for (const std::string& state : states) {
    for (const std::string& action : actions) {
      builder.begin_choice(state, action);
      random.subset(p.branching, p.states, next);
      random.subset(p.branching - 1, p.grid - 1, cuts);  // cut c stands for the point (c+1)/grid
      cuts.push_back(p.grid - 1);
      Number reward = rewards.draw(random);
      std::uint64_t begin = 0;
      for (std::size_t i = 0; i < next.size(); ++i) {
        const std::uint64_t end = cuts[i] + 1;
        if (i > 0 && p.reward_of == GarnetParameters::RewardOf::outcome) {
          reward = rewards.draw(random);
        }
        builder.add_outcome(states[next[i]], probabilities[end - begin], reward);
        begin = end;
      }
    }
  }
  return builder.build();
}

}  // namespace quantiplan
