#include "finite/pass/possible.hpp"

#include <cmath>

namespace quantiplan {
namespace {

// What is left for the next state of an outcome, in steps of the next time.
bool stays_possible(const Stages& stages,
                    const Windows& windows,
                    std::uint64_t t,
                    std::int64_t level,
                    const Outcome& o) {
  const std::size_t slot = stages.layer(t + 1).slot(o.next);
  return stages.next_residual(t, level, o) <= windows.at(t + 1, slot).possible;
}

// The best choice at the level `possible` of every state, by layer, and the chance it has there.
struct BestAtPossible {
  std::vector<std::vector<long double>> chance;  // for their range
  std::vector<std::vector<Choice>> choice;
};

std::optional<BestAtPossible> best_at_possible(const Stages& stages,
                                               const Windows& windows,
                                               const Limits& limits) {
  const Model& model = stages.model();
  const std::uint64_t horizon = stages.horizon();
  BestAtPossible out;
  auto& [chance, choice] = out;
  chance.resize(horizon + 1);
  choice.resize(horizon + 1);
  chance[horizon].assign(stages.layer(horizon).size(), 1);
  for (std::uint64_t t = horizon; t-- > 0;) {
    if (limits.ended()) return std::nullopt;
    const Layer& next_layer = stages.layer(t + 1);
    chance[t].assign(stages.layer(t).size(), 1);
    choice[t].resize(stages.layer(t).size());
    for (std::size_t slot = 0; slot < chance[t].size(); ++slot) {
      const State s = stages.layer(t).state(slot);
      if (model.is_terminal(s)) continue;
      long double best = -1;
      for (const Choice c : model.choices(s)) {
        long double sum = 0;
        bool attains = false;
        for (const Outcome& o : model.outcomes(c)) {
          if (!stays_possible(stages, windows, t, windows.at(t, slot).possible, o)) continue;
          attains = true;
          sum += static_cast<long double>(model.probabilities().nearest(o.probability)) *
                 chance[t + 1][next_layer.slot(o.next)];
        }
        if (!attains || sum <= best) continue;
        best = sum;
        choice[t][slot] = c;
      }
      chance[t][slot] = best;
    }
  }
  return out;
}

}  // namespace

std::optional<Settled> settle_possible(const Stages& stages,
                                       const Windows& windows,
                                       const Limits& limits) {
  const Model& model = stages.model();
  const std::uint64_t horizon = stages.horizon();
  const auto best = best_at_possible(stages, windows, limits);
  if (!best) return std::nullopt;
  // Clang 14 lets no lambda have a structured binding.
  const auto& chance = best->chance;
  const auto& choice = best->choice;
  auto points = std::make_shared<SettledPoints>();
  points->nodes.resize(horizon + 1);
  points->choice.resize(horizon + 1);
  // Forward: the nodes the policy meets.
  const Window start = windows.start();
  for (std::uint32_t slot = 0; slot < stages.starts(); ++slot) {
    if (windows.at(0, slot).possible == start.possible)
      points->nodes[0].insert({slot, start.possible});
  }
  for (std::uint64_t t = 0; t < horizon; ++t) {
    if (limits.ended()) return std::nullopt;
    for (std::size_t i = 0; i < points->nodes[t].size(); ++i) {
      const Node node = points->nodes[t].nodes()[i];
      const State s = stages.layer(t).state(node.slot);
      points->choice[t].push_back(choice[t][node.slot]);
      if (model.is_terminal(s)) continue;
      for (const Outcome& o : model.outcomes(choice[t][node.slot])) {
        if (!stays_possible(stages, windows, t, node.level, o)) continue;
        const auto slot = static_cast<std::uint32_t>(stages.layer(t + 1).slot(o.next));
        points->nodes[t + 1].insert({slot, stages.next_residual(t, node.level, o)});
      }
    }
  }
  points->choice[horizon].resize(points->nodes[horizon].size());
  // Roundings: fewer than 2^30 of relative 2^-52, with a margin; what underflowed counts as 0.
  const auto drawn = stages.drawn<long double>([&](std::size_t slot) {
    return windows.at(0, slot).possible == start.possible ? chance[0][slot] : 0.0L;
  });
  const auto least = static_cast<double>(drawn * (1 - 0x1p-20L));
  return Settled{
      start.possible <= start.sure ? Rational(1) : Rational(std::isfinite(least) ? least : 0.0),
      points,
      /*is_bound=*/true};
}

}  // namespace quantiplan
