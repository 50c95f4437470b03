#include "follow.hpp"

#include <stdexcept>

namespace quantiplan::testing {
namespace {

struct Place {
  std::size_t state;
  Rational residual;
  Rational wealth;
  friend bool operator<(const Place& a, const Place& b) {
    return std::tie(a.state, a.residual, a.wealth) < std::tie(b.state, b.residual, b.wealth);
  }
};

Visit decide(const Model& model, const Policy& policy, std::uint64_t time, const Place& place) {
  for (std::size_t i = 0; i < policy.rules.size(); ++i) {
    const PolicyRule& rule = policy.rules[i];
    if (rule.time != time || index(rule.state) != place.state) continue;
    for (std::size_t j = 0; j < rule.runs.size(); ++j) {
      if (rule.runs[j].upto && place.residual > *rule.runs[j].upto) continue;
      const std::size_t first = index(model.choices(rule.state)[0]);
      return {time, place.state, place.residual, i, j, index(rule.runs[j].choice) - first};
    }
  }
  throw std::runtime_error("no rule for time " + std::to_string(time) + ", state " +
                           std::to_string(place.state) + ", residual " + place.residual.get_str());
}

}  // namespace

Law follow(const PlainModel& plain,
           const Model& model,
           const Policy& policy,
           const std::function<void(const Visit&)>& visit) {
  Law law;
  std::map<Place, Rational> layer;
  layer[{plain.initial, policy.target.value_or(Rational(0)), 0}] = 1;
  Rational power = 1;
  for (std::uint64_t time = 0; !layer.empty(); ++time) {
    std::map<Place, Rational> next;
    for (const auto& [place, mass] : layer) {
      const std::vector<PlainChoice>& choices = plain.states[place.state].choices;
      if (time == plain.horizon || choices.empty()) {
        law[place.wealth] += mass;
        continue;
      }
      const Visit here = decide(model, policy, time, place);
      if (visit) visit(here);
      for (const PlainOutcome& o : choices.at(here.choice).outcomes)
        next[{o.next,
              (place.residual - o.reward) / plain.discount,
              place.wealth + power * o.reward}] += mass * o.probability;
    }
    layer = std::move(next);
    power *= plain.discount;
  }
  return law;
}

}  // namespace quantiplan::testing
