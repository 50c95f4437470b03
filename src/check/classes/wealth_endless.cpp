#include "check/classes/wealth_endless.hpp"

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
                   State initial,
                   std::size_t most,
                   CheckLimits& limits,
                   const Moves& moves) {
  WealthGraph out(model, limits);
  const auto number = [&](State s, WealthId w) {
    return out.places.number({s, static_cast<std::int64_t>(index(w))});
  };
  number(initial, structure.initial());
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

WealthChainChance::WealthChainChance(const Model& model,
                                     WealthGraph chain,
                                     const WealthLevel& level,
                                     CheckLimits& limits)
    : chain_(std::move(chain)), level_(level) {
  give_worth_to_ends(model, limits);
}

// Terminal states, and blocks that are never left, are where the policy comes to. A block from
// which it comes to one side of the level only is worth as much: nobody need wait until it is left.
void WealthChainChance::give_worth_to_ends(const Model& model, CheckLimits& limits) {
  ReachGraph& graph = chain_.graph;
  for (std::uint32_t v = 0; v < graph.nodes(); ++v)
    if (model.is_terminal(chain_.places[v].state)) set_worth(0, 1, {v});
  const Selection first = first_selection(graph);
  const Blocks blocks = blocks_of(graph, &first, limits);
  std::vector<std::size_t> block_of(graph.nodes(), blocks.count());
  for (std::size_t b = 0; b < blocks.count(); ++b) {
    for (std::uint32_t i = blocks.begin[b]; i < blocks.begin[b + 1]; ++i)
      block_of[blocks.nodes[i]] = b;
    bool is_left = false;
    bool may_gain = false;
    bool may_lose = false;
    for (std::uint32_t i = blocks.begin[b]; i < blocks.begin[b + 1]; ++i) {
      const std::uint32_t c = first[blocks.nodes[i]];
      for (const ReachArc* arc = graph.begin(c); arc != graph.end(c); ++arc) {
        if (block_of[arc->to] == b) continue;
        const auto& worth = graph.worth(arc->to);
        is_left = true;
        may_gain = may_gain || !worth || *worth > 0;
        may_lose = may_lose || !worth || *worth < 1;
      }
    }
    if (!is_left) set_worth(blocks.begin[b], blocks.begin[b + 1], blocks.nodes);
    if (may_gain == may_lose) continue;
    for (std::uint32_t i = blocks.begin[b]; i < blocks.begin[b + 1]; ++i)
      graph.set_worth(blocks.nodes[i], may_gain ? 1 : 0);
  }
}

void WealthChainChance::set_worth(std::uint32_t first,
                                  std::uint32_t end,
                                  const std::vector<std::uint32_t>& nodes) {
  const bool is_within = level_.is_reached_by(chain_.wealth(nodes[first]));
  (is_within ? some_within_ : some_outside_) = true;
  for (std::uint32_t i = first; i < end; ++i) {
    const WealthId wealth = chain_.wealth(nodes[i]);
    settles_ = settles_ && level_.is_reached_by(wealth) == is_within;
    some_at_ = some_at_ || level_.contains(wealth);
    chain_.graph.set_worth(nodes[i], is_within ? 1 : 0);
  }
}

std::optional<Chance> WealthChainChance::proved(CheckLimits& limits) const {
  const auto bounds = chain_bounds(chain_.graph, limits);
  if (!bounds) return std::nullopt;
  return Chance::of(bounds->at(0), some_within_, some_outside_);
}

std::optional<Chance> WealthChainChance::exactly(CheckLimits& limits) const {
  Effort effort;
  const auto values = exact_values(chain_.graph, first_selection(chain_.graph), effort, limits);
  if (!values) return std::nullopt;
  return Chance::of(Bounds::of(values->front()), some_within_, some_outside_);
}

std::optional<Bounds> greatest_limit_chance(const Model& model,
                                            WealthGraph all,
                                            const WealthLevel& level,
                                            const Demand& demand,
                                            CheckLimits& limits) {
  for (std::uint32_t v = 0; v < all.graph.nodes(); ++v) {
    const bool is_within = level.is_exceeded_by(all.wealth(v));
    const bool is_decided =
        model.is_terminal(all.places[v].state) || (all.rises ? is_within : !is_within);
    if (is_decided) all.graph.set_worth(v, is_within ? 1 : 0);
  }
  if (!all.rises) give_worth_to_staying(all.graph, /*by_free_choices_only=*/false, limits);
  BestReach best(all.graph, limits);
  const auto bounds = best.bounds(1, [&](const std::vector<Bounds>& found) {
    return demand.met_by(found.front()) != Verdict::open;
  });
  return bounds ? std::optional<Bounds>(bounds->front()) : std::nullopt;
}

}  // namespace quantiplan::checking
