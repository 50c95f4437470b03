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
      : model_(model),
        policy_(policy),
        limits_(limits),
        drawing_(model),
        initial_(policy.setting.initial) {}
  Player(const Player&) = delete;
  Player& operator=(const Player&) = delete;
  virtual ~Player() = default;

  // Nullopt if the limits ended it.
  virtual std::optional<Episode> play(RandomBits bits, bool keep_steps) = 0;

  // What the wealths of played episodes stand for: totals for themselves, and numbers of wealths for
  // their classes, whose order shows only when all have been met.
  [[nodiscard]] virtual std::vector<Level> levels(std::vector<Total> wealths) const;

 protected:
  // What a policy does, and what comes of it, from an initial state until is_over(t, s); `take` gets
  // each outcome. The state at the end; nullopt if the limits ended it.
  template <class AnyFollower, class IsOver, class Take>
  std::optional<State> follow(AnyFollower& follower,
                              RandomBits& bits,
                              bool keep_steps,
                              Episode& episode,
                              const IsOver& is_over,
                              const Take& take) {
    State state = initial_.draw(bits);
    if constexpr (requires { follower.start(state); }) {
      follower.start(state);
    } else {
      follower.start();
    }
    for (std::uint64_t t = 0; !is_over(t, state); ++t) {
      // Looked at now and then: an episode may take any number of steps.
      if (t % 1024 == 1023 && limits_.ended()) return std::nullopt;
      const Choice choice = follower.choose(t, state);
      const Outcome& o = drawing_.draw(choice, bits);
      if (keep_steps) episode.steps.push_back({state, choice, model_.reward(o), o.next});
      follower.collect(t, o);
      take(t, o);
      state = o.next;
    }
    return state;
  }

  const Model& model_;
  const Policy& policy_;
  const Limits& limits_;

 private:
  Drawing drawing_;
  InitialDrawing initial_;
};

// Totals of discounted rewards have a digit or more for every step, and no two are the same. Rounded, over
// a finite horizon, they are within the slack of the episode, a five-thousandth of the largest reward (DiscountedSum).
enum class Totals { exact, rounded };

// All must outlive it. Throws Error(bad_policy) if the policy makes no sense.
std::unique_ptr<Player> player_of_sums(const Model& model,
                                       const Policy& policy,
                                       Totals totals,
                                       const Limits& limits);
std::unique_ptr<Player> player_by_wealth(const Model& model,
                                         const std::shared_ptr<Structure>& structure,
                                         const Policy& policy,
                                         Limits& limits);

}  // namespace quantiplan
