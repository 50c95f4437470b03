#include <algorithm>

#include "base/digest.hpp"
#include "quantiplan/model.hpp"
#include "quantiplan/ranks.hpp"

namespace quantiplan {

std::uint64_t digest(const Model& model) {
  Digest all;
  all.text(model.name());
  // Ids count numbers in the order they were met; each is told once, when it is met first.
  std::vector<bool> seen(std::max(model.probabilities().size(), model.rewards().size()), false);
  std::vector<bool> seen_reward(seen.size(), false);
  for (std::size_t s = 0; s < model.state_count(); ++s) {
    const State state{static_cast<std::uint32_t>(s)};
    all.text(model.state_name(state));
    for (const Choice c : model.choices(state)) {
      all.text(model.action_name(c));
      for (const Outcome& o : model.outcomes(c)) {
        all.value(o.next).value(o.probability).value(o.reward);
        if (!seen[index(o.probability)]) all.text(to_text(model.probability(o)));
        if (!seen_reward[index(o.reward)]) all.text(to_text(model.reward(o)));
        seen[index(o.probability)] = true;
        seen_reward[index(o.reward)] = true;
      }
    }
  }
  for (const State s : model.goal()) all.value(s);
  return all.result();
}

}  // namespace quantiplan
