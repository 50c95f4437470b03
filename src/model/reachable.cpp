#include "model/reachable.hpp"

#include <vector>

namespace quantiplan {

std::size_t count_reachable(const Model& model, State initial) {
  std::vector<bool> met(model.state_count(), false);
  std::vector<State> open{initial};
  met[index(initial)] = true;
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
