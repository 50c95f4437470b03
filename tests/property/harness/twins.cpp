#include "harness/twins.hpp"

namespace quantiplan::testing {

PlainModel with_twins(Dice& dice, const PlainModel& plain) {
  const std::size_t n = plain.states.size();
  PlainModel out = plain;
  out.states.clear();
  for (std::size_t i = 0; i < 2 * n; ++i) {
    PlainState state;
    for (const PlainChoice& choice : plain.states[i % n].choices) {
      // Sometimes twice, under another name.
      for (std::size_t copies = dice.one_in(4) ? 2 : 1; copies > 0; --copies) {
        PlainChoice own;
        for (const PlainOutcome& o : choice.outcomes) {
          const std::size_t way = dice.below(3);
          const Rational half = o.probability / 2;
          if (way == 0) own.outcomes.push_back(o);
          if (way == 1) own.outcomes.push_back({n + o.next, o.probability, o.reward});
          if (way == 2) {
            own.outcomes.push_back({o.next, half, o.reward});
            own.outcomes.push_back({n + o.next, half, o.reward});
          }
        }
        const auto at = static_cast<std::ptrdiff_t>(dice.below(state.choices.size() + 1));
        state.choices.insert(state.choices.begin() + at, own);
      }
    }
    out.states.push_back(state);
  }
  for (const std::size_t g : plain.goal) out.goal.push_back(n + g);
  return out;
}

}  // namespace quantiplan::testing
