#include "needs.hpp"

#include <algorithm>

namespace quantiplan {

Needs::Needs(const Stages& stages, const Windows& windows, Interval targets, const Limits& limits) {
  const Model& model = stages.model();
  at_.resize(stages.horizon() + 1);
  at_[0].assign(1, targets);
  for (std::uint64_t t = 0; t < stages.horizon(); ++t) {
    if (limits.ended()) return;
    const Layer& next_layer = stages.layer(t + 1);
    at_[t + 1].resize(next_layer.size());
    for (std::size_t slot = 0; slot < at_[t].size(); ++slot) {
      const Window& w = windows.at(t, slot);
      const Interval open{std::max(at_[t][slot].above, w.sure),
                          std::min(at_[t][slot].upto, w.possible)};
      if (at_[t][slot].empty() || open.empty()) continue;
      for (const Choice c : model.choices(stages.layer(t).state(slot))) {
        for (const Outcome& o : model.outcomes(c)) {
          at_[t + 1][next_layer.slot(o.next)].cover(stages.next_residual(t, open.above + 1, o) - 1,
                                                    stages.next_residual(t, open.upto, o));
        }
      }
    }
  }
  complete_ = true;
}

}  // namespace quantiplan
