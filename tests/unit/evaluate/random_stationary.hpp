// Random stationary policies, small enough to be unrolled.
#pragma once

#include <random>
#include <string>

#include "evaluate/stationary_chains.hpp"

namespace quantiplan::testing {

struct Case {
  Model model;
  Policy policy;
  int sign;  // of every reward
};

// Up to four states, rewards 0 to 2 of one sign, probabilities of at least 1/3, random rules by
// residual; a goal, costs and an adversary now and then.
inline Case random_case(unsigned seed) {
  std::mt19937 generator(seed);
  const auto random = [&](std::uint32_t n) { return static_cast<std::uint32_t>(generator()) % n; };
  const int sign = random(2) == 0 ? 1 : -1;
  const std::uint32_t states = 2 + random(3);
  ModelBuilder b;
  b.initial("s0");
  for (std::uint32_t s = 0; s < states; ++s) b.declare_state("s" + std::to_string(s));
  for (std::uint32_t s = 0; s < states; ++s) {
    if (s > 0 && random(4) == 0) continue;
    for (const char* action : {"a", "b"}) {
      b.begin_choice("s" + std::to_string(s), action);
      const int outcomes = 1 + static_cast<int>(random(3));
      for (int o = 0; o < outcomes; ++o) {
        const int amount = random(2) == 0 ? 0 : 1 + static_cast<int>(random(2));
        b.add_outcome("s" + std::to_string(random(states)), Fraction{1, outcomes}, sign * amount);
      }
    }
  }
  Model model = b.build();
  Policy policy = first_choices(model);
  if (random(2) == 0) policy.setting.goal.push_back(State{states - 1});
  policy.setting.cost = random(2) == 0;
  policy.setting.adversarial = random(3) == 0;
  if (random(4) != 0) {
    policy.target = static_cast<int>(random(7)) - 3;
    for (PolicyRule& rule : policy.rules) {
      rule.runs.clear();
      int upto = static_cast<int>(random(12)) - 8;
      for (std::uint32_t runs = random(4); runs > 0; --runs) {
        rule.runs.push_back({Rational(upto), model.choices(rule.state)[random(2)]});
        upto += 1 + static_cast<int>(random(4));
      }
      rule.runs.push_back({std::nullopt, model.choices(rule.state)[random(2)]});
    }
  }
  return {std::move(model), std::move(policy), sign};
}

}  // namespace quantiplan::testing
