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

Rational whole_part(const Rational& value) {
  Integer down;
  mpz_fdiv_q(down.get_mpz_t(), value.get_num_mpz_t(), value.get_den_mpz_t());
  return down;
}

// H_t of the policy's grid.
Rational step(const PolicyGrid& grid, std::uint64_t time) {
  Rational h = grid.unit;
  for (const std::uint64_t at : grid.halved_at)
    if (at <= time) h /= 2;
  return h;
}

Rational first_residual(const Policy& policy) {
  if (!policy.target) return 0;
  return policy.grid ? Rational(*policy.target / policy.grid->unit) : *policy.target;
}

// `counted` is what the policy counts of a reward: gain in wealth, and loss for an adversary;
// `power` is gamma^t.
Rational next_residual(const PlainModel& plain,
                       const Policy& policy,
                       std::uint64_t time,
                       const Rational& residual,
                       const Rational& counted,
                       const Rational& power) {
  if (!policy.grid) return (residual - counted) / plain.discount;
  const Rational now = step(*policy.grid, time);
  return (residual - whole_part(power * counted / now)) * (now / step(*policy.grid, time + 1));
}

Total ended(const PlainModel& plain, const Place& place) {
  if (!plain.goal.empty() && !plain.is_goal(place.state)) return Total::miss();
  return place.wealth;
}

void compare(bool same, const char* what, std::uint64_t time) {
  if (!same) throw std::runtime_error(std::string(what) + " at time " + std::to_string(time));
}

}  // namespace

Law follow(const PlainModel& plain,
           const Model& model,
           const Policy& policy,
           const std::function<void(const Visit&)>& visit) {
  Law law;
  std::map<Place, Rational> layer;
  layer[{plain.initial, first_residual(policy), 0}] = 1;
  compare(policy.first_residual() == first_residual(policy), "Policy::first_residual errs", 0);
  Rational power = 1;
  for (std::uint64_t time = 0; !layer.empty(); ++time) {
    std::map<Place, Rational> next;
    for (const auto& [place, mass] : layer) {
      const std::vector<PlainChoice>& choices = plain.states[place.state].choices;
      if (time == plain.horizon || plain.ends_at(place.state)) {
        law[ended(plain, place)] += mass;
        continue;
      }
      const Visit here = decide(model, policy, time, place);
      if (visit) visit(here);
      const State state{static_cast<std::uint32_t>(place.state)};
      compare(index(policy.choose(model, time, state, place.residual)) ==
                  index(model.choices(state)[0]) + here.choice,
              "Policy::choose errs",
              time);
      for (const PlainOutcome& o : choices.at(here.choice).outcomes) {
        const Rational gain = plain.counted(o);
        const Rational after = next_residual(plain,
                                             policy,
                                             time,
                                             place.residual,
                                             policy.setting.adversarial ? Rational(-gain) : gain,
                                             power);
        compare(!policy.target || policy.next_residual(time, place.residual, o.reward) == after,
                "Policy::next_residual errs",
                time);
        next[{o.next, after, place.wealth + power * gain}] += mass * o.probability;
      }
    }
    layer = std::move(next);
    power *= plain.discount;
  }
  return law;
}

}  // namespace quantiplan::testing
