#include "infinite/levels/good_ends.hpp"

#include <algorithm>
#include <type_traits>

#include "infinite/levels/fixpoint.hpp"

namespace quantiplan {
namespace {

// Beyond them P is not computed in rationals: a cycle of 100 slots takes a second, one of 300 half a
// minute.
constexpr std::size_t kMostExactSlots = 300;
constexpr std::size_t kLongestExactCycle = 120;

// The greatest chance to end well, by slot.
template <class A>
std::optional<std::vector<typename A::Value>> chances_of(const Moves& moves,
                                                         const Endings& endings,
                                                         Limits& limits) {
  std::vector<std::optional<typename A::Value>> fixed(moves.slots());
  for (std::uint32_t v = 0; v < moves.slots(); ++v) {
    if (endings.well[v]) fixed[v] = A::one();
    if (endings.other[v]) fixed[v] = A::zero();
  }
  const std::vector<std::uint32_t> inner(moves.graph.next.size(), 0);
  const Equations<A> equations({moves, inner, fixed, false, nullptr});
  if (std::is_same_v<A, Exact> && equations.greatest_cycle() > kLongestExactCycle)
    return std::nullopt;
  Fixpoint<A> fixpoint(equations, limits);
  typename Equations<A>::Row values;
  std::vector<std::uint32_t> options;
  if (!fixpoint.solve({}, values, options)) return std::nullopt;
  std::vector<typename A::Value> out;
  for (std::uint32_t v = 0; v < moves.slots(); ++v) out.push_back(values[equations.group_of(v)]);
  return out;
}

KeptChances kept_by(const Moves& moves, std::vector<Rational> chance) {
  const MoveGraph& graph = moves.graph;
  KeptChances out{std::move(chance), std::vector<bool>(graph.choices(), false)};
  for (std::uint32_t v = 0; v < graph.nodes(); ++v) {
    if (out.chance[v] == 0) continue;
    for (std::uint32_t c = graph.choice_begin[v]; c < graph.choice_begin[v + 1]; ++c) {
      Rational sum = 0;
      for (std::uint64_t i = graph.arc_begin[c]; i < graph.arc_begin[c + 1]; ++i)
        sum +=
            moves.model.probabilities().rational(moves.probability[i]) * out.chance[graph.next[i]];
      out.keeps[c] = sum == out.chance[v];
    }
  }
  return out;
}

// Where it is sure one stays among the slots from which it is, and comes to no others.
KeptChances kept_surely(const Moves& moves, const std::vector<Sure::Value>& sure) {
  const MoveGraph& graph = moves.graph;
  KeptChances out{{}, std::vector<bool>(graph.choices(), false)};
  for (std::uint32_t v = 0; v < graph.nodes(); ++v) {
    out.chance.emplace_back(sure[v] != 0 ? 1 : 0);
    if (sure[v] == 0) continue;
    for (std::uint32_t c = graph.choice_begin[v]; c < graph.choice_begin[v + 1]; ++c)
      out.keeps[c] =
          std::all_of(graph.next.begin() + static_cast<std::ptrdiff_t>(graph.arc_begin[c]),
                      graph.next.begin() + static_cast<std::ptrdiff_t>(graph.arc_begin[c + 1]),
                      [&](std::uint32_t next) { return sure[next] != 0; });
  }
  return out;
}

// Everything that is possible is sure.
bool is_told_by_graph(const std::vector<Sure::Value>& sure,
                      const std::vector<Possible::Value>& possible) {
  for (std::size_t v = 0; v < sure.size(); ++v) {
    if (static_cast<bool>(sure[v]) != static_cast<bool>(possible[v])) return false;
  }
  return true;
}

}  // namespace

Payments::Payments(const Moves& moves)
    : is_free(moves.graph.choices(), true), row_of_arc(moves.graph.next.size(), 0) {
  const MoveGraph& graph = moves.graph;
  std::vector<bool> is_zero;
  for (std::size_t n = 0; n < moves.model.rewards().size(); ++n)
    is_zero.push_back(moves.model.rewards().rational(NumberId{static_cast<std::uint32_t>(n)}) == 0);
  for (std::uint32_t c = 0; c < graph.choices(); ++c) {
    for (std::uint64_t i = graph.arc_begin[c]; i < graph.arc_begin[c + 1]; ++i) {
      if (is_zero[index(moves.reward[i])]) continue;
      row_of_arc[i] = 1;
      is_free[c] = false;
    }
  }
}

Endings endings_of(const Moves& moves, const Payments& payments, bool has_goal, bool gains) {
  Endings out;
  out.well.assign(moves.slots(), false);
  out.other.assign(moves.slots(), false);
  if (!has_goal && !gains) out.staying = end_components(moves.graph, payments.is_free);
  for (std::uint32_t v = 0; v < moves.slots(); ++v) {
    const bool stays =
        !out.staying.of_node.empty() && out.staying.of_node[v] != EndComponents::kNone;
    const bool is_well = moves.end[v] == End::goal || (!has_goal && moves.end[v] != End::none);
    out.well[v] = is_well || stays;
    out.other[v] = has_goal && moves.end[v] == End::other;
  }
  return out;
}

std::optional<KeptChances> keep_chances(const Moves& moves,
                                        const Endings& endings,
                                        Whence whence,
                                        Limits& limits) {
  const auto sure = chances_of<Sure>(moves, endings, limits);
  if (!sure) return std::nullopt;
  if (whence == Whence::start && sure->front() != 0) return kept_surely(moves, *sure);
  if (whence == Whence::everywhere) {
    const auto possible = chances_of<Possible>(moves, endings, limits);
    if (!possible) return std::nullopt;
    if (is_told_by_graph(*sure, *possible)) return kept_surely(moves, *sure);
  }
  if (moves.slots() > kMostExactSlots) return std::nullopt;
  auto exact = chances_of<Exact>(moves, endings, limits);
  if (!exact) return std::nullopt;
  return kept_by(moves, *std::move(exact));
}

}  // namespace quantiplan
