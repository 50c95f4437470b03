#include "finite/means/node_means.hpp"

namespace quantiplan {
namespace {

constexpr std::size_t kNodesPerPoll = 64;

template <class N>
class PolicyNodes {
 public:
  PolicyNodes(const Groundwork& ground,
              const ResidualRule& rule,
              std::uint64_t most_nodes,
              const Limits& limits)
      : stages_(*ground.stages),
        windows_(*ground.windows),
        rule_(rule),
        most_nodes_(most_nodes),
        limits_(limits),
        numbers_(stages_.model()) {}

  // `known`: the value where nothing is left to decide; `after`: what an outcome at a time is worth,
  // given the value of what follows.
  template <class Known, class After>
  std::optional<std::vector<N>> run(const std::vector<std::int64_t>& targets,
                                    const Known& known,
                                    const After& after) {
    if (!expand(targets) || !evaluate(known, after)) return std::nullopt;
    std::vector<N> out;
    out.reserve(targets.size());
    for (const std::int64_t target : targets) {
      out.push_back(stages_.template drawn<N>([&](std::size_t slot) {
        return value_at(0, {static_cast<std::uint32_t>(slot), target}, known);
      }));
    }
    return out;
  }

 private:
  // Nodes are kept only where the value is not known already.
  [[nodiscard]] bool is_known(std::uint64_t t, const Node& node) const {
    return windows_.at(t, node.slot).is_free(node.level);
  }

  template <class Known>
  [[nodiscard]] N value_at(std::uint64_t t, const Node& node, const Known& known) const {
    if (is_known(t, node)) return known(t, node);
    return later_[tables_[t].find(node)];
  }

  bool expand(const std::vector<std::int64_t>& targets) {
    tables_.resize(stages_.horizon() + 1);
    choices_.resize(stages_.horizon() + 1);
    std::uint64_t count = 0;
    for (const std::int64_t target : targets) {
      for (std::uint32_t slot = 0; slot < stages_.starts(); ++slot) {
        if (!is_known(0, {slot, target})) tables_[0].insert({slot, target});
      }
    }
    for (std::uint64_t t = 0; t < stages_.horizon(); ++t) {
      const Layer& next_layer = stages_.layer(t + 1);
      for (std::size_t i = 0; i < tables_[t].size(); ++i) {
        constexpr std::uint64_t kBytes = NodeTable::kBytesPerNode + sizeof(Choice) + 2 * sizeof(N);
        if (++count > most_nodes_) return false;
        if (count % 1024 == 0 && (limits_.ended() || !limits_.would_fit(count * kBytes)))
          return false;
        const Node node = tables_[t].nodes()[i];
        const Choice choice = rule_.choose(t, node.slot, node.level);
        choices_[t].push_back(choice);
        for (const Outcome& o : stages_.model().outcomes(choice)) {
          const Node child = child_of(t, node, o, next_layer);
          if (!is_known(t + 1, child)) tables_[t + 1].insert(child);
        }
      }
    }
    return true;
  }

  template <class Known, class After>
  bool evaluate(const Known& known, const After& after) {
    for (std::uint64_t t = stages_.horizon(); t-- > 0;) {
      const Layer& next_layer = stages_.layer(t + 1);
      std::vector<N> now(tables_[t].size());
      for (std::size_t i = 0; i < now.size(); ++i) {
        if (i % kNodesPerPoll == 0 && limits_.ended()) return false;
        const Node node = tables_[t].nodes()[i];
        N sum = 0;
        for (const Outcome& o : stages_.model().outcomes(choices_[t][i])) {
          const Node child = child_of(t, node, o, next_layer);
          sum += numbers_.probability(o) * after(t, o, value_at(t + 1, child, known));
        }
        now[i] = sum;
      }
      later_ = std::move(now);
    }
    return true;
  }

  [[nodiscard]] Node child_of(std::uint64_t t,
                              const Node& node,
                              const Outcome& o,
                              const Layer& next_layer) const {
    return {static_cast<std::uint32_t>(next_layer.slot(o.next)),
            stages_.next_residual(t, node.level, o)};
  }

  const Stages& stages_;
  const Windows& windows_;
  const ResidualRule& rule_;
  std::uint64_t most_nodes_;
  const Limits& limits_;
  Arithmetics<N> numbers_;
  std::vector<NodeTable> tables_;
  std::vector<std::vector<Choice>> choices_;
  std::vector<N> later_;
};

}  // namespace

template <class N>
std::optional<std::vector<N>> node_means(const Groundwork& ground,
                                         const Expectation<N>& expectation,
                                         const ResidualRule& rule,
                                         const std::vector<std::int64_t>& targets,
                                         std::uint64_t most_nodes,
                                         const Limits& limits) {
  const Stages& stages = *ground.stages;
  return PolicyNodes<N>(ground, rule, most_nodes, limits)
      .run(
          targets,
          [&](std::uint64_t t, const Node& node) -> N { return expectation.value(t, node.slot); },
          [&](std::uint64_t t, const Outcome& o, const N& mean) -> N {
            return Arithmetics<N>::reward(stages, t, o) + Arithmetics<N>::earlier(stages, t, mean);
          });
}

std::optional<Rational> node_chance(const Groundwork& ground,
                                    const ResidualRule& rule,
                                    std::int64_t target,
                                    std::uint64_t most_nodes,
                                    const Limits& limits) {
  const auto found =
      PolicyNodes<Rational>(ground, rule, most_nodes, limits)
          .run(
              {target},
              [&](std::uint64_t t, const Node& node) {
                return Rational(node.level <= ground.windows->at(t, node.slot).least ? 1 : 0);
              },
              [](std::uint64_t, const Outcome&, const Rational& chance) { return chance; });
  if (!found) return std::nullopt;
  return found->front();
}

template std::optional<std::vector<double>> node_means(const Groundwork&,
                                                       const Expectation<double>&,
                                                       const ResidualRule&,
                                                       const std::vector<std::int64_t>&,
                                                       std::uint64_t,
                                                       const Limits&);
template std::optional<std::vector<Rational>> node_means(const Groundwork&,
                                                         const Expectation<Rational>&,
                                                         const ResidualRule&,
                                                         const std::vector<std::int64_t>&,
                                                         std::uint64_t,
                                                         const Limits&);

}  // namespace quantiplan
