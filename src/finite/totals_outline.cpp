#include "finite/totals_outline.hpp"

#include <algorithm>
#include <limits>

#include "finite/wealth_scale.hpp"
#include "finite/windows.hpp"

namespace quantiplan {
namespace {

constexpr std::uint64_t kNever = ~std::uint64_t{0};
// As Stages counts them.
constexpr double kOutlineBytesPerTime = 400;
constexpr double kOutlineBytesPerSlot = 80;

// Forward: the states of a time from those of the one before.
class Reach {
 public:
  Reach(const Model& model, const ResolvedSetting& setting, WorkWatch& watch)
      : model_(model),
        watch_(watch),
        first_(model.state_count(), kNever),
        last_(model.state_count(), 0),
        is_reward_met_(model.rewards().size(), false) {
    std::vector<State> now = setting.initial.states();
    meet(now, 0);
    while (horizon_ < setting.horizon && !all_terminal(now)) {
      std::vector<State> next = successors(now);
      ++horizon_;
      meet(next, horizon_);
      if (next == now) {
        // The same again, until the horizon.
        repeats(now, setting.horizon);
        break;
      }
      now = std::move(next);
    }
    for (std::size_t id = 0; id < is_reward_met_.size(); ++id) {
      if (is_reward_met_[id]) rewards_.distinct.push_back(NumberId{static_cast<std::uint32_t>(id)});
    }
  }

  [[nodiscard]] std::uint64_t horizon() const { return horizon_; }
  [[nodiscard]] const RewardsMet& rewards() const { return rewards_; }
  [[nodiscard]] double bytes() const { return bytes_; }
  [[nodiscard]] bool is_met(std::size_t s, std::uint64_t t) const {
    return first_[s] <= t && t <= last_[s];
  }

 private:
  void meet(const std::vector<State>& states, std::uint64_t t) {
    for (const State s : states) {
      first_[index(s)] = std::min(first_[index(s)], t);
      last_[index(s)] = t;
    }
    bytes_ += kOutlineBytesPerTime +
              (kOutlineBytesPerSlot + 2 * sizeof(State)) * static_cast<double>(states.size());
  }
  void repeats(const std::vector<State>& states, std::uint64_t horizon) {
    for (const State s : states) last_[index(s)] = horizon;
    bytes_ += (kOutlineBytesPerTime + kOutlineBytesPerSlot * static_cast<double>(states.size())) *
              static_cast<double>(horizon - horizon_);
    const bool pays = std::ranges::any_of(states, [&](State s) { return pays_at(s); });
    if (pays && horizon > 0) rewards_.last_reward_time = horizon - 1;
    horizon_ = horizon;
  }
  [[nodiscard]] bool all_terminal(const std::vector<State>& states) const {
    return std::ranges::all_of(states, [&](State s) { return model_.is_terminal(s); });
  }
  [[nodiscard]] bool pays_at(State s) const {
    for (const Choice c : model_.choices(s)) {
      for (const Outcome& o : model_.outcomes(c)) {
        if (!model_.rewards().is_zero(o.reward)) return true;
      }
    }
    return false;
  }

  std::vector<State> successors(const std::vector<State>& now) {
    std::vector<bool> met(model_.state_count(), false);
    watch_.step(met.size() / 64);
    bool pays = false;
    for (const State s : now) {
      for (const Choice c : model_.choices(s)) {
        watch_.step(model_.outcomes(c).size());
        for (const Outcome& o : model_.outcomes(c)) {
          met[index(o.next)] = true;
          if (model_.rewards().is_zero(o.reward)) continue;
          is_reward_met_[index(o.reward)] = true;
          pays = true;
        }
      }
    }
    if (pays) rewards_.last_reward_time = horizon_;
    std::vector<State> next;
    for (std::size_t s = 0; s < met.size(); ++s) {
      if (met[s]) next.push_back(State{static_cast<std::uint32_t>(s)});
    }
    return next;
  }

  const Model& model_;
  WorkWatch& watch_;
  std::vector<std::uint64_t> first_;  // by state: the times it is met
  std::vector<std::uint64_t> last_;
  std::vector<bool> is_reward_met_;  // by number
  RewardsMet rewards_;
  std::uint64_t horizon_ = 0;  // effective: no longer than episodes are
  double bytes_ = 0;
};

Window window_of(const Model& model,
                 const WealthScale& scale,
                 std::uint64_t t,
                 State s,
                 const std::vector<Window>& later) {
  constexpr auto kHighest = std::numeric_limits<std::int64_t>::max();
  constexpr auto kLowest = std::numeric_limits<std::int64_t>::min();
  if (model.is_terminal(s)) return {};
  Window best{kLowest, kLowest, kHighest, Choice{}};
  for (const Choice c : model.choices(s)) {
    std::int64_t sure = kHighest;
    for (const Outcome& o : model.outcomes(c)) {
      const Window& w = later[index(o.next)];
      const std::int64_t reward = scale.key(t, o.reward);
      sure = std::min(sure, reward + w.sure);
      best.possible = std::max(best.possible, reward + w.possible);
      best.least = std::min(best.least, reward + w.least);
    }
    best.sure = std::max(best.sure, sure);
  }
  return best;
}

}  // namespace

std::optional<TotalsOutline> outline_totals(const Model& model,
                                            const ResolvedSetting& setting,
                                            WorkWatch& watch) {
  const Reach reach(model, setting, watch);
  const WealthScale scale(model, reach.rewards(), setting.discount);
  if (!scale.fits()) return std::nullopt;
  std::vector<Window> later(model.state_count());
  std::vector<Window> now(model.state_count());
  double most_entries = 0;
  for (std::uint64_t t = reach.horizon(); t-- > 0;) {
    double entries = 0;
    watch.step(model.state_count() / 8 + 1);
    for (std::size_t i = 0; i < model.state_count(); ++i) {
      if (!reach.is_met(i, t)) continue;
      const State s{static_cast<std::uint32_t>(i)};
      now[i] = window_of(model, scale, t, s, later);
      entries += static_cast<double>(now[i].width());
      for (const Choice c : model.choices(s)) watch.step(model.outcomes(c).size());
    }
    most_entries = std::max(most_entries, entries);
    std::swap(now, later);
  }
  Window window = later[index(setting.initial[0].state)];
  for (const State s : setting.initial.states()) {
    window.least = std::min(window.least, later[index(s)].least);
    window.possible = std::max(window.possible, later[index(s)].possible);
  }
  constexpr double kMost = 9e18;
  return TotalsOutline{scale.unit(),
                       scale.wealth({window.least}),
                       scale.wealth({window.possible}),
                       static_cast<std::uint64_t>(
                           std::min(kMost, reach.bytes() + 2 * sizeof(double) * most_entries))};
}

}  // namespace quantiplan
