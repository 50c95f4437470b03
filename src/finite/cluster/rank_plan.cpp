#include "finite/cluster/rank_plan.hpp"

#include <algorithm>

#include "finite/cluster/slabs.hpp"

namespace quantiplan {

RewardRange::Range RewardRange::at(std::uint64_t time) {
  if (known_at_ > stages_.horizon() || !stages_.same_layer(known_at_, time)) {
    const Model& model = stages_.model();
    std::vector<bool> seen(model.rewards().size(), false);
    met_.clear();
    for (const State s : stages_.layer(time).states())
      for (const Choice c : model.choices(s))
        for (const Outcome& o : model.outcomes(c)) {
          if (seen[index(o.reward)]) continue;
          seen[index(o.reward)] = true;
          met_.push_back(o.reward);
        }
  }
  known_at_ = time;
  Range range;
  for (std::size_t i = 0; i < met_.size(); ++i) {
    const std::int64_t key = stages_.scale().key(time, met_[i]);
    range.least = i == 0 ? key : std::min(range.least, key);
    range.most = i == 0 ? key : std::max(range.most, key);
  }
  return range;
}

RankPlan plan_step(const PassInput<double>& input,
                   std::uint64_t time,
                   const std::vector<Span<double>>& spans,
                   const std::vector<Span<double>>& later,
                   const RowMixes& mixes,
                   const RewardRange::Range& rewards,
                   std::uint32_t ranks) {
  const Model& model = input.stages.model();
  RankPlan plan;
  LevelProfile work;
  LevelProfile entries;
  for (std::size_t slot = 0; slot < spans.size(); ++slot) {
    const State s = input.stages.layer(time).state(slot);
    if (model.is_terminal(s) || spans[slot].width() == 0) continue;
    std::uint64_t terms = 0;
    std::uint64_t choices = 0;
    for (const Choice c : model.choices(s)) {
      if (!input.filter.allows(time, slot, c)) continue;
      ++choices;
      terms += mixes.is_shared(input, c) ? 1 : model.outcomes(c).size();
    }
    plan.backups += choices;
    plan.multiply_adds += terms * spans[slot].width();
    // Comparing choices costs about as much as a product each.
    work.add(stored(spans[slot]), static_cast<double>(terms + choices));
    entries.add(stored(spans[slot]), 1);
  }
  work.close();
  entries.close();
  LevelProfile before;
  for (const Span<double>& span : later) before.add(stored(span), 1);
  before.close();
  LevelProfile mixed;
  for (const auto& [row, asked] : mixes.shared()) {
    plan.multiply_adds += model.outcomes(input.stages.rows().example(row)).size() *
                          static_cast<std::uint64_t>(asked.size());
    mixed.add(asked, 1);
  }
  mixed.close();
  const std::vector<std::int64_t> cuts = work.cuts(ranks);
  for (std::uint32_t q = 0; q < ranks; ++q) {
    plan.slabs.push_back(slab(cuts, q));
    plan.reaches.push_back(reach(plan.slabs.back(), rewards.least, rewards.most));
    const auto most = [](std::uint64_t& so_far, double found) {
      so_far = std::max(so_far, static_cast<std::uint64_t>(found));
    };
    most(plan.most_now, entries.within(plan.slabs.back()));
    most(plan.most_later, before.within(plan.reaches.back()));
    most(plan.most_mixed, mixed.within(plan.reaches.back()));
  }
  return plan;
}

}  // namespace quantiplan
