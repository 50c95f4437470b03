#include "infinite/beyond_levels.hpp"

namespace quantiplan {

BeyondLevels beyond_levels(const Event& event, const Total& target, bool strictly) {
  const bool best = event.miss == Miss::best;
  if (target.is_miss() && best) {
    if (strictly) return BeyondLevels::zero;
    return event.gains ? BeyondLevels::limit : BeyondLevels::base;
  }
  if (target.is_miss()) {
    if (!strictly) return BeyondLevels::one;
    return event.gains ? BeyondLevels::base : BeyondLevels::limit;
  }
  if (target == Total::minus_infinity()) {
    if (event.gains) return BeyondLevels::base;
    return strictly || event.miss == Miss::worst ? BeyondLevels::limit : BeyondLevels::one;
  }
  if (!event.gains) return BeyondLevels::base;
  return strictly && !best ? BeyondLevels::zero : BeyondLevels::limit;
}

}  // namespace quantiplan
