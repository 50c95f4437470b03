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
  auto table = std::make_shared<Table>(horizon + 1);
  Table& at = *table;
  at_ = table;
  at[horizon].resize(stages.layer(horizon).size());
  Team team(widest_layer(stages) <= kSlotsPerPoll ? 1 : limits.threads());
  for (std::uint64_t t = horizon; t-- > 0;) {
    if (limits.ended()) return;
    at[t].resize(stages.layer(t).size());
    const Layer& next_layer = stages.layer(t + 1);
    const auto of_row = stages.by_row<Rest>(t, [&](std::span<const Outcome> outcomes) {
      Rest rest;
      for (const Outcome& o : outcomes)
        rest.add(at[t + 1][next_layer.slot(o.next)], stages.scale().shift_after(t), 0);
      return rest;
    });
    team.run(at[t].size(), kSlotsPerPoll, [&](unsigned, std::size_t begin, std::size_t end) {
      for (std::size_t slot = begin; slot < end; ++slot) {
        if (slot % kSlotsPerPoll == 0 && limits.ended()) return;
        if (!met.empty() && !met[t][slot]) continue;
        at[t][slot] = window_of(stages, filter, t, slot, of_row, at[t + 1]);
      }
    });
  }
  complete_ = !limits.ended();
}

std::shared_ptr<Windows::Table> Windows::copied() const {
  auto out = std::make_shared<Table>(*at_);
  const std::size_t starts = starts_.value_or(out->front().size() - first_);
  std::vector<Window> first(out->front().begin() + static_cast<std::ptrdiff_t>(first_),
                            out->front().begin() + static_cast<std::ptrdiff_t>(first_ + starts));
  out->front() = std::move(first);
  return out;
}

Windows Windows::from_start(std::size_t slot) const {
  Windows out = *this;
  out.first_ += slot;
  out.starts_ = 1;
  return out;
}

Window Windows::start() const {
  const std::vector<Window>& all = at_->front();
  Window out = all[first_];
  const std::size_t end = first_ + starts_.value_or(all.size() - first_);
  for (std::size_t slot = first_ + 1; slot < end; ++slot) {
    out.sure = std::min(out.sure, all[slot].sure);
    out.possible = std::max(out.possible, all[slot].possible);
    out.least = std::min(out.least, all[slot].least);
  }
  return out;
}

Windows Windows::down_to_least() const {
  auto table = copied();
  for (std::vector<Window>& layer : *table)
    for (Window& window : layer) window.sure = window.least;
  return Windows(std::move(*table));
}

Windows Windows::without_edges() const {
  // Beyond all keys (wealth_scale.hpp), with room to count on.
  constexpr std::int64_t kFar = std::int64_t{1} << 62U;
  auto table = copied();
  for (std::vector<Window>& layer : *table)
    for (Window& window : layer) {
      window.least = window.sure = -kFar;
      window.possible = kFar;
    }
  return Windows(std::move(*table));
}

}  // namespace quantiplan
