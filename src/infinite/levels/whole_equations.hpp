// One set of equations of the whole model, all moves inner: a value and a choice for each slot.
//
//     what the graph decides is fixed (decided.hpp), what is left is solved (fixpoint.hpp)
//
// Sure and Possible are graph questions themselves and are put to the fixpoint as they are.
#pragma once

#include <optional>
#include <type_traits>
#include <vector>

#include "infinite/levels/decided.hpp"
#include "infinite/levels/fixpoint.hpp"
#include "infinite/levels/whole.hpp"

namespace quantiplan {

template <class A>
using Fixed = std::vector<std::optional<typename A::Value>>;

template <class A>
std::optional<WholeValues<A>> solve_equations(const Moves& moves,
                                              const Equations<A>& equations,
                                              Limits& limits) {
  Fixpoint<A> fixpoint(equations, limits);
  typename Equations<A>::Row values;
  std::vector<std::uint32_t> options;
  if (!fixpoint.solve({}, values, options)) return std::nullopt;
  WholeValues<A> out;
  for (std::uint32_t v = 0; v < moves.slots(); ++v) {
    const std::uint32_t g = equations.group_of(v);
    out.value.push_back(values[g]);
    out.choice.push_back(equations.choice(v, options[g]));
  }
  out.error = fixpoint.error();
  return out;
}

// What slot 0 does not reach before values that are known need not be solved for its sake.
template <class A>
void leave_out_unmet(const Moves& moves, Fixed<A>& fixed) {
  const MoveGraph& graph = moves.graph;
  std::vector<bool> is_met(graph.nodes(), false);
  std::vector<std::uint32_t> open{0};
  is_met[0] = true;
  while (!open.empty()) {
    const std::uint32_t v = open.back();
    open.pop_back();
    const std::uint64_t end = graph.arc_begin[graph.choice_begin[v + 1]];
    for (std::uint64_t i = graph.arc_begin[graph.choice_begin[v]]; i < end; ++i) {
      const std::uint32_t next = graph.next[i];
      if (is_met[next] || fixed[next]) continue;
      is_met[next] = true;
      open.push_back(next);
    }
  }
  for (std::uint32_t v = 0; v < graph.nodes(); ++v) {
    if (!is_met[v] && !fixed[v]) fixed[v] = A::zero();
  }
}

// What the graph decides is fixed, and what is left is solved.
template <class A>
std::optional<WholeValues<A>> solve_undecided(const Moves& moves,
                                              const Equations<A>& equations,
                                              const EquationInput<A>& input,
                                              bool start_only,
                                              Limits& limits) {
  const DecidedGroups decided = decided_groups(equations);
  if (decided.found == 0 && !start_only) return solve_equations<A>(moves, equations, limits);
  Fixed<A> fixed = input.fixed;
  const auto is_found = [&](std::uint32_t v) {
    const Decided how = decided.how[equations.group_of(v)];
    return how == Decided::one || how == Decided::zero;
  };
  for (std::uint32_t v = 0; v < moves.slots(); ++v) {
    if (is_found(v))
      fixed[v] = decided.how[equations.group_of(v)] == Decided::one ? A::one() : A::zero();
  }
  const bool is_open =
      start_only ? decided.how[equations.group_of(0)] == Decided::open : decided.open > 0;
  std::optional<WholeValues<A>> out;
  if (!is_open) {
    out.emplace();
    for (std::uint32_t v = 0; v < moves.slots(); ++v)
      out->value.push_back(equations.known()[equations.group_of(v)]);
    out->choice.resize(moves.slots());
  } else {
    if (start_only) leave_out_unmet<A>(moves, fixed);
    const Equations<A> left({moves, input.row_of_arc, fixed, input.staying_counts, nullptr});
    out = solve_equations<A>(moves, left, limits);
    if (!out) return std::nullopt;
  }
  for (std::uint32_t v = 0; v < moves.slots(); ++v) {
    const bool is_new = is_found(v);
    if (is_new) out->value[v] = *fixed[v];
    if (is_new || !is_open)
      out->choice[v] = equations.choice(v, decided.option[equations.group_of(v)]);
  }
  return out;
}

// Nullopt if the limits ended it. `start_only`: only what is said of slot 0 holds.
template <class A>
std::optional<WholeValues<A>> solve_whole(const Moves& moves,
                                          const Fixed<A>& fixed,
                                          bool staying_counts,
                                          bool start_only,
                                          Limits& limits) {
  const std::vector<std::uint32_t> inner(moves.graph.next.size(), 0);
  const EquationInput<A> input{moves, inner, fixed, staying_counts, nullptr};
  const Equations<A> equations(input);
  // And as many again where the graph decides a part.
  const std::uint64_t bytes = 2 * equations.bytes();
  limits.take(bytes, "the equations of the whole model");
  std::optional<WholeValues<A>> out;
  if constexpr (std::is_same_v<A, Real> || std::is_same_v<A, Exact>) {
    out = solve_undecided<A>(moves, equations, input, start_only, limits);
  } else {
    out = solve_equations<A>(moves, equations, limits);
  }
  limits.give_back(bytes);
  return out;
}

}  // namespace quantiplan
