// Seeded random models, made to be nasty: many exact ties, few distinct numbers, odd shapes.
#pragma once

#include <cstdint>
#include <vector>

#include "oracles/plain_model.hpp"

namespace quantiplan::testing {

// SplitMix64 (Steele, Lea, Flood 2014): the same numbers on every platform.
class Dice {
 public:
  explicit Dice(std::uint64_t seed) : state_(seed) {}
  std::uint64_t next();
  // Uniform in 0 .. n-1; n is tiny, so the bias of the remainder does not matter here.
  std::size_t below(std::size_t n) { return static_cast<std::size_t>(next() % n); }
  std::size_t between(std::size_t low, std::size_t high) { return low + below(high - low + 1); }
  bool one_in(std::size_t n) { return below(n) == 0; }
  template <class T>
  const T& pick(const std::vector<T>& from) {
    return from[below(from.size())];
  }

 private:
  std::uint64_t state_;
};

// 1-5 states, 1-3 choices, 1-3 outcomes, horizon 1-4: small enough to enumerate most of the time.
PlainModel tiny_model(std::uint64_t seed);
// Rewards without a small common denominator, far apart in size, and discounts 1/2, 9/10, 99/100
// and 1: 1-4 states, horizon 1-5.
PlainModel awkward_model(std::uint64_t seed);
// 6-20 states, horizon 5-12, integer rewards: for engines against each other.
PlainModel larger_model(std::uint64_t seed);
// Tiny models with a goal, or costs, or both; any signs and discounts, horizon 1-4.
PlainModel goal_model(std::uint64_t seed);
// Infinite horizon, no discount, one sign: 1-4 states, 1-2 choices, most rewards 0, so that cycles
// for nothing abound; ends and goals as the dice fall; rewards or costs.
PlainModel infinite_model(std::uint64_t seed);
// The same with 4-6 states and up to 3 choices.
PlainModel larger_infinite_model(std::uint64_t seed);
// Infinite horizon, no discount, rewards of both signs: no state is met twice.
PlainModel acyclic_model(std::uint64_t seed);
// Infinite horizon, no discount, rewards of both signs, and mostly cycles: to be refused.
PlainModel mixed_model(std::uint64_t seed);
// Infinite horizon, discount 1/2 or 1/3, any signs, 1-3 states.
PlainModel discounted_model(std::uint64_t seed);

}  // namespace quantiplan::testing
