#include "oracles/follow.hpp"

#include <map>
#include <optional>
#include <stdexcept>
#include <tuple>

#include "quantiplan/run.hpp"

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

Rational residual_at_start(const Policy& policy) {
  if (!policy.target) return 0;
  return policy.grid ? Rational(*policy.target / policy.grid->unit) : *policy.target;
}

// `counted` is what the policy counts of a reward: gain in wealth, and loss for an adversary;
// `power` is gamma^t.
Rational residual_after(const PlainModel& plain,
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

// What the policy is best at is an expected utility: no wealth is promised.
bool is_for_a_utility(const Policy& policy) {
  return policy.claim && policy.claim->criterion &&
         policy.claim->criterion->kind == Criterion::Kind::utility;
}

// The wealth that was promised, or that an adversary was to prevent from being exceeded.
std::optional<Rational> promised(const Policy& policy) {
  const bool adversarial = policy.setting.adversarial;
  if (is_for_a_utility(policy)) return std::nullopt;
  if (policy.claim) {
    const bool shows_upper = adversarial && policy.claim->kind == PolicyClaim::Kind::quantile;
    const Total level =
        shows_upper ? policy.claim->upper.value_or(policy.claim->quantile) : policy.claim->quantile;
    if (level.is_finite()) return level.value();
    return std::nullopt;
  }
  if (!policy.target) return std::nullopt;
  return adversarial ? Rational(-*policy.target) : *policy.target;
}

// One of the histories that lead to a place, with what all of them weigh.
struct Followed {
  Run run;
  Rational mass = 0;
};

void compare(bool same, const char* what, std::uint64_t time) {
  if (!same) throw std::runtime_error(std::string(what) + " at time " + std::to_string(time));
}

}  // namespace

Law follow(const PlainModel& plain,
           const Model& model,
           const Policy& policy,
           const std::function<void(const Visit&)>& visit) {
  Law law;
  const std::optional<Rational> promise = promised(policy);
  std::map<Place, Followed> layer;
  layer.insert({{plain.initial, residual_at_start(policy), 0}, {start(model, policy), 1}});
  Rational power = 1;
  for (std::uint64_t time = 0; !layer.empty(); ++time) {
    std::map<Place, Followed> next;
    for (auto& [place, here_and_mass] : layer) {
      auto& [run, mass] = here_and_mass;
      const std::vector<PlainChoice>& choices = plain.states[place.state].choices;
      const State state{static_cast<std::uint32_t>(place.state)};
      const bool is_over = time == plain.horizon || plain.ends_at(place.state);
      compare(run.time() == time && run.state() == state && run.is_over() == is_over,
              "Run: time, state or end errs",
              time);
      if (promise) {
        const Rational left = (*promise - place.wealth) / power;
        compare(run.target() == (plain.cost ? Rational(-left) : left), "Run::target errs", time);
      } else if (is_for_a_utility(policy)) {
        compare(!run.target() && !run.chance(), "Run promises a utility", time);
      }
      if (is_over) {
        law[ended(plain, place)] += mass;
        continue;
      }
      const Visit here = decide(model, policy, time, place);
      if (visit) visit(here);
      compare(index(run.act(state)) == index(model.choices(state)[0]) + here.choice,
              "Run::act errs",
              time);
      for (const PlainOutcome& o : choices.at(here.choice).outcomes) {
        const Rational gain = plain.counted(o);
        const Rational after = residual_after(plain,
                                              policy,
                                              time,
                                              place.residual,
                                              policy.setting.adversarial ? Rational(-gain) : gain,
                                              power);
        const Place to{o.next, after, place.wealth + power * gain};
        auto met = next.find(to);
        if (met == next.end()) {
          met = next.insert({to, {run, 0}}).first;
          met->second.run.observe(o.reward, State{static_cast<std::uint32_t>(o.next)});
        }
        met->second.mass += mass * o.probability;
      }
    }
    layer = std::move(next);
    power *= plain.discount;
  }
  return law;
}

}  // namespace quantiplan::testing
