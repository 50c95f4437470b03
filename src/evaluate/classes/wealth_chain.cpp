#include "evaluate/classes/wealth_chain.hpp"

#include "base/node_table.hpp"
#include "base/quoted.hpp"
#include "quantiplan/error.hpp"

namespace quantiplan {
namespace {

constexpr std::size_t kMostPairs = 10'000'000;
constexpr std::uint64_t kBytesPerPair = NodeTable::kBytesPerNode + 40;

}  // namespace

WealthChain::WealthChain(const Model& model,
                         Structure& structure,
                         const InitialStates& initial,
                         WealthRules& rules,
                         Limits& limits)
    : model_(model), structure_(structure) {
  explore(initial, rules, limits);
  if (!complete_) return;
  components_ = strongly_connected(arcs_);
  decide();
}

void WealthChain::explore(const InitialStates& initial, WealthRules& rules, Limits& limits) {
  NodeTable table;
  const auto meet = [&](State s, WealthId w) {
    const std::uint32_t v =
        table.insert({static_cast<std::uint32_t>(index(s)), static_cast<std::int64_t>(index(w))});
    if (v == state_.size()) {
      state_.push_back(s);
      wealth_.push_back(w);
    }
    return v;
  };
  for (const State s : initial.states()) meet(s, structure_.initial());
  for (std::uint32_t v = 0; v < state_.size(); ++v) {
    if (v % 4096 == 0) {
      if (limits.ended()) return;
      const std::uint64_t bytes = table.size() * kBytesPerPair + arcs_.next.size() * 8;
      if (!limits.would_fit(bytes)) limits.take(bytes, "the pairs of state and wealth");
    }
    if (state_.size() > kMostPairs)
      throw Error(ErrorCode::refused,
                  "infinite horizon",
                  "more than " + std::to_string(kMostPairs) +
                      " pairs of state and wealth can be reached, expected fewer");
    const State s = state_[v];
    const WealthId w = wealth_[v];
    if (model_.is_terminal(s)) {
      choice_.emplace_back();
    } else {
      choice_.push_back(rules.choose(0, s, w));
      for (const Outcome& o : model_.outcomes(choice_[v]))
        arcs_.next.push_back(meet(o.next, structure_.update(w, o.reward)));
    }
    arcs_.close_node();
  }
  complete_ = true;
}

void WealthChain::decide() {
  const Members members = members_of(components_);
  is_decided_.assign(components_.count, false);
  for (std::uint32_t c = 0; c < components_.count; ++c) {
    const std::uint32_t first = members.node[members.begin[c]];
    bool is_left = false;
    bool is_decided = true;
    std::uint32_t other = first;  // of another class, if there is one
    for (std::uint32_t i = members.begin[c]; i < members.begin[c + 1]; ++i) {
      const std::uint32_t v = members.node[i];
      if (!are_equivalent(v, first)) other = v;
      for (std::uint64_t a = arcs_.begin[v]; a < arcs_.begin[v + 1]; ++a) {
        const std::uint32_t to = components_.of_node[arcs_.next[a]];
        if (to == c) continue;
        is_left = true;
        is_decided = is_decided && is_decided_[to] && are_equivalent(arcs_.next[a], first);
      }
    }
    if (!is_left && other != first)
      throw Error(ErrorCode::refused,
                  "infinite horizon",
                  "the wealth goes from " + in_quotes(structure_.class_text(wealth_[first])) +
                      " to " + in_quotes(structure_.class_text(wealth_[other])) +
                      " and back for ever, expected one that settles");
    is_decided_[c] = is_decided && other == first;
  }
}

}  // namespace quantiplan
