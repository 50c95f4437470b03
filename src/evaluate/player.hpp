// Plays episodes of a policy, one after the other.
//
//     finite horizon           until it is over, a terminal state or a goal
//     infinite, no discount    until it is decided (Verdicts)
//     infinite, discounted     until what can follow is negligible (DiscountedSum), and, with a
//                              goal, whether it will be reached is decided
//     by wealth                until the horizon is over, or the class of the wealth is decided
//                              (WealthChain), which it is almost surely; refused where it is not
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "base/limits.hpp"
#include "policy/drawing.hpp"
#include "quantiplan/episodes.hpp"
#include "quantiplan/policy.hpp"
#include "quantiplan/structure.hpp"

namespace quantiplan {

class Player {
 public:
  Player(const Model& model, const Policy& policy, const Limits& limits)
      : model_(model), policy_(policy), limits_(limits), drawing_(model) {}
  Player(const Player&) = delete;
  Player& operator=(const Player&) = delete;
  virtual ~Player() = default;

  // Nullopt if the limits ended it.
  virtual std::optional<Episode> play(RandomBits bits, bool keep_steps) = 0;

  // What the wealths of played episodes stand for: totals for themselves, and numbers of wealths for
  // their classes, whose order shows only when all have been met.
  [[nodiscard]] virtual std::vector<EpisodeTally::Entry> entries(std::vector<Total> wealths) const;

 protected:
  // Looked at now and then: an episode may take any number of steps.
  [[nodiscard]] bool is_ended(std::uint64_t step) const {
    return step % 1024 == 1023 && limits_.ended();
  }
  // One step: draws, and writes it down.
  const Outcome& step(Choice choice, State from, RandomBits& bits, bool keep, Episode& episode);

  const Model& model_;
  const Policy& policy_;
  const Limits& limits_;

 private:
  Drawing drawing_;
};

// All must outlive it. Throws Error(bad_policy) if the policy makes no sense.
std::unique_ptr<Player> player_of_sums(const Model& model,
                                       const Policy& policy,
                                       const Limits& limits);
std::unique_ptr<Player> player_by_wealth(const Model& model,
                                         Structure& structure,
                                         const Policy& policy,
                                         Limits& limits);

}  // namespace quantiplan
