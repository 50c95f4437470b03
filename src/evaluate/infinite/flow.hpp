// Mass that goes through a stationary policy's chain as long as it stays: at one count, by moves
// that count nothing, or anywhere in the settled part, by all moves.
//
//     enters -> [ open states, component after component ] -> decided: total, miss, infinite
//                                                          -> leaves, by a move that counts
//
// 1. States that are met are looked up (Verdicts): mass that arrives at a decided one ends there.
// 2. The open ones are ordered by strongly connected components.  3. In that order, the mass that
// enters a component gives the expected visits to its states (TransientBlock), and these the mass
// that leaves. Every component of open states can be left: one that cannot is decided.
//
// N is double or Rational; in doubles every rounding is entered into a MassError. Cost: linear in
// the outcomes of the states met, and one elimination for each component of choices that is new.
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "base/limits.hpp"
#include "evaluate/infinite/block_store.hpp"
#include "evaluate/infinite/mass_error.hpp"
#include "evaluate/infinite/pace.hpp"
#include "evaluate/infinite/verdicts.hpp"
#include "finite/expectation.hpp"
#include "model/components.hpp"

namespace quantiplan {

template <class N>
struct StateMass {
  State state;
  N mass;
};

// Mass by how it ended.
template <class N>
struct Ended {
  N total = 0;
  N miss = 0;
  N infinite = 0;
};

template <class N>
class Flow {
 public:
  enum class Moves { unpaid, all };
  // Of every move that leaves, the mass it carries; and of every choice, its expected visits.
  using Leave = std::function<void(const Outcome&, const N& mass)>;
  using Visit = std::function<void(Choice, const N& visits)>;

  Flow(const StationaryRules& rules, Verdicts& verdicts, const Limits& limits, MassError<N>& error);

  // Each state enters once. False if the limits ended it.
  [[nodiscard]] bool run(std::int64_t k,
                         Moves moves,
                         const std::vector<StateMass<N>>& enters,
                         Ended<N>& ended,
                         const Leave& leave,
                         const Visit& visit);
  // States at which mass was looked at, over all runs.
  [[nodiscard]] std::uint64_t nodes() const { return nodes_; }
  // States of the largest component that was solved.
  [[nodiscard]] std::size_t largest_block() const { return largest_block_; }

 private:
  void meet(State s);
  void explore();
  void enter(const std::vector<StateMass<N>>& enters);
  void forget();
  // False if the limits ended it.
  [[nodiscard]] bool solve(const std::uint32_t* first, const std::uint32_t* last);
  [[nodiscard]] bool has_inner_moves(const std::uint32_t* first, const std::uint32_t* last) const;
  [[nodiscard]] BlockMoves<N> moves_within(const std::uint32_t* first, const std::uint32_t* last);
  void push(std::uint32_t v);
  void end(State s, const N& mass);
  [[nodiscard]] bool stays(const Outcome& o) const {
    return moves_ == Moves::all || rules_.counts(o) == 0;
  }

  const StationaryRules& rules_;
  Verdicts& verdicts_;
  const Limits& limits_;
  MassError<N>& error_;
  Arithmetics<N> numbers_;
  Pace pace_;

  // Of the run at hand.
  std::int64_t k_ = 0;
  Moves moves_ = Moves::all;
  Ended<N>* ended_ = nullptr;
  const Leave* leave_ = nullptr;
  const Visit* visit_ = nullptr;
  std::vector<State> met_;      // to be forgotten afterwards
  std::vector<State> open_;     // by node
  std::vector<Choice> choice_;  // by node
  std::vector<N> mass_;         // by node: what enters it, then its visits
  ArcLists arcs_;
  Components components_;
  Members members_;
  std::vector<N> block_mass_;
  std::vector<Choice> block_choices_;

  std::vector<std::uint32_t> node_;   // by state: its node, or how it is decided
  std::vector<std::uint32_t> place_;  // by node: its place in its component
  BlockStore<N> level_blocks_;        // by moves that count nothing
  BlockStore<N> settled_blocks_;      // by all moves
  std::uint64_t nodes_ = 0;
  std::size_t largest_block_ = 0;
};

}  // namespace quantiplan
