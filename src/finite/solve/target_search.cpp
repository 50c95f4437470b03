#include "finite/solve/target_search.hpp"

namespace quantiplan {

SearchResult search_target(std::int64_t lower,
                           std::int64_t upper,
                           std::int64_t gap,
                           const std::function<TargetTest(std::int64_t target)>& test) {
  while (upper - lower > gap) {
    const std::int64_t middle = lower + (upper - lower) / 2;
    switch (test(middle)) {
      case TargetTest::counts:
        lower = middle;
        break;
      case TargetTest::does_not_count:
        upper = middle;
        break;
      case TargetTest::unknown:
        return {lower, upper, false};
    }
  }
  return {lower, upper, true};
}

}  // namespace quantiplan
