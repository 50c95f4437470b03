// Which of many conditions may hold in a state, without asking each.
//
//     x=0 & ...     found by the value of x       x : 0 -> {0, 3, 7}, 1 -> {1}, ...
//     b & x<3       found by the value of b       b : 1 -> {2}
//     x<y           always asked
//
// A generated program has a command for each state; its exploration would be quadratic without.
// Only such parts of a condition count before which nothing can fail (a division by zero must be
// met where it would be met), so that leaving out what is not found changes nothing.
#pragma once

#include <cstdint>
#include <unordered_map>
#include <vector>

#include "code.hpp"

namespace quantiplan::prism {

class GuardIndex {
 public:
  GuardIndex(const Code& code, const std::vector<Root>& guards);

  // Positions of guards that may hold, ascending; all others do not.
  void find(Code::Values x, std::vector<std::uint32_t>& found) const;

 private:
  struct ByVariable {
    std::uint32_t variable;
    std::unordered_map<std::int64_t, std::vector<std::uint32_t>> guards;
  };
  std::vector<std::uint32_t> always_;
  std::vector<ByVariable> by_variable_;
};

}  // namespace quantiplan::prism
