#include "check/classes/wealth_graph.hpp"

#include <span>
#include <utility>

#include "check/infinite/best_reach.hpp"

namespace quantiplan::checking {
namespace {

constexpr std::size_t kMostOfPolicy = 1'000'000;
constexpr std::size_t kMostOfAll = 300'000;

// `moves(place, take)` calls take(choice) for each choice that is followed.
template <class Moves>
WealthGraph expand(const Model& model,
                   Structure& structure,
                   const InitialStates& initial,
                   std::size_t most,
                   CheckLimits& limits,
                   const Moves& moves) {
  WealthGraph out(model, limits);
  const auto number = [&](State s, WealthId w) {
    return out.places.number({s, static_cast<std::int64_t>(index(w))});
  };
  for (const State s : initial.states()) number(s, structure.initial());
  for (std::uint32_t v = 0; v < out.places.size(); ++v) {
    out.ended = limits.ended();
    out.too_large = out.places.size() > most;
    if (!out.is_complete()) break;
    const State state = out.places[v].state;
    const WealthId wealth = out.wealth(v);
    const auto take = [&](Choice c) {
      for (const Outcome& o : model.outcomes(c)) {
        const WealthId next = structure.update(wealth, o.reward);
        const auto change = structure.order(next, wealth);
        out.rises = out.rises && change >= 0;
        out.falls = out.falls && change <= 0;
        out.graph.add_arc(number(o.next, next), o.probability);
      }
      out.graph.end_choice(/*is_free=*/true);
    };
    if (!model.is_terminal(state)) moves(state, wealth, out, take);
    out.graph.end_node();
  }
  return out;
}

}  // namespace

WealthGraph chain_of_policy(const Model& model,
                            Structure& structure,
                            const Policy& policy,
                            CheckLimits& limits) {
  WealthRuleBook rules(structure, policy);
  const auto moves = [&](State s, WealthId w, WealthGraph& out, const auto& take) {
    if (const auto choice = rules.decide(0, s, w)) {
      take(*choice);
      return;
    }
    out.fault =
        "The policy reaches " + describe_place(model, policy, 0, s) + " and has no rule for it.";
  };
  return expand(model, structure, policy.setting.initial, kMostOfPolicy, limits, moves);
}

WealthGraph graph_of_all(const Model& model,
                         Structure& structure,
                         const ResolvedSetting& setting,
                         CheckLimits& limits) {
  const auto moves = [&](State s, WealthId, WealthGraph&, const auto& take) {
    for (const Choice c : model.choices(s)) take(c);
  };
  return expand(model, structure, setting.initial, kMostOfAll, limits, moves);
}

StationaryWalk walk_by_class(const Model& model,
                             WealthGraph chain,
                             const WealthLevel& level,
                             CheckLimits& limits) {
  StationaryWalk walk{std::move(chain.graph)};
  ReachGraph& graph = walk.chain;
  const auto come_to = [&](std::span<const std::uint32_t> nodes) {
    const bool is_within = level.is_reached_by(chain.wealth(nodes.front()));
    (is_within ? walk.some_within : walk.some_outside) = true;
    for (const std::uint32_t v : nodes) {
      const WealthId wealth = chain.wealth(v);
      if (level.is_reached_by(wealth) != is_within)
        walk.obstacle = "The policy was not followed: its wealth does not settle in a class.";
      walk.some_at = walk.some_at || level.contains(wealth);
      graph.set_worth(v, is_within ? 1 : 0);
    }
  };
  // Terminal states are where the policy comes to.
  for (std::uint32_t v = 0; v < graph.nodes(); ++v)
    if (model.is_terminal(chain.places[v].state)) come_to({&v, 1});
  // So are blocks that are never left. A block from which it comes to one side of the level only is
  // worth as much: nobody need wait until it is left.
  for_each_block(graph, first_selection(graph), limits, [&](const SelectedBlock& block) {
    bool may_gain = false;
    bool may_lose = false;
    block.for_each_arc([&](std::size_t, const ReachArc& arc) {
      if (block.holds(arc.to)) return;
      const auto& worth = graph.worth(arc.to);
      may_gain = may_gain || !worth || *worth > 0;
      may_lose = may_lose || !worth || *worth < 1;
    });
    if (!may_gain && !may_lose) come_to(block.nodes());
    if (may_gain != may_lose)
      for (const std::uint32_t v : block.nodes()) graph.set_worth(v, may_gain ? 1 : 0);
    return true;
  });
  return walk;
}

std::optional<Bounds> greatest_limit_chance(const Model& model,
                                            const InitialStates& initial,
                                            WealthGraph all,
                                            const WealthLevel& level,
                                            const CountedClaim& claim,
                                            CheckLimits& limits) {
  for (std::uint32_t v = 0; v < all.graph.nodes(); ++v) {
    const bool is_within = claim.beyond.is_strict() ? level.is_exceeded_by(all.wealth(v))
                                                    : level.is_reached_by(all.wealth(v));
    const bool is_decided =
        model.is_terminal(all.places[v].state) || (all.rises ? is_within : !is_within);
    if (is_decided) all.graph.set_worth(v, is_within ? 1 : 0);
  }
  if (!all.rises) give_worth_to_staying(all.graph, /*by_free_choices_only=*/false, limits);
  return BestReach(all.graph, limits).bounds(initial, claim.beyond_demand);
}

}  // namespace quantiplan::checking
