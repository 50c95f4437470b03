#include "check/criteria/criterion_law.hpp"

#include <cmath>
#include <tuple>
#include <utility>

#include "check/common/rule_book.hpp"

namespace quantiplan::checking {
namespace {

using Kind = Criterion::Kind;

// State, what the rules go by, total so far.
using LawPlace = std::tuple<std::uint32_t, Rational, Rational>;

// H_t of a policy's grid.
Rational step_at(const PolicyGrid& grid, std::uint64_t time) {
  Rational step = grid.unit;
  for (const std::uint64_t at : grid.halved_at)
    if (at <= time) step /= 2;
  return step;
}

Integer floor_of_ratio(const Rational& value) {
  Integer down;
  mpz_fdiv_q(down.get_mpz_t(), value.get_num_mpz_t(), value.get_den_mpz_t());
  return down;
}

class LawWalk {
 public:
  LawWalk(const Model& model, const Policy& policy, std::size_t most_places, CheckLimits& limits)
      : model_(model), policy_(policy), rules_(policy), limits_(limits), most_(most_places) {}

  std::optional<TotalsLaw> run(std::string& lost) {
    const ResolvedSetting& setting = policy_.setting;
    Rational carried = policy_.target.value_or(0);
    if (policy_.grid) carried /= policy_.grid->unit;
    std::map<LawPlace, Rational> now;
    for (const auto& [state, mu] : setting.initial) now[{index(state), carried, Rational(0)}] = mu;
    for (std::uint64_t t = 0; !now.empty(); ++t) {
      std::map<LawPlace, Rational> next;
      for (const auto& [place, mass] : now) {
        limits_.require(2 * CheckLimits::kPlace);
        const State s{std::get<0>(place)};
        if (t == setting.horizon || is_end_of_episode(model_, setting, s)) {
          law_[std::get<2>(place)] += mass;
        } else if (!leave(t, place, mass, next)) {
          lost = describe_place(model_, policy_, t, s);
          return std::nullopt;
        }
      }
      places_ += next.size();
      if (places_ > most_) return std::nullopt;
      now = std::move(next);
      power_ *= setting.discount;
    }
    return law_;
  }

 private:
  bool leave(std::uint64_t t,
             const LawPlace& place,
             const Rational& mass,
             std::map<LawPlace, Rational>& next) {
    const auto& [state, carried, total] = place;
    const PolicyRule* rule = rules_.find(t, State{state});
    if (rule == nullptr) return false;
    std::size_t run = 0;
    while (rule->runs[run].upto && carried > *rule->runs[run].upto) ++run;
    for (const Outcome& o : model_.outcomes(rule->runs[run].choice)) {
      const Rational reward = counted_reward(model_, policy_.setting, o);
      next[{index(o.next), after(t, carried, reward), Rational(total + power_ * reward)}] +=
          mass * model_.probability(o);
    }
    return true;
  }

  [[nodiscard]] Rational after(std::uint64_t t,
                               const Rational& carried,
                               const Rational& reward) const {
    if (!policy_.target) return carried;
    if (!policy_.grid) return (carried - reward) / policy_.setting.discount;
    const Rational step = step_at(*policy_.grid, t);
    const Rational left = carried - Rational(floor_of_ratio(power_ * reward / step));
    return left * step / step_at(*policy_.grid, t + 1);
  }

  const Model& model_;
  const Policy& policy_;
  RuleBook rules_;
  CheckLimits& limits_;
  TotalsLaw law_;
  Rational power_ = 1;  // gamma^t
  std::size_t most_;
  std::size_t places_ = 0;
};

Rational mean_of_law(const TotalsLaw& law) {
  Rational sum = 0;
  for (const auto& [total, p] : law) sum += p * total;
  return sum;
}

Rational worst_share(const TotalsLaw& law, const Rational& tau) {
  if (tau == 0) return law.begin()->first;
  Rational left = tau;
  Rational sum = 0;
  for (const auto& [total, p] : law) {
    const Rational part = p < left ? p : left;
    sum += part * total;
    left -= part;
  }
  return sum / tau;
}

std::optional<ValueBounds> expected_utility(const TotalsLaw& law, const Utility& utility) {
  ValueBounds sum{0, 0};
  for (const auto& [total, p] : law) {
    const auto at = utility_bounds(utility, total);
    if (!at) return std::nullopt;
    sum.lower += p * at->lower;
    sum.upper += p * at->upper;
  }
  return sum;
}

}  // namespace

std::optional<ValueBounds> utility_bounds(const Utility& utility, const Rational& total) {
  if (utility.is_exact()) return ValueBounds::exactly(utility.exactly(total));
  const Utility::Bounds at = utility.enclose(total);
  if (!std::isfinite(at.lower) || !std::isfinite(at.upper)) return std::nullopt;
  return ValueBounds{Rational(at.lower), Rational(at.upper)};
}

Rational counted_reward(const Model& model, const ResolvedSetting& setting, const Outcome& o) {
  const Rational reward = model.reward(o);
  return setting.cost ? Rational(-reward) : reward;
}

bool is_end_of_episode(const Model& model, const ResolvedSetting& setting, State s) {
  return model.choices(s).empty() || setting.is_goal(s);
}

std::optional<TotalsLaw> law_of_policy(const Model& model,
                                       const Policy& policy,
                                       std::size_t most_places,
                                       CheckLimits& limits,
                                       std::string& lost) {
  return LawWalk(model, policy, most_places, limits).run(lost);
}

std::optional<ValueBounds> value_of_law(const TotalsLaw& law,
                                        const Criterion& criterion,
                                        const Rational& tau) {
  const Rational& parameter = criterion.parameter;
  switch (criterion.kind) {
    case Kind::cvar:
      return ValueBounds::exactly(worst_share(law, tau));
    case Kind::mean_cvar:
      return ValueBounds::exactly((1 - parameter) * worst_share(law, tau) +
                                  parameter * mean_of_law(law));
    case Kind::expectation:
      return ValueBounds::exactly(mean_of_law(law));
    case Kind::worst_case:
      return ValueBounds::exactly(law.begin()->first);
    case Kind::mean_variance: {
      Rational square = 0;
      for (const auto& [total, p] : law) square += p * total * total;
      const Rational mean = mean_of_law(law);
      return ValueBounds::exactly(mean - parameter * (square - mean * mean));
    }
    case Kind::utility:
      return expected_utility(law, *criterion.utility);
    case Kind::entropic:
      return entropic_of_law(law, parameter);
    case Kind::evar:
      if (tau == 0 || tau == 1) return ValueBounds::exactly(worst_share(law, tau));
      return evar_of_law(law, tau);
    default:
      return std::nullopt;
  }
}

}  // namespace quantiplan::checking
