// Which of many conditions may hold in a state, without asking each.
//
//     x=0 & y=1 & ...   found by the values of x and y      {x, y} : (0, 1) -> {0, 7}, ...
//     b & x<3           found by the value of b             {b}    : (1) -> {2}
//     x<y               always asked
//
// A generated program has a command for each state; its exploration would be quadratic without.
// Only such parts of a condition count before which nothing can fail (a division by zero must be
// met where it would be met), so that leaving out what is not found changes nothing. Cost: one
// lookup for each set of variables that conditions ask for, of which the tables keep the most usual
// ones; other conditions are found by one of their variables.
#pragma once

#include <cstdint>
#include <unordered_map>
#include <vector>

#include "io/prism/language/code.hpp"

namespace quantiplan::prism {

class GuardIndex {
 public:
  GuardIndex(const Code& code, const std::vector<Root>& guards);

  // Positions of guards that may hold, ascending; all others do not.
  void find(Code::Values x, std::vector<std::uint32_t>& found) const;

 private:
  struct Table {
    std::vector<std::uint32_t> variables;
    // By the hash of their values: what another hash has does not hold.
    std::unordered_map<std::uint64_t, std::vector<std::uint32_t>> guards;
  };
  std::vector<std::uint32_t> always_;
  std::vector<Table> tables_;
};

// The guards of commands, or of rewards.
template <typename Guarded>
std::vector<Root> guards_of(const std::vector<Guarded>& all) {
  std::vector<Root> roots;
  roots.reserve(all.size());
  for (const Guarded& each : all) roots.push_back(each.guard);
  return roots;
}

}  // namespace quantiplan::prism
