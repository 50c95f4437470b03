#include "finite/stages.hpp"

#include <fmt/format.h>

namespace quantiplan {
namespace {

// Per time and state, all engines keep two windows, an expected value and a choice besides the
// layer itself; per time, the arrays these are in, and that of the decisions.
constexpr std::uint64_t kBytesPerSlot = 80;
constexpr std::uint64_t kBytesPerTime = 400;

// Once all states are met the rest of the outcomes tells nothing new.
std::vector<State> successors(const Model& model, const Layer& layer) {
  std::vector<unsigned char> met(model.state_count(), 0);
  std::size_t left = met.size();
  for (const State s : layer.states()) {
    for (const Choice c : model.choices(s)) {
      for (const Outcome& o : model.outcomes(c)) {
        left -= met[index(o.next)] == 0 ? 1U : 0U;
        met[index(o.next)] = 1;
      }
    }
    if (left == 0) break;
  }
  std::vector<State> next;
  for (std::size_t s = 0; s < met.size(); ++s) {
    if (met[s] != 0) next.push_back(State{static_cast<std::uint32_t>(s)});
  }
  return next;
}

bool has_reward(const Model& model, const Layer& layer) {
  return std::ranges::any_of(layer.states(), [&](State s) {
    return std::ranges::any_of(model.choices(s), [&](Choice c) {
      return std::ranges::any_of(
          model.outcomes(c), [&](const Outcome& o) { return !model.rewards().is_zero(o.reward); });
    });
  });
}

bool all_terminal(const Model& model, const Layer& layer) {
  return std::ranges::all_of(layer.states(), [&](State s) { return model.is_terminal(s); });
}

}  // namespace

Stages::Stages(const Model& model, const ResolvedSetting& setting, Limits& limits)
    : model_(model), setting_(setting), scale_(model, {}, 1) {
  lay_out(limits);
  if (!complete_) return;
  find_rows(limits);
  rewards_ = rewards_met(limits);
  scale_ = WealthScale(model_, rewards_, setting_.discount);
  complete_ = !limits.ended();
}

Stages::Stages(const Stages& laid_out, const Grid& grid, Rounding rounding, const Limits* limits)
    : model_(laid_out.model_),
      setting_(laid_out.setting_),
      layers_(laid_out.layers_),
      rows_(laid_out.rows_),
      rows_at_(laid_out.rows_at_),
      rewards_(laid_out.rewards_),
      scale_(model_, rewards_, setting_.discount, grid, rounding, limits) {
  complete_ = limits == nullptr || !limits->ended();
}

Stages Stages::from_start(std::size_t slot) const {
  Stages out = *this;
  const State start = layer(0).state(slot);
  out.setting_.initial = start;
  out.layers_.front() = std::make_shared<Layer>(std::vector<State>{start}, model_.state_count());
  return out;
}

void Stages::lay_out(Limits& limits) {
  layers_.push_back(std::make_shared<Layer>(setting_.initial.states(), model_.state_count()));
  while (layers_.size() <= setting_.horizon) {
    const auto& last = layers_.back();
    if (all_terminal(model_, *last)) break;
    if (limits.ended()) return;
    std::vector<State> next = successors(model_, *last);
    if (std::ranges::equal(next, last->states())) {
      // Same states again: so it stays until the horizon.
      const std::uint64_t left = setting_.horizon + 1 - layers_.size();
      limits.take(left * (kBytesPerTime + kBytesPerSlot * last->size()),
                  fmt::format("{} steps over {} states", left, last->size()));
      layers_.resize(setting_.horizon + 1, last);
      break;
    }
    auto layer = std::make_shared<Layer>(std::move(next), model_.state_count());
    limits.take(kBytesPerTime + layer->bytes() + kBytesPerSlot * layer->size(),
                "the states met at each time");
    layers_.push_back(std::move(layer));
  }
  complete_ = true;
}

void Stages::add_states_not_met(Limits& limits) {
  std::vector<State> all;
  for (std::size_t s = 0; s < model_.state_count(); ++s)
    all.push_back(State{static_cast<std::uint32_t>(s)});
  const auto layer = std::make_shared<Layer>(std::move(all), model_.state_count());
  limits.take(horizon() * kBytesPerSlot * layer->size(), "every state at every time");
  std::fill(layers_.begin() + 1, layers_.end(), layer);
  rows_at_.clear();
  find_rows(limits);
  complete_ = !limits.ended();
}

void Stages::find_rows(const Limits& limits) {
  rows_ = std::make_shared<SharedRows>(model_);
  std::shared_ptr<const std::vector<std::uint32_t>> met;
  for (std::uint64_t t = 0; t <= horizon() && !limits.ended(); ++t) {
    if (t == 0 || (rows_->size() > 0 && !same_layer(t, t - 1))) {
      std::vector<bool> has(rows_->size(), false);
      for (const State s : layer(t).states()) {
        for (const Choice c : model_.choices(s)) {
          if (rows_->row(c) != SharedRows::kNone) has[rows_->row(c)] = true;
        }
      }
      std::vector<std::uint32_t> list;
      for (std::uint32_t row = 0; row < has.size(); ++row) {
        if (has[row]) list.push_back(row);
      }
      met = std::make_shared<const std::vector<std::uint32_t>>(std::move(list));
    }
    rows_at_.push_back(met);
  }
}

RewardsMet Stages::rewards_met(const Limits& limits) const {
  // Each state once, however many layers it is in.
  std::vector<bool> acts(model_.state_count(), false);
  for (std::uint64_t t = 0; t < horizon() && !limits.ended(); ++t) {
    if (t > 0 && same_layer(t, t - 1)) continue;
    for (const State s : layer(t).states()) acts[index(s)] = true;
  }
  std::vector<bool> met(model_.rewards().size(), false);
  RewardsMet out{{}, 0};
  for (std::uint32_t s = 0; s < acts.size() && (s % 4096 != 0 || !limits.ended()); ++s) {
    if (!acts[s]) continue;
    for (const Choice c : model_.choices(State{s}))
      for (const Outcome& o : model_.outcomes(c)) met[index(o.reward)] = true;
  }
  for (std::uint32_t id = 0; id < met.size(); ++id)
    if (met[id] && !model_.rewards().is_zero(NumberId{id})) out.distinct.push_back(NumberId{id});
  // From the last layer back to one with a reward, which is soon found.
  for (std::uint64_t t = out.distinct.empty() ? 0 : horizon(); t-- > 0 && !limits.ended();) {
    if (t + 1 < horizon() && same_layer(t, t + 1)) continue;
    if (!has_reward(model_, layer(t))) continue;
    out.last_reward_time = t;
    break;
  }
  return out;
}

}  // namespace quantiplan
