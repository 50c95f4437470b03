#include "returns.hpp"

#include <algorithm>
#include <limits>
#include <utility>
#include <vector>

namespace quantiplan::bench {

Returns attainable_returns(const Model& model, const Setting& setting) {
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  const ResolvedSetting where = resolve(model, setting);
  const double gamma = to_nearest_double(where.discount);
  const auto states = static_cast<std::uint32_t>(model.state_count());
  std::vector<ReturnRange> later(states);
  std::vector<ReturnRange> now(states);
  Returns returns;
  for (std::uint64_t k = 1; k <= where.horizon; ++k) {
    for (std::uint32_t s = 0; s < states; ++s) {
      if (model.is_terminal(State{s})) continue;
      now[s] = {kInfinity, -kInfinity};
      for (const Choice c : model.choices(State{s})) {
        for (const Outcome& o : model.outcomes(c)) {
          const double r = model.rewards().nearest(o.reward);
          const ReturnRange& rest = later[index(o.next)];
          now[s].least = std::min(now[s].least, r + gamma * rest.least);
          now[s].greatest = std::max(now[s].greatest, r + gamma * rest.greatest);
        }
      }
      returns.anywhere.least = std::min(returns.anywhere.least, now[s].least);
      returns.anywhere.greatest = std::max(returns.anywhere.greatest, now[s].greatest);
    }
    std::swap(later, now);
  }
  returns.from_initial = later[index(where.initial.only())];
  return returns;
}

}  // namespace quantiplan::bench
