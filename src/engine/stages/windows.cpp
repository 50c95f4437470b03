#include "windows.hpp"

#include <algorithm>
#include <limits>

#include "parallel.hpp"

namespace quantiplan {
namespace {

Window window_of(const Stages& stages,
                 const ChoiceFilter& filter,
                 std::uint64_t time,
                 std::size_t slot,
                 const std::vector<Window>& later) {
  constexpr auto kHighest = std::numeric_limits<std::int64_t>::max();
  constexpr auto kLowest = std::numeric_limits<std::int64_t>::min();
  const Model& model = stages.model();
  const Layer& next_layer = stages.layer(time + 1);
  const State s = stages.layer(time).state(slot);
  // Levels of the next time in steps of this one, rounded down: y 2^shift <= level iff y <= this.
  const unsigned shift = stages.scale().shift_after(time);
  if (model.is_terminal(s)) return {};
  Window best{kLowest, kLowest, kHighest, Choice{}};
  for (const Choice c : model.choices(s)) {
    if (!filter.allows(time, slot, c)) continue;
    std::int64_t sure = kHighest;
    for (const Outcome& o : model.outcomes(c)) {
      const std::int64_t reward = stages.reward_key(time, o);
      const Window& w = later[next_layer.slot(o.next)];
      sure = std::min(sure, reward + (w.sure >> shift));
      best.possible = std::max(best.possible, reward + (w.possible >> shift));
      best.least = std::min(best.least, reward + (w.least >> shift));
    }
    if (sure > best.sure) {
      best.sure = sure;
      best.sure_choice = c;
    }
  }
  return best;
}

// The slots a Markov policy can meet.
std::vector<std::vector<bool>> met_by(const Stages& stages, const ChoiceFilter& filter) {
  std::vector<std::vector<bool>> met(stages.horizon() + 1);
  met[0].assign(1, true);
  for (std::uint64_t t = 0; t < stages.horizon(); ++t) {
    const Layer& next_layer = stages.layer(t + 1);
    met[t + 1].assign(next_layer.size(), false);
    for (std::size_t slot = 0; slot < met[t].size(); ++slot) {
      if (!met[t][slot]) continue;
      for (const Choice c : stages.model().choices(stages.layer(t).state(slot))) {
        if (!filter.allows(t, slot, c)) continue;
        for (const Outcome& o : stages.model().outcomes(c))
          met[t + 1][next_layer.slot(o.next)] = true;
      }
    }
  }
  return met;
}

}  // namespace

Windows::Windows(const Stages& stages, const ChoiceFilter& filter, const Limits& limits) {
  const std::uint64_t horizon = stages.horizon();
  const auto met = filter.is_open() ? std::vector<std::vector<bool>>() : met_by(stages, filter);
  at_.resize(horizon + 1);
  at_[horizon].resize(stages.layer(horizon).size());
  for (std::uint64_t t = horizon; t-- > 0;) {
    if (limits.ended()) return;
    at_[t].resize(stages.layer(t).size());
    parallel_for(
        limits.threads(), at_[t].size(), 1024, [&](unsigned, std::size_t begin, std::size_t end) {
          for (std::size_t slot = begin; slot < end; ++slot) {
            if (!met.empty() && !met[t][slot]) continue;
            at_[t][slot] = window_of(stages, filter, t, slot, at_[t + 1]);
          }
        });
  }
  complete_ = true;
}

}  // namespace quantiplan
