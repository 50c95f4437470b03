// Places (state, wealth) at an infinite horizon, numbered as they are met; wealth that decides is one place.
//
//     gains, r' >= 0    wealth never falls: beyond a cap all of it is kAbove
//     losses, r' <= 0   wealth never rises: below a cap all of it is kBelow
//     both              neither; only where it comes to an end
//
// So there are finitely many of them. Needs: no discount, and rewards of an undiscounted ledger.
#pragma once

#include <cstdint>
#include <limits>
#include <unordered_map>
#include <vector>

#include "check/common/check_limits.hpp"
#include "check/common/wealth_ledger.hpp"
#include "quantiplan/model.hpp"
#include "quantiplan/query.hpp"

namespace quantiplan::checking {

enum class Signs { gains, losses, both };  // all rewards 0: gains

// Of what can be collected from the initial state on, by the choices of choices_of(state).
template <class ChoicesOf>
Signs signs_of(const Model& model,
               const ResolvedSetting& setting,
               const IntegerLedger& ledger,
               CheckLimits& limits,
               const ChoicesOf& choices_of) {
  std::vector<bool> met(model.state_count(), false);
  std::vector<State> open = setting.initial.states();
  for (const State s : open) met[index(s)] = true;
  bool gains = false;
  bool losses = false;
  while (!open.empty()) {
    const State s = open.back();
    open.pop_back();
    if (model.is_terminal(s) || setting.is_goal(s)) continue;
    for (const Choice c : choices_of(s)) {
      for (const Outcome& o : model.outcomes(c)) {
        limits.require(20);
        const std::int64_t reward = ledger.reward(0, o.reward);
        gains = gains || reward > 0;
        losses = losses || reward < 0;
        if (met[index(o.next)]) continue;
        met[index(o.next)] = true;
        open.push_back(o.next);
      }
    }
  }
  return gains && losses ? Signs::both : losses ? Signs::losses : Signs::gains;
}

inline constexpr std::int64_t kAbove = std::numeric_limits<std::int64_t>::max();
inline constexpr std::int64_t kBelow = std::numeric_limits<std::int64_t>::min();

struct WealthPlace {
  State state{};
  std::int64_t wealth = 0;
  friend bool operator==(const WealthPlace&, const WealthPlace&) = default;
};

class WealthPlaces {
 public:
  // The number of a place; a new one if it was not met before.
  std::uint32_t number(const WealthPlace& place) {
    const auto [found, is_new] =
        numbers_.emplace(place, static_cast<std::uint32_t>(places_.size()));
    if (is_new) places_.push_back(place);
    return found->second;
  }
  [[nodiscard]] std::size_t size() const { return places_.size(); }
  [[nodiscard]] WealthPlace operator[](std::size_t i) const { return places_[i]; }

 private:
  struct Hash {
    std::size_t operator()(const WealthPlace& place) const {
      const auto wealth = static_cast<std::uint64_t>(place.wealth);
      return static_cast<std::size_t>((wealth * 0x9E3779B97F4A7C15U) ^
                                      (index(place.state) * 0xC2B2AE3D27D4EB4FU));
    }
  };
  std::unordered_map<WealthPlace, std::uint32_t, Hash> numbers_;
  std::vector<WealthPlace> places_;
};

// The wealth after a reward. False if it does not fit 62 bits.
inline bool add_reward(std::int64_t& wealth, std::int64_t reward) {
  if (wealth == kAbove || wealth == kBelow) return true;
  constexpr std::int64_t kMost = std::int64_t{1} << 62;
  wealth += reward;
  return wealth < kMost && wealth > -kMost;
}

}  // namespace quantiplan::checking
