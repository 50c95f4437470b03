#include "evaluate/infinite/verdicts.hpp"

namespace quantiplan {
namespace {

constexpr std::uint32_t kNotInPart = ~std::uint32_t{0};

}  // namespace

// The part of the chain that is being looked at; states whose prospects are known are its leaves.
struct Verdicts::Explored {
  std::vector<State> states;
  ArcLists arcs;
  std::vector<Prospects> own;  // what happens at the state itself, or behind a leaf
  std::vector<bool> leaves;    // some move leads out of the part: to an end, a leaf, another count
};

Verdicts::Verdicts(const StationaryRules& rules)
    : rules_(rules),
      settled_(rules.model().state_count()),
      is_known_settled_(rules.model().state_count(), false),
      node_(rules.model().state_count(), kNotInPart) {}

Verdict Verdicts::at(State s, std::int64_t k) {
  if (rules_.is_goal(s)) return Verdict::total;
  if (rules_.model().is_terminal(s)) return rules_.has_goal() ? Verdict::miss : Verdict::total;
  return rules_.is_settled(k) ? settled(s, k) : unsettled(s, k);
}

Verdict Verdicts::settled(State s, std::int64_t k) {
  if (!is_known_settled_[index(s)]) {
    explore(
        s,
        k,
        true,
        [&](State t) { return is_known_settled_[index(t)] ? &settled_[index(t)] : nullptr; },
        [&](State t, const Prospects& p) {
          settled_[index(t)] = p;
          is_known_settled_[index(t)] = true;
        });
  }
  const Prospects& p = settled_[index(s)];
  if (rules_.has_goal()) return p.arrives ? Verdict::open : Verdict::miss;
  if (!p.pays) return Verdict::total;
  return p.ends ? Verdict::open : Verdict::infinite;
}

Verdict Verdicts::unsettled(State s, std::int64_t k) {
  if (rules_.pays(rules_.choose(s, k))) return Verdict::open;
  const std::uint64_t piece = static_cast<std::uint64_t>(rules_.piece(k)) << 32U;
  const auto key = [&](State t) { return piece | static_cast<std::uint64_t>(index(t)); };
  auto found = unsettled_.find(key(s));
  if (found == unsettled_.end()) {
    explore(
        s,
        k,
        false,
        [&](State t) -> const Prospects* {
          const auto known = unsettled_.find(key(t));
          return known == unsettled_.end() ? nullptr : &known->second;
        },
        [&](State t, const Prospects& p) { unsettled_.emplace(key(t), p); });
    found = unsettled_.find(key(s));
  }
  const Prospects& p = found->second;
  if (p.pays || p.arrives) return Verdict::open;
  return rules_.has_goal() ? Verdict::miss : Verdict::total;
}

template <class Known, class Keep>
void Verdicts::explore(
    State s, std::int64_t k, bool all_moves, const Known& known, const Keep& keep) {
  const Explored part = gather(s, k, all_moves, known);
  const Components components = strongly_connected(part.arcs);
  const std::vector<Prospects> found = prospects(part, components);
  for (std::size_t i = 0; i < part.states.size(); ++i) {
    keep(part.states[i], found[components.of_node[i]]);
    node_[index(part.states[i])] = kNotInPart;
  }
}

template <class Known>
Verdicts::Explored Verdicts::gather(State s, std::int64_t k, bool all_moves, const Known& known) {
  const Model& model = rules_.model();
  Explored part;
  node_[index(s)] = 0;
  part.states.push_back(s);
  for (std::size_t i = 0; i < part.states.size(); ++i) {
    const Choice choice = rules_.choose(part.states[i], k);
    Prospects own;
    bool leaves = false;
    own.pays = rules_.pays(choice);
    for (const Outcome& o : model.outcomes(choice)) {
      const State t = o.next;
      if (!all_moves && rules_.counts(o) != 0) {
        leaves = true;
      } else if (rules_.is_goal(t)) {
        leaves = own.arrives = true;
      } else if (model.is_terminal(t)) {
        leaves = own.ends = true;
      } else if (const Prospects* behind = known(t)) {
        leaves = true;
        own.add(*behind);
      } else {
        if (node_[index(t)] == kNotInPart) {
          node_[index(t)] = static_cast<std::uint32_t>(part.states.size());
          part.states.push_back(t);
        }
        part.arcs.next.push_back(node_[index(t)]);
      }
    }
    part.arcs.close_node();
    part.own.push_back(own);
    part.leaves.push_back(leaves);
  }
  return part;
}

// By component; those that nothing follows come first.
std::vector<Verdicts::Prospects> Verdicts::prospects(const Explored& part,
                                                     const Components& components) {
  const Members members = members_of(components);
  std::vector<Prospects> found(components.count);
  for (std::uint32_t c = 0; c < components.count; ++c) {
    bool is_closed = true;
    for (std::uint32_t m = members.begin[c]; m < members.begin[c + 1]; ++m) {
      const std::uint32_t v = members.node[m];
      found[c].add(part.own[v]);
      if (part.leaves[v]) is_closed = false;
      for (std::uint64_t a = part.arcs.begin[v]; a < part.arcs.begin[v + 1]; ++a) {
        const std::uint32_t next = components.of_node[part.arcs.next[a]];
        if (next == c) continue;
        is_closed = false;
        found[c].add(found[next]);
      }
    }
    if (is_closed && !found[c].pays) found[c].ends = true;
  }
  return found;
}

}  // namespace quantiplan
