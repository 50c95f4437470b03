#include "finite/windows.hpp"

#include <algorithm>
#include <limits>

#include "base/team.hpp"
#include "finite/widest_layer.hpp"

namespace quantiplan {
namespace {

constexpr std::size_t kSlotsPerPoll = 1024;

// What a choice's next states leave, before its reward.
struct Rest {
  std::int64_t sure = std::numeric_limits<std::int64_t>::max();
  std::int64_t possible = std::numeric_limits<std::int64_t>::min();
  std::int64_t least = std::numeric_limits<std::int64_t>::max();

  // Levels of the next time in steps of this one, rounded down: y 2^shift <= level iff y <= this.
  void add(const Window& w, unsigned shift, std::int64_t reward) {
    sure = std::min(sure, reward + (w.sure >> shift));
    possible = std::max(possible, reward + (w.possible >> shift));
    least = std::min(least, reward + (w.least >> shift));
  }
};

Window window_of(const Stages& stages,
                 const ChoiceFilter& filter,
                 std::uint64_t time,
                 std::size_t slot,
                 const std::vector<Rest>& of_row,
                 const std::vector<Window>& later) {
  constexpr auto kHighest = std::numeric_limits<std::int64_t>::max();
  constexpr auto kLowest = std::numeric_limits<std::int64_t>::min();
  const Model& model = stages.model();
  const Layer& next_layer = stages.layer(time + 1);
  const State s = stages.layer(time).state(slot);
  const unsigned shift = stages.scale().shift_after(time);
  if (model.is_terminal(s)) return {};
  Window best{kLowest, kLowest, kHighest, Choice{}};
  for (const Choice c : model.choices(s)) {
    if (!filter.allows(time, slot, c)) continue;
    const std::uint32_t row = stages.rows().row(c);
    Rest rest;
    if (row != SharedRows::kNone) {
      const std::int64_t reward = stages.reward_key(time, model.outcomes(c).front());
      rest = {of_row[row].sure + reward, of_row[row].possible + reward, of_row[row].least + reward};
    } else {
      for (const Outcome& o : model.outcomes(c))
        rest.add(later[next_layer.slot(o.next)], shift, stages.reward_key(time, o));
    }
    best.possible = std::max(best.possible, rest.possible);
    best.least = std::min(best.least, rest.least);
    if (rest.sure > best.sure) {
      best.sure = rest.sure;
      best.sure_choice = c;
    }
  }
  return best;
}

// The slots a Markov policy can meet.
std::vector<std::vector<bool>> met_by(const Stages& stages,
                                      const ChoiceFilter& filter,
                                      const Limits& limits) {
  std::vector<std::vector<bool>> met(stages.horizon() + 1);
  met[0].assign(stages.layer(0).size(), true);
  for (std::uint64_t t = 0; t < stages.horizon() && !limits.ended(); ++t) {
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
  const auto met =
      filter.is_open() ? std::vector<std::vector<bool>>() : met_by(stages, filter, limits);
  at_.resize(horizon + 1);
  at_[horizon].resize(stages.layer(horizon).size());
  Team team(widest_layer(stages) <= kSlotsPerPoll ? 1 : limits.threads());
  for (std::uint64_t t = horizon; t-- > 0;) {
    if (limits.ended()) return;
    at_[t].resize(stages.layer(t).size());
    const Layer& next_layer = stages.layer(t + 1);
    const auto of_row = stages.by_row<Rest>(t, [&](std::span<const Outcome> outcomes) {
      Rest rest;
      for (const Outcome& o : outcomes)
        rest.add(at_[t + 1][next_layer.slot(o.next)], stages.scale().shift_after(t), 0);
      return rest;
    });
    team.run(at_[t].size(), kSlotsPerPoll, [&](unsigned, std::size_t begin, std::size_t end) {
      for (std::size_t slot = begin; slot < end; ++slot) {
        if (slot % kSlotsPerPoll == 0 && limits.ended()) return;
        if (!met.empty() && !met[t][slot]) continue;
        at_[t][slot] = window_of(stages, filter, t, slot, of_row, at_[t + 1]);
      }
    });
  }
  complete_ = !limits.ended();
}

Window Windows::start() const {
  Window out = at_[0].front();
  for (const Window& window : at_[0]) {
    out.sure = std::min(out.sure, window.sure);
    out.possible = std::max(out.possible, window.possible);
    out.least = std::min(out.least, window.least);
  }
  return out;
}

Windows Windows::down_to_least() const {
  Windows out = *this;
  for (std::vector<Window>& layer : out.at_)
    for (Window& window : layer) window.sure = window.least;
  return out;
}

Windows Windows::without_edges() const {
  // Beyond all keys (wealth_scale.hpp), with room to count on.
  constexpr std::int64_t kFar = std::int64_t{1} << 62U;
  Windows out = *this;
  for (std::vector<Window>& layer : out.at_)
    for (Window& window : layer) {
      window.least = window.sure = -kFar;
      window.possible = kFar;
    }
  return out;
}

}  // namespace quantiplan
