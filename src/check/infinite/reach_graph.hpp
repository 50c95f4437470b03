// A finite problem of reaching: nodes with choices among arcs, or with a worth.
//
//     v(node) = its worth                          where it has one
//             = max over choices of sum of p * v   the least solution: who stays for ever gets 0
//
// The checker's own, for places (state, wealth) at an infinite horizon and for chances of a goal. Nodes are
// made in the order of their numbers, each with all its choices; a worth may be set later, and then
// the choices of that node count no more.
#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "check/common/check_limits.hpp"
#include "quantiplan/model.hpp"

namespace quantiplan::checking {

struct ReachArc {
  std::uint32_t to = 0;
  NumberId probability{};
};

class ReachGraph {
 public:
  ReachGraph(const Model& model, CheckLimits& limits) : model_(&model), share_(limits) {}
  [[nodiscard]] const Model& model() const { return *model_; }

  // Building: arcs of a choice, then end_choice; choices of a node, then end_node.
  void add_arc(std::uint32_t to, NumberId probability) { arcs_.push_back({to, probability}); }
  // `is_free`: all its rewards are 0.
  void end_choice(bool is_free) {
    arc_begin_.push_back(arcs_.size());
    is_free_.push_back(is_free);
  }
  void end_node(std::optional<Rational> worth = std::nullopt) {
    choice_begin_.push_back(static_cast<std::uint32_t>(is_free_.size()));
    worth_.push_back(std::move(worth));
    constexpr std::size_t kBetweenCounts = 1024;
    if (worth_.size() % kBetweenCounts == 1) share_.set(bytes());
  }
  void set_worth(std::uint32_t node, const Rational& worth) { worth_[node] = worth; }

  [[nodiscard]] std::uint32_t nodes() const { return static_cast<std::uint32_t>(worth_.size()); }
  [[nodiscard]] const std::optional<Rational>& worth(std::uint32_t node) const {
    return worth_[node];
  }
  [[nodiscard]] std::uint32_t first_choice(std::uint32_t node) const { return choice_begin_[node]; }
  [[nodiscard]] std::uint32_t end_choice_of(std::uint32_t node) const {
    return choice_begin_[node + 1];
  }
  [[nodiscard]] bool is_free(std::uint32_t choice) const { return is_free_[choice]; }
  [[nodiscard]] const ReachArc* begin(std::uint32_t choice) const {
    return arcs_.data() + arc_begin_[choice];
  }
  [[nodiscard]] const ReachArc* end(std::uint32_t choice) const {
    return arcs_.data() + arc_begin_[choice + 1];
  }
  // Needs a node without a worth.
  [[nodiscard]] bool leads_to_itself(std::uint32_t node) const {
    return std::any_of(begin(first_choice(node)),
                       end(end_choice_of(node) - 1),
                       [&](const ReachArc& arc) { return arc.to == node; });
  }

 private:
  // About: what it holds, twice as it grows; the list of its places; and what the proofs of its
  // values hold beside it.
  [[nodiscard]] std::uint64_t bytes() const {
    constexpr std::uint64_t kByNode = 2 * sizeof(std::optional<Rational>) + 200;
    constexpr std::uint64_t kByChoice = 2 * sizeof(std::uint64_t) + 32;
    constexpr std::uint64_t kByArc = 2 * sizeof(ReachArc) + 16;
    return nodes() * kByNode + is_free_.size() * kByChoice + arcs_.size() * kByArc;
  }

  const Model* model_;
  MemoryShare share_;
  std::vector<std::uint32_t> choice_begin_{0};  // by node
  std::vector<std::uint64_t> arc_begin_{0};     // by choice
  std::vector<bool> is_free_;                   // by choice
  std::vector<ReachArc> arcs_;
  std::vector<std::optional<Rational>> worth_;  // by node
};

// One choice of each node; what it is at a node with a worth does not matter.
using Selection = std::vector<std::uint32_t>;
// The first choice of each.
Selection first_selection(const ReachGraph& graph);

// Nodes that lead to one another, block by block, each block after those that it leads to.
struct Blocks {
  std::vector<std::uint32_t> nodes;
  std::vector<std::uint32_t> begin{0};  // by block
  std::vector<std::uint32_t> place;  // by node: where it stands in `nodes`; far beyond if nowhere
  [[nodiscard]] std::size_t count() const { return begin.size() - 1; }
};
// Of the nodes without a worth: all their choices, or the selected ones.
Blocks blocks_of(const ReachGraph& graph, const Selection* selection, CheckLimits& limits);

// One block, by the selected choices of its nodes.
class SelectedBlock {
 public:
  SelectedBlock(const ReachGraph& graph,
                const Selection& selection,
                const Blocks& blocks,
                std::size_t which)
      : graph_(graph),
        selection_(selection),
        place_(blocks.place),
        begin_(blocks.begin[which]),
        nodes_(blocks.nodes.data() + begin_, blocks.nodes.data() + blocks.begin[which + 1]) {}

  [[nodiscard]] std::span<const std::uint32_t> nodes() const { return nodes_; }
  [[nodiscard]] bool holds(std::uint32_t node) const { return position(node) < nodes_.size(); }
  // Where a node stands in it, if it does.
  [[nodiscard]] std::size_t position(std::uint32_t node) const {
    return std::size_t{place_[node]} - begin_;
  }
  [[nodiscard]] bool is_left() const {
    bool is_left = false;
    for_each_arc([&](std::size_t, const ReachArc& arc) { is_left = is_left || !holds(arc.to); });
    return is_left;
  }
  [[nodiscard]] bool is_free() const {
    return std::ranges::all_of(nodes_,
                               [&](std::uint32_t v) { return graph_.is_free(selection_[v]); });
  }

  // Calls visit(i, arc) for the arcs of nodes()[i].
  template <class Visit>
  void for_each_arc_of(std::size_t i, const Visit& visit) const {
    const std::uint32_t c = selection_[nodes_[i]];
    for (const ReachArc* arc = graph_.begin(c); arc != graph_.end(c); ++arc) visit(i, *arc);
  }
  template <class Visit>
  void for_each_arc(const Visit& visit) const {
    for (std::size_t i = 0; i < nodes_.size(); ++i) for_each_arc_of(i, visit);
  }

 private:
  const ReachGraph& graph_;
  const Selection& selection_;
  const std::vector<std::uint32_t>& place_;
  std::size_t begin_;
  std::span<const std::uint32_t> nodes_;
};

// Calls visit(block) for one after the other until it returns false; then so does this.
template <class Visit>
bool for_each_block(const ReachGraph& graph,
                    const Selection& selection,
                    CheckLimits& limits,
                    const Visit& visit) {
  const Blocks blocks = blocks_of(graph, &selection, limits);
  for (std::size_t b = 0; b < blocks.count(); ++b)
    if (!visit(SelectedBlock(graph, selection, blocks, b))) return false;
  return true;
}

// Nodes from which a node of positive worth can be reached.
std::vector<bool> can_gain(const ReachGraph& graph, CheckLimits& limits);
// The greatest set of nodes without a worth in which one can stay for ever: gives them the worth 1.
void give_worth_to_staying(ReachGraph& graph, bool by_free_choices_only, CheckLimits& limits);

}  // namespace quantiplan::checking
