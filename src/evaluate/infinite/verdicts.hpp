// Whether an episode of a stationary policy is decided, at a state and a count, by the graph alone.
//
//     total    nothing will be added any more: what was collected is the total
//     miss     there is a goal, and it will not be reached
//     infinite  rewards come again and again, almost surely: the total is an infinity
//     open     none of these is certain yet
//
// At a count k that is not settled, only moves without reward stay at k: from (s, k) they lead to a
// set of states; if none of them has a choice that pays, the total is known, and if none is a goal,
// it is a miss. At a settled count the policy is a finite Markov chain on the states, which ends in
// a closed component almost surely: a terminal state or one that never pays (total, or miss if
// there is a goal), or one that pays (infinite, or miss). So an episode is decided almost surely
// after finitely many steps, and no number of steps decides it.
//
// Cost: each (piece of counts, state) is looked at once.
#pragma once

#include <cstdint>
#include <unordered_map>
#include <vector>

#include "model/components.hpp"
#include "policy/stationary_rules.hpp"

namespace quantiplan {

enum class Verdict : std::uint8_t { open, total, miss, infinite };

class Verdicts {
 public:
  explicit Verdicts(const StationaryRules& rules);

  // Throws Error(bad_policy) where the policy has no rule.
  [[nodiscard]] Verdict at(State s, std::int64_t k);

 private:
  // What can still happen from a state.
  struct Prospects {
    bool pays = false;     // some reward other than 0
    bool ends = false;     // a terminal state, or a closed component that never pays
    bool arrives = false;  // a goal
    void add(const Prospects& other) {
      pays = pays || other.pays;
      ends = ends || other.ends;
      arrives = arrives || other.arrives;
    }
  };
  struct Explored;

  [[nodiscard]] Verdict settled(State s, std::int64_t k);
  [[nodiscard]] Verdict unsettled(State s, std::int64_t k);
  // Prospects of s and all that follows it, by moves that count nothing or by all; known ones are
  // not looked at again.
  template <class Known, class Keep>
  void explore(State s, std::int64_t k, bool all_moves, const Known& known, const Keep& keep);

  template <class Known>
  Explored gather(State s, std::int64_t k, bool all_moves, const Known& known);
  static std::vector<Prospects> prospects(const Explored& part, const Components& components);

  const StationaryRules& rules_;
  std::vector<Prospects> settled_;                          // by state
  std::vector<bool> is_known_settled_;                      // by state
  std::unordered_map<std::uint64_t, Prospects> unsettled_;  // by piece and state
  std::vector<std::uint32_t> node_;                         // by state, while it is explored
};

}  // namespace quantiplan
