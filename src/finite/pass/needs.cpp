#include "finite/pass/needs.hpp"

#include <algorithm>

namespace quantiplan {
namespace {

constexpr std::size_t kSlotsPerPoll = 1024;

}  // namespace

Needs::Needs(const Stages& stages, const Windows& windows, Interval targets, const Limits& limits) {
  const Model& model = stages.model();
  at_.resize(stages.horizon() + 1);
  at_[0].assign(stages.layer(0).size(), targets);
  for (std::uint64_t t = 0; t < stages.horizon(); ++t) {
    if (limits.ended()) return;
    const Layer& next_layer = stages.layer(t + 1);
    at_[t + 1].resize(next_layer.size());
    std::vector<Interval> of_row(stages.rows().size());
    const auto spread =
        [&](const Interval& asked, std::span<const Outcome> outcomes, bool rewarded) {
          for (const Outcome& o : outcomes) {
            Interval& child = at_[t + 1][next_layer.slot(o.next)];
            if (rewarded) {
              child.cover(stages.next_residual(t, asked.above + 1, o) - 1,
                          stages.next_residual(t, asked.upto, o));
            } else {
              const std::int64_t factor = std::int64_t{1} << stages.scale().shift_after(t);
              child.cover((asked.above + 1) * factor - 1, asked.upto * factor);
            }
          }
        };
    for (std::size_t slot = 0; slot < at_[t].size(); ++slot) {
      if (slot % kSlotsPerPoll == 0 && limits.ended()) return;
      const Window& w = windows.at(t, slot);
      const Interval open{std::max(at_[t][slot].above, w.sure),
                          std::min(at_[t][slot].upto, w.possible)};
      if (at_[t][slot].empty() || open.empty()) continue;
      for (const Choice c : model.choices(stages.layer(t).state(slot))) {
        const std::uint32_t row = stages.rows().row(c);
        if (row == SharedRows::kNone) {
          spread(open, model.outcomes(c), true);
        } else {
          const std::int64_t reward = stages.reward_key(t, model.outcomes(c).front());
          of_row[row].cover(open.above - reward, open.upto - reward);
        }
      }
    }
    for (const std::uint32_t row : stages.rows_at(t)) {
      if (!of_row[row].empty())
        spread(of_row[row], model.outcomes(stages.rows().example(row)), false);
    }
  }
  complete_ = true;
}

}  // namespace quantiplan
