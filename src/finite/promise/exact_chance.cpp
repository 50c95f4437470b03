#include "finite/promise/exact_chance.hpp"

#include "finite/expectation.hpp"

namespace quantiplan {

std::optional<Rational> exact_chance(const Groundwork& ground,
                                     const ResidualRule& rule,
                                     std::int64_t target,
                                     std::uint64_t most_nodes,
                                     const Limits& limits) {
  const Stages& stages = *ground.stages;
  const std::uint64_t horizon = stages.horizon();
  const auto is_known = [&](std::uint64_t t, const Node& node) {
    return ground.windows->at(t, node.slot).is_free(node.level);
  };
  const auto child_of = [&](std::uint64_t t, const Node& node, const Outcome& o) {
    return Node{static_cast<std::uint32_t>(stages.layer(t + 1).slot(o.next)),
                stages.next_residual(t, node.level, o)};
  };
  std::vector<NodeTable> tables(horizon + 1);
  std::vector<std::vector<Choice>> choices(horizon + 1);
  std::uint64_t count = 0;
  if (!is_known(0, {0, target})) tables[0].insert({0, target});
  for (std::uint64_t t = 0; t < horizon; ++t) {
    for (std::size_t i = 0; i < tables[t].size(); ++i) {
      constexpr std::uint64_t kBytes = NodeTable::kBytesPerNode + sizeof(Choice) + 160;
      if (++count > most_nodes) return std::nullopt;
      if (count % 256 == 0 && (limits.ended() || !limits.would_fit(count * kBytes)))
        return std::nullopt;
      const Node node = tables[t].nodes()[i];
      choices[t].push_back(rule.choose(t, node.slot, node.level));
      for (const Outcome& o : stages.model().outcomes(choices[t].back())) {
        const Node child = child_of(t, node, o);
        if (!is_known(t + 1, child)) tables[t + 1].insert(child);
      }
    }
  }
  const Arithmetics<Rational> numbers(stages.model());
  std::vector<Rational> later;
  const auto chance_at = [&](std::uint64_t t, const Node& node) {
    if (is_known(t, node)) return Rational(node.level <= ground.windows->at(t, node.slot).least);
    return later[tables[t].find(node)];
  };
  for (std::uint64_t t = horizon; t-- > 0;) {
    std::vector<Rational> now(tables[t].size());
    for (std::size_t i = 0; i < now.size(); ++i) {
      if (i % 16 == 0 && limits.ended()) return std::nullopt;
      const Node node = tables[t].nodes()[i];
      for (const Outcome& o : stages.model().outcomes(choices[t][i]))
        now[i] += numbers.probability(o) * chance_at(t + 1, child_of(t, node, o));
    }
    later = std::move(now);
  }
  return chance_at(0, {0, target});
}

}  // namespace quantiplan
