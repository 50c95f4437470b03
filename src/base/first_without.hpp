// Binary search over numbers. (std::views::iota with partition_point would do, but clang 14 cannot read
// them from the standard library of g++ 12.)
#pragma once

#include <cstddef>

namespace quantiplan {

// The first i in [first, end) for which holds(i) is false, a property that is lost as i grows; end if
// there is none.
template <class Holds>
std::size_t first_without(std::size_t first, std::size_t end, const Holds& holds) {
  while (first < end) {
    const std::size_t middle = first + (end - first) / 2;
    if (holds(middle))
      first = middle + 1;
    else
      end = middle;
  }
  return first;
}

}  // namespace quantiplan
