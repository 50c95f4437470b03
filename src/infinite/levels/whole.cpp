#include "infinite/levels/whole.hpp"

#include <algorithm>

#include "infinite/levels/whole_equations.hpp"
#include "model/components.hpp"

namespace quantiplan {
namespace {

// Values at goals and at other ends; the rest is open.
template <class A>
Fixed<A> at_ends(const Moves& moves, bool goal, bool other) {
  Fixed<A> fixed(moves.slots());
  for (std::size_t v = 0; v < moves.slots(); ++v) {
    if (moves.end[v] == End::none) continue;
    fixed[v] = (moves.end[v] == End::goal ? goal : other) ? A::one() : A::zero();
  }
  return fixed;
}

template <class A>
WholeValues<A> everywhere(const Moves& moves, typename A::Value value) {
  WholeValues<A> out;
  out.value.assign(moves.slots(), value);
  out.choice.assign(moves.slots(), Equations<A>::kNoOption);
  for (std::uint32_t v = 0; v < moves.slots(); ++v) {
    if (moves.graph.choice_begin[v] < moves.graph.choice_begin[v + 1])
      out.choice[v] = moves.graph.choice_begin[v];
  }
  return out;
}

template <class A>
std::optional<WholeValues<A>> reach_goal(const EpochProblem& problem, Limits& limits) {
  return solve_whole<A>(
      problem.moves, at_ends<A>(problem.moves, true, false), false, problem.start_only, limits);
}

template <class A>
std::optional<WholeValues<A>> avoid_goal(const EpochProblem& problem, Limits& limits) {
  return solve_whole<A>(
      problem.moves, at_ends<A>(problem.moves, false, true), true, problem.start_only, limits);
}

// Zero-reward components: of the sub-model of zero-weight choices.
EndComponents zero_components(const EpochProblem& problem) {
  const MoveGraph& graph = problem.moves.graph;
  std::vector<bool> is_zero(graph.choices(), true);
  for (std::uint32_t c = 0; c < graph.choices(); ++c) {
    for (std::uint64_t i = graph.arc_begin[c]; i < graph.arc_begin[c + 1]; ++i) {
      if (problem.weights.of_arc[i] != 0) is_zero[c] = false;
    }
  }
  return end_components(graph, is_zero);
}

// By choice: keeps the value of its slot.
template <class A>
std::vector<bool> keeping(const Moves& moves, const std::vector<typename A::Value>& value) {
  const MoveGraph& graph = moves.graph;
  const NumberTable& numbers = moves.model.probabilities();
  std::vector<bool> keeps(graph.choices(), false);
  for (std::uint32_t v = 0; v < graph.nodes(); ++v) {
    for (std::uint32_t c = graph.choice_begin[v]; c < graph.choice_begin[v + 1]; ++c) {
      typename A::Value sum = A::start();
      for (std::uint64_t i = graph.arc_begin[c]; i < graph.arc_begin[c + 1]; ++i)
        A::add(sum, A::probability(numbers, moves.probability[i]), value[graph.next[i]]);
      keeps[c] = sum == value[v];
    }
  }
  return keeps;
}

// What s0 reaches by choices that keep the limit, through slots whose base is above it.
class PartAboveLimit {
 public:
  // `keeps` by choice, `is_above` by slot: of s0 it holds.
  PartAboveLimit(const EpochProblem& problem, std::vector<bool> keeps, std::vector<bool> is_above)
      : problem_(problem),
        graph_(problem.moves.graph),
        keeps_(std::move(keeps)),
        is_above_(std::move(is_above)),
        met_(graph_.nodes(), false) {
    std::vector<std::uint32_t> open{0};
    met_[0] = true;
    while (!open.empty()) {
      const std::uint32_t v = open.back();
      open.pop_back();
      for_next(v, [&](std::uint32_t next) {
        if (met_[next]) return;
        met_[next] = true;
        open.push_back(next);
      });
    }
  }

  // A choice of a slot that goes round a cycle with a reward.
  struct Paying {
    std::uint32_t slot;
    std::uint32_t choice;
  };
  [[nodiscard]] std::optional<Paying> paying_choice() const {
    ArcLists arcs;
    for (std::uint32_t v = 0; v < graph_.nodes(); ++v) {
      if (met_[v]) for_next(v, [&](std::uint32_t next) { arcs.next.push_back(next); });
      arcs.close_node();
    }
    const Components components = strongly_connected(arcs);
    for (std::uint32_t v = 0; v < graph_.nodes(); ++v) {
      if (!met_[v]) continue;
      const auto choice = first_choice(v, [&](std::uint64_t i) {
        const std::uint32_t next = graph_.next[i];
        return problem_.weights.of_arc[i] != 0 && is_above_[next] &&
               components.of_node[next] == components.of_node[v];
      });
      if (choice) return Paying{v, *choice};
    }
    return std::nullopt;
  }

  // Sets the choices of all other slots that can get to this one. False if the limits ended it.
  [[nodiscard]] bool lead_to(std::uint32_t slot,
                             std::vector<std::uint32_t>& choice,
                             const Limits& limits) const {
    std::vector<bool> leads(graph_.nodes(), false);
    leads[slot] = true;
    for (bool changed = true; changed;) {
      if (limits.ended()) return false;
      changed = false;
      for (std::uint32_t v = 0; v < graph_.nodes(); ++v) {
        if (!met_[v] || leads[v]) continue;
        const auto way = first_choice(v, [&](std::uint64_t i) { return leads[graph_.next[i]]; });
        if (!way) continue;
        leads[v] = changed = true;
        choice[v] = *way;
      }
    }
    return true;
  }

 private:
  template <class Visit>
  void for_next(std::uint32_t v, const Visit& visit) const {
    for (std::uint32_t c = graph_.choice_begin[v]; c < graph_.choice_begin[v + 1]; ++c) {
      if (!keeps_[c]) continue;
      for (std::uint64_t i = graph_.arc_begin[c]; i < graph_.arc_begin[c + 1]; ++i) {
        if (is_above_[graph_.next[i]]) visit(graph_.next[i]);
      }
    }
  }
  // Of the choices that keep the limit, the first with such an arc.
  template <class IsWanted>
  [[nodiscard]] std::optional<std::uint32_t> first_choice(std::uint32_t v,
                                                          const IsWanted& is_wanted) const {
    for (std::uint32_t c = graph_.choice_begin[v]; c < graph_.choice_begin[v + 1]; ++c) {
      if (!keeps_[c]) continue;
      for (std::uint64_t i = graph_.arc_begin[c]; i < graph_.arc_begin[c + 1]; ++i) {
        if (is_wanted(i)) return c;
      }
    }
    return std::nullopt;
  }

  const EpochProblem& problem_;
  const MoveGraph& graph_;
  std::vector<bool> keeps_;
  std::vector<bool> is_above_;
  std::vector<bool> met_;  // by slot
};

}  // namespace

template <class A>
std::optional<WholeValues<A>> base_of(const EpochProblem& problem, Limits& limits) {
  const Event& event = problem.event;
  if (event.gains && event.miss == Miss::worst) return reach_goal<A>(problem, limits);
  if (!event.gains && event.miss == Miss::best) return avoid_goal<A>(problem, limits);
  return everywhere<A>(problem.moves, event.gains ? A::one() : A::zero());
}

template <class A>
std::optional<WholeValues<A>> limit_of(const EpochProblem& problem,
                                       const WholeValues<A>& base,
                                       Limits& limits) {
  const Event& event = problem.event;
  const Moves& moves = problem.moves;
  if (event.miss == Miss::best) {
    return event.gains ? avoid_goal<A>(problem, limits) : everywhere<A>(moves, A::one());
  }
  if (event.gains) {
    Fixed<A> fixed = at_ends<A>(moves, false, false);
    const Rewarding rewarding = rewarding_components(problem, limits);
    for (std::uint32_t v = 0; v < moves.slots(); ++v) {
      if (rewarding.is_in[v]) fixed[v] = base.value[v];
    }
    auto out = solve_whole<A>(moves, fixed, false, problem.start_only, limits);
    if (!out) return std::nullopt;
    out->error += base.error * (1 + 0x1p-50);
    for (std::uint32_t v = 0; v < moves.slots(); ++v) {
      if (rewarding.is_in[v]) out->choice[v] = rewarding.choice[v];
    }
    return out;
  }
  if (event.miss == Miss::worst) return reach_goal<A>(problem, limits);
  Fixed<A> fixed = at_ends<A>(moves, false, true);
  const EndComponents zero = zero_components(problem);
  for (std::uint32_t v = 0; v < moves.slots(); ++v) {
    if (zero.of_node[v] != EndComponents::kNone) fixed[v] = A::one();
  }
  auto out = solve_whole<A>(moves, fixed, false, problem.start_only, limits);
  if (!out) return std::nullopt;
  for (std::uint32_t v = 0; v < moves.slots(); ++v) {
    if (zero.of_node[v] == EndComponents::kNone) continue;
    for (std::uint32_t c = moves.graph.choice_begin[v]; c < moves.graph.choice_begin[v + 1]; ++c) {
      if (zero.is_inner[c]) out->choice[v] = c;
    }
  }
  return out;
}

template <class A>
std::optional<std::vector<std::uint32_t>> choices_above_limit(const EpochProblem& problem,
                                                              const WholeValues<A>& base,
                                                              const WholeValues<A>& limit,
                                                              const Limits& limits) {
  std::vector<bool> is_above(problem.moves.slots());
  for (std::uint32_t v = 0; v < problem.moves.slots(); ++v)
    is_above[v] = base.value[v] > limit.value[v];
  if (!is_above[0]) return std::nullopt;
  const PartAboveLimit part(problem, keeping<A>(problem.moves, limit.value), std::move(is_above));
  const auto paying = part.paying_choice();
  if (!paying) return std::nullopt;
  std::vector<std::uint32_t> choice = limit.choice;
  choice[paying->slot] = paying->choice;
  if (!part.lead_to(paying->slot, choice, limits)) return std::nullopt;
  return choice;
}

template <class A>
std::optional<bool> meets_limit(const EpochProblem& problem,
                                const WholeValues<A>& base,
                                const WholeValues<A>& limit,
                                Limits& limits) {
  const Moves& moves = problem.moves;
  const std::vector<bool> keeps = keeping<A>(moves, limit.value);
  Fixed<Sure> fixed = at_ends<Sure>(moves, true, true);
  for (std::uint32_t v = 0; v < moves.slots(); ++v) {
    if (base.value[v] == limit.value[v]) fixed[v] = Sure::one();
  }
  // Every loss looks at the same row: the slots that the losses so far are enough for.
  std::vector<std::uint32_t> row_of_arc;
  row_of_arc.reserve(moves.graph.next.size());
  for (const std::uint32_t w : problem.weights.of_arc) row_of_arc.push_back(w == 0 ? 0 : 1);
  const Equations<Sure> equations(
      {moves, row_of_arc, fixed, problem.event.staying_counts(), &keeps});
  Fixpoint<Sure> fixpoint(equations, limits);
  using Row = Equations<Sure>::Row;
  Row enough(equations.groups(), 0);
  for (std::uint32_t v = 0; v < moves.slots(); ++v) {
    if (base.value[v] == limit.value[v]) enough[equations.group_of(v)] = 1;
  }
  const std::uint32_t start = equations.group_of(0);
  for (;;) {
    Row next;
    std::vector<std::uint32_t> options;
    if (!fixpoint.solve({nullptr, enough.data()}, next, options)) return std::nullopt;
    if (next[start] != 0) return true;
    if (next == enough) return false;
    enough = std::move(next);
  }
}

Rewarding rewarding_components(const EpochProblem& problem, const Limits& limits) {
  const MoveGraph& graph = problem.moves.graph;
  const EndComponents all = end_components(graph, std::vector<bool>(graph.choices(), true));
  const auto pays = [&](std::uint32_t c) {
    for (std::uint64_t i = graph.arc_begin[c]; i < graph.arc_begin[c + 1]; ++i) {
      if (problem.weights.of_arc[i] != 0) return true;
    }
    return false;
  };
  Rewarding out;
  constexpr auto kNone = Equations<Sure>::kNoOption;
  out.is_in.assign(graph.nodes(), false);
  out.choice.assign(graph.nodes(), kNone);
  std::vector<bool> rewards(all.count, false);
  const auto inner_choices = [&](std::uint32_t v, const auto& visit) {
    for (std::uint32_t c = graph.choice_begin[v]; c < graph.choice_begin[v + 1]; ++c) {
      if (all.of_node[v] != EndComponents::kNone && all.is_inner[c]) visit(c);
    }
  };
  for (std::uint32_t v = 0; v < graph.nodes(); ++v) {
    inner_choices(v, [&](std::uint32_t c) {
      if (!pays(c)) return;
      rewards[all.of_node[v]] = true;
      if (out.choice[v] == kNone) out.choice[v] = c;
    });
  }
  // From everywhere in such a component back to a paying choice.
  for (bool changed = true; changed && !limits.ended();) {
    changed = false;
    for (std::uint32_t v = 0; v < graph.nodes(); ++v) {
      if (all.of_node[v] == EndComponents::kNone || !rewards[all.of_node[v]]) continue;
      out.is_in[v] = true;
      if (out.choice[v] != kNone) continue;
      inner_choices(v, [&](std::uint32_t c) {
        for (std::uint64_t i = graph.arc_begin[c]; i < graph.arc_begin[c + 1]; ++i) {
          if (out.choice[v] == kNone && out.choice[graph.next[i]] != kNone) {
            out.choice[v] = c;
            changed = true;
          }
        }
      });
    }
  }
  return out;
}

// NOLINTBEGIN(bugprone-macro-parentheses): a type cannot stand in parentheses.
#define QUANTIPLAN_INSTANTIATE(A)                                                        \
  template std::optional<WholeValues<A>> base_of<A>(const EpochProblem&, Limits&);       \
  template std::optional<WholeValues<A>> limit_of<A>(                                    \
      const EpochProblem&, const WholeValues<A>&, Limits&);                              \
  template std::optional<std::vector<std::uint32_t>> choices_above_limit<A>(             \
      const EpochProblem&, const WholeValues<A>&, const WholeValues<A>&, const Limits&); \
  template std::optional<bool> meets_limit<A>(                                           \
      const EpochProblem&, const WholeValues<A>&, const WholeValues<A>&, Limits&)
// NOLINTEND(bugprone-macro-parentheses)
QUANTIPLAN_INSTANTIATE(Real);
QUANTIPLAN_INSTANTIATE(Exact);
QUANTIPLAN_INSTANTIATE(Sure);
QUANTIPLAN_INSTANTIATE(Possible);
#undef QUANTIPLAN_INSTANTIATE

}  // namespace quantiplan
