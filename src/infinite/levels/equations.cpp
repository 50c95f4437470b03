#include "infinite/levels/equations.hpp"

#include <algorithm>
#include <numeric>

namespace quantiplan {
namespace {

// By block: one more than the greatest rank of the blocks that it leads to.
std::vector<std::uint32_t> ranks_of(const ArcLists& arcs,
                                    const Components& blocks,
                                    const Members& in_block) {
  std::vector<std::uint32_t> rank(blocks.count, 0);
  for (std::uint32_t b = 0; b < blocks.count; ++b) {
    for (std::uint32_t m = in_block.begin[b]; m < in_block.begin[b + 1]; ++m) {
      const std::uint32_t g = in_block.node[m];
      for (std::uint64_t i = arcs.begin[g]; i < arcs.begin[g + 1]; ++i) {
        const std::uint32_t other = blocks.of_node[arcs.next[i]];
        if (other != b) rank[b] = std::max(rank[b], rank[other] + 1);
      }
    }
  }
  return rank;
}

}  // namespace

template <class A>
Equations<A>::Equations(const EquationInput<A>& input) : moves_(input.moves) {
  find_groups(input);
  number_groups(input);
  add_options(input);
}

// Step 1. End components of the inner moves; a slot whose value is known has no moves.
template <class A>
void Equations<A>::find_groups(const EquationInput<A>& input) {
  const MoveGraph& graph = moves_.graph;
  std::vector<bool> stays(graph.choices(), false);
  for (std::uint32_t v = 0; v < graph.nodes(); ++v) {
    if (input.fixed[v]) continue;
    for (std::uint32_t c = graph.choice_begin[v]; c < graph.choice_begin[v + 1]; ++c) {
      stays[c] = is_allowed(input, c) &&
                 std::all_of(
                     input.row_of_arc.begin() + static_cast<std::ptrdiff_t>(graph.arc_begin[c]),
                     input.row_of_arc.begin() + static_cast<std::ptrdiff_t>(graph.arc_begin[c + 1]),
                     [](std::uint32_t row) { return row == 0; });
    }
  }
  components_ = end_components(graph, stays);
  group_of_ = components_.of_node;
  std::uint32_t count = components_.count;
  for (std::uint32_t& group : group_of_) {
    if (group == EndComponents::kNone) group = count++;
  }
}

// Inner arcs from each group to others, where there is a choice to make.
template <class A>
ArcLists Equations<A>::arcs_between(const EquationInput<A>& input,
                                    const Components& by_group) const {
  const MoveGraph& graph = moves_.graph;
  const Members members = members_of(by_group);
  const auto is_open = [&](std::uint32_t v) {
    return !input.fixed[v] &&
           !(input.staying_counts && components_.of_node[v] != EndComponents::kNone);
  };
  ArcLists arcs;
  for (std::uint32_t g = 0; g < by_group.count; ++g) {
    for (std::uint32_t m = members.begin[g]; m < members.begin[g + 1]; ++m) {
      const std::uint32_t v = members.node[m];
      if (!is_open(v)) continue;
      for (std::uint32_t c = graph.choice_begin[v]; c < graph.choice_begin[v + 1]; ++c) {
        if (!is_allowed(input, c) || components_.is_inner[c]) continue;
        for (std::uint64_t i = graph.arc_begin[c]; i < graph.arc_begin[c + 1]; ++i) {
          if (input.row_of_arc[i] == 0 && group_of_[graph.next[i]] != g)
            arcs.next.push_back(group_of_[graph.next[i]]);
        }
      }
    }
    arcs.close_node();
  }
  return arcs;
}

// Step 2. Groups in the order in which they can be solved, by rank.
template <class A>
void Equations<A>::number_groups(const EquationInput<A>& input) {
  const auto groups = static_cast<std::uint32_t>(
      components_.count +
      static_cast<std::size_t>(std::ranges::count(components_.of_node, EndComponents::kNone)));
  const ArcLists arcs = arcs_between(input, {group_of_, groups});
  const Components blocks = strongly_connected(arcs);
  const Members in_block = members_of(blocks);
  const std::vector<std::uint32_t> rank = ranks_of(arcs, blocks, in_block);
  const std::uint32_t ranks = rank.empty() ? 0 : std::ranges::max(rank) + 1;
  std::vector<std::uint32_t> order(blocks.count);
  std::iota(order.begin(), order.end(), 0U);
  std::ranges::stable_sort(order, {}, [&](std::uint32_t b) { return rank[b]; });
  std::vector<std::uint32_t> number(groups);
  std::uint32_t next = 0;
  rank_begin_.assign(ranks + 1, 0);
  for (const std::uint32_t b : order) {
    const std::uint32_t size = in_block.begin[b + 1] - in_block.begin[b];
    blocks_.push_back({next, next + size, size > 1});
    if (size > 1) greatest_cycle_ = std::max<std::size_t>(greatest_cycle_, size);
    ++rank_begin_[rank[b] + 1];
    for (std::uint32_t m = in_block.begin[b]; m < in_block.begin[b + 1]; ++m)
      number[in_block.node[m]] = next++;
  }
  for (std::uint32_t r = 0; r < ranks; ++r) rank_begin_[r + 1] += rank_begin_[r];
  for (std::uint32_t& group : group_of_) group = number[group];
  Members members = members_of({group_of_, groups});
  member_begin_ = std::move(members.begin);
  members_ = std::move(members.node);
}

// Step 3. Options and arcs, one after another in the order of the groups.
template <class A>
void Equations<A>::add_options(const EquationInput<A>& input) {
  const MoveGraph& graph = moves_.graph;
  const NumberTable& numbers = moves_.model.probabilities();
  const std::size_t count = member_begin_.size() - 1;
  known_.assign(count, A::zero());
  is_known_.assign(count, 0);
  for (std::uint32_t g = 0; g < count; ++g) {
    for (std::uint32_t m = member_begin_[g]; m < member_begin_[g + 1]; ++m) {
      const std::uint32_t v = members_[m];
      const bool in_component = components_.of_node[v] != EndComponents::kNone;
      if (input.fixed[v] || (in_component && input.staying_counts)) {
        known_[g] = input.fixed[v] ? *input.fixed[v] : A::one();
        is_known_[g] = 1;
        continue;
      }
      for (std::uint32_t c = graph.choice_begin[v]; c < graph.choice_begin[v + 1]; ++c) {
        if (!is_allowed(input, c) || components_.is_inner[c]) continue;
        Rational back = 0;  // the probability of coming back at once
        for (std::uint64_t i = graph.arc_begin[c]; i < graph.arc_begin[c + 1]; ++i) {
          const std::uint32_t row = input.row_of_arc[i];
          const std::uint32_t next = group_of_[graph.next[i]];
          if (row == 0 && next == g) {
            back += numbers.rational(moves_.probability[i]);
          } else {
            arcs_.push_back({next, row, A::probability(numbers, moves_.probability[i])});
          }
        }
        const Rational factor = back == 0 ? Rational(1) : Rational(1 / (1 - back));
        options_.push_back({arcs_.size(), c, A::factor(factor)});
      }
    }
    option_begin_.push_back(static_cast<std::uint32_t>(options_.size()));
    if (option_begin_[g] == option_begin_[g + 1]) is_known_[g] = 1;
  }
}

template <class A>
std::uint64_t Equations<A>::bytes() const noexcept {
  return arcs_.size() * sizeof(Arc) + options_.size() * sizeof(Option) +
         groups() * (sizeof(Value) + 16) + group_of_.size() * 12 + blocks_.size() * sizeof(Block);
}

// A choice that stays in the slot's component; else the first there is.
template <class A>
std::uint32_t Equations<A>::staying_choice(std::uint32_t slot) const {
  const MoveGraph& graph = moves_.graph;
  const std::uint32_t first = graph.choice_begin[slot];
  const std::uint32_t end = graph.choice_begin[slot + 1];
  for (std::uint32_t c = first; c < end; ++c) {
    if (components_.is_inner[c]) return c;
  }
  return first < end ? first : kNoOption;
}

// Backwards from the slot that has the option, breadth first.
template <class A>
std::unordered_map<std::uint32_t, std::uint32_t> Equations<A>::ways_to(std::uint32_t group,
                                                                       std::uint32_t option) const {
  const MoveGraph& graph = moves_.graph;
  struct Into {
    std::uint32_t from;
    std::uint32_t choice;
  };
  std::unordered_map<std::uint32_t, std::vector<Into>> into;
  for (std::uint32_t m = member_begin_[group]; m < member_begin_[group + 1]; ++m) {
    const std::uint32_t v = members_[m];
    for (std::uint32_t c = graph.choice_begin[v]; c < graph.choice_begin[v + 1]; ++c) {
      if (!components_.is_inner[c]) continue;
      for (std::uint64_t i = graph.arc_begin[c]; i < graph.arc_begin[c + 1]; ++i)
        into[graph.next[i]].push_back({v, c});
    }
  }
  const std::uint32_t last = options_[option].choice;
  const auto owner = std::ranges::upper_bound(graph.choice_begin, last) - 1;
  const auto target = static_cast<std::uint32_t>(owner - graph.choice_begin.begin());
  std::unordered_map<std::uint32_t, std::uint32_t> way{{target, last}};
  std::vector<std::uint32_t> front{target};
  for (std::size_t i = 0; i < front.size(); ++i) {
    for (const Into& arc : into[front[i]]) {
      if (way.emplace(arc.from, arc.choice).second) front.push_back(arc.from);
    }
  }
  return way;
}

template <class A>
std::uint32_t Equations<A>::choice(std::uint32_t slot, std::uint32_t option) const {
  if (option == kNoOption) return staying_choice(slot);
  const std::uint32_t group = group_of_[slot];
  if (member_begin_[group + 1] - member_begin_[group] == 1) return options_[option].choice;
  auto known = ways_.find(option);
  if (known == ways_.end()) known = ways_.emplace(option, ways_to(group, option)).first;
  return known->second.at(slot);
}

template class Equations<Real>;
template class Equations<Exact>;
template class Equations<Sure>;
template class Equations<Possible>;

}  // namespace quantiplan
