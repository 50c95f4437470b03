#include "infinite/levels/moves.hpp"

#include <algorithm>

#include "model/components.hpp"

namespace quantiplan {

std::optional<Moves> Moves::lay_out(const Model& model,
                                    const ResolvedSetting& setting,
                                    Limits& limits) {
  Moves moves(model);
  moves.sign = setting.cost == setting.adversarial ? 1 : -1;
  limits.take(model.state_count() * sizeof(std::uint32_t), "the states of the model");
  moves.slot_of.assign(model.state_count(), kNoSlot);
  const auto slot = [&](State s) {
    std::uint32_t& known = moves.slot_of[index(s)];
    if (known == kNoSlot) {
      known = static_cast<std::uint32_t>(moves.state.size());
      moves.state.push_back(s);
      const bool is_goal = setting.is_goal(s);
      moves.end.push_back(is_goal ? End::goal : model.is_terminal(s) ? End::other : End::none);
    }
    return known;
  };
  for (const State s : setting.initial.states()) slot(s);
  moves.starts = moves.state.size();
  constexpr std::uint64_t kStatesPerCheck = 4096;
  std::uint64_t held = 0;
  for (std::uint32_t v = 0; v < moves.state.size(); ++v) {
    if (v % kStatesPerCheck == 0) {
      if (limits.ended()) return std::nullopt;
      limits.take(moves.bytes() - held, "the moves from the initial state");
      held = moves.bytes();
    }
    if (moves.end[v] == End::none) {
      for (const Choice c : model.choices(moves.state[v])) {
        for (const Outcome& o : model.outcomes(c)) {
          moves.graph.next.push_back(slot(o.next));
          moves.probability.push_back(o.probability);
          moves.reward.push_back(o.reward);
        }
        moves.graph.close_choice();
        moves.choice.push_back(c);
        moves.most_arcs = std::max(moves.most_arcs, model.outcomes(c).size());
      }
    }
    moves.graph.close_node();
  }
  limits.take(moves.bytes() - held, "the moves from the initial state");
  return moves;
}

Rational Moves::counted(std::uint64_t arc) const {
  const Rational value = model.rewards().rational(reward[arc]);
  return sign > 0 ? value : Rational(-value);
}

std::uint64_t Moves::bytes() const noexcept {
  return 5 * state.size() + 4 * graph.choice_begin.size() + 12 * graph.arc_begin.size() +
         12 * graph.next.size();
}

Signs signs_of(const Moves& moves) {
  Signs signs;
  std::vector<std::int8_t> known(moves.model.rewards().size(), 2);
  for (std::uint32_t v = 0; v < moves.slots(); ++v) {
    for (std::uint32_t c = moves.graph.choice_begin[v]; c < moves.graph.choice_begin[v + 1]; ++c) {
      for (std::uint64_t i = moves.graph.arc_begin[c]; i < moves.graph.arc_begin[c + 1]; ++i) {
        std::int8_t& sign = known[index(moves.reward[i])];
        if (sign == 2) sign = static_cast<std::int8_t>(sgn(moves.counted(i)));
        if (sign > 0 && !signs.gain) signs.gain = {v, c};
        if (sign < 0 && !signs.loss) signs.loss = {v, c};
      }
      if (signs.gain && signs.loss) return signs;
    }
  }
  return signs;
}

std::optional<std::uint64_t> longest_episode(const Moves& moves) {
  const MoveGraph& graph = moves.graph;
  ArcLists arcs;
  arcs.next = graph.next;
  for (std::uint32_t v = 0; v < graph.nodes(); ++v)
    arcs.begin.push_back(graph.arc_begin[graph.choice_begin[v + 1]]);
  const Components components = strongly_connected(arcs);
  if (components.count < graph.nodes()) return std::nullopt;
  // Components without successors come first, so each node's successors are known before it.
  const Members order = members_of(components);
  std::vector<std::uint64_t> longest(graph.nodes(), 0);
  for (const std::uint32_t v : order.node) {
    for (std::uint64_t i = arcs.begin[v]; i < arcs.begin[v + 1]; ++i) {
      if (arcs.next[i] == v) return std::nullopt;
      longest[v] = std::max(longest[v], longest[arcs.next[i]] + 1);
    }
  }
  return *std::max_element(longest.begin(),
                           longest.begin() + static_cast<std::ptrdiff_t>(moves.starts));
}

}  // namespace quantiplan
