#include "model/reachable.hpp"

#include <utility>

namespace quantiplan {

std::size_t count_reachable(const Model& model, std::vector<State> initial) {
  std::vector<bool> met(model.state_count(), false);
  std::vector<State> open = std::move(initial);
  for (const State s : open) met[index(s)] = true;
  std::size_t count = 0;
  while (!open.empty()) {
    const State s = open.back();
    open.pop_back();
    ++count;
    for (const Choice c : model.choices(s)) {
      for (const Outcome& o : model.outcomes(c)) {
        if (met[index(o.next)]) continue;
        met[index(o.next)] = true;
        open.push_back(o.next);
      }
    }
  }
  return count;
}

}  // namespace quantiplan
