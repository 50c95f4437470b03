#include "reduce/recast.hpp"

#include <algorithm>
#include <cmath>

#include "base/negative.hpp"
#include "model/model_facts.hpp"
#include "numbers/mean_value.hpp"
#include "reduce/outward_step.hpp"

namespace quantiplan {
namespace {

int sign_of(const ResolvedSetting& setting) { return setting.cost == setting.adversarial ? 1 : -1; }

// Bounds of the counted totals of all episodes: by recursion where that is quick, else crude. Only
// a bonus has to be near them.
std::pair<Rational, Rational> totals_range(const Model& model,
                                           const ResolvedSetting& setting,
                                           const Limits* limits) {
  auto [low, high] = reward_range(model);
  if (sign_of(setting) < 0) {
    std::swap(low, high);
    low = -low;
    high = -high;
  }
  const Rational steps(Integer(static_cast<unsigned long>(setting.horizon)));
  std::pair<Rational, Rational> crude{Rational(steps * std::min<Rational>(low, 0)),
                                      Rational(steps * std::max<Rational>(high, 0))};
  constexpr double kMostSteps = 3e8;
  const double work =
      static_cast<double>(setting.horizon) * static_cast<double>(model.outcome_count());
  if (setting.goal.empty() || work > kMostSteps) return crude;
  constexpr double kInfinity = HUGE_VAL;
  const OutwardStep step(model, setting);
  std::vector<double> least(model.state_count(), 0);
  std::vector<double> most = least;
  for (std::uint64_t t = 0; t < setting.horizon; ++t) {
    if (limits != nullptr && limits->ended()) return crude;
    std::vector<double> least_now(least.size(), 0);
    std::vector<double> most_now(most.size(), 0);
    for (std::uint32_t i = 0; i < model.state_count(); ++i) {
      const State s{i};
      if (model.is_terminal(s) || setting.is_goal(s)) continue;
      least_now[i] = kInfinity;
      most_now[i] = -kInfinity;
      for (const Choice c : model.choices(s)) {
        for (const Outcome& o : model.outcomes(c)) {
          least_now[i] = std::min(least_now[i], step.below(o, least[index(o.next)]));
          most_now[i] = std::max(most_now[i], step.above(o, most[index(o.next)]));
        }
      }
    }
    least = std::move(least_now);
    most = std::move(most_now);
  }
  double a = kInfinity;
  double b = -kInfinity;
  for (const State s : setting.initial.states()) {
    a = std::min(a, least[index(s)]);
    b = std::max(b, most[index(s)]);
  }
  if (!std::isfinite(a) || !std::isfinite(b)) return crude;
  return {std::max<Rational>(Rational(a), crude.first),
          std::min<Rational>(Rational(b), crude.second)};
}

// Goals among the initial states: over at once, and yet they count.
std::vector<State> goals_at_start(const ResolvedSetting& setting) {
  std::vector<State> out;
  for (const State s : setting.initial.states()) {
    if (setting.is_goal(s)) out.push_back(s);
  }
  return out;
}

// Names that no state has, for states that lead to a goal one starts at.
std::string name_before(const Model& model, State goal) {
  std::string name = "(before " + std::string(model.state_name(goal)) + ")";
  while (model.find_state(name)) name += '\'';
  return name;
}

// Without choices at the goals, and with a bonus on the way there. Who starts at a goal has the bonus
// from a step that leads to it, from a state of its own: these are the last.
Model with_bonus(const Model& model, const ResolvedSetting& setting, const Rational& bonus) {
  ModelBuilder builder;
  builder.name(model.name()).may_lack_choices();  // the only ones may be those of goals
  for (std::uint32_t i = 0; i < model.state_count(); ++i)
    builder.declare_state(model.state_name(State{i}));
  const std::vector<State> at_start = goals_at_start(setting);
  for (const State s : at_start) builder.declare_state(name_before(model, s));
  std::vector<Number> counted(2 * model.rewards().size());
  std::vector<bool> known(counted.size(), false);
  for (std::uint32_t i = 0; i < model.state_count(); ++i) {
    const State s{i};
    if (setting.is_goal(s)) continue;
    for (const Choice c : model.choices(s)) {
      builder.begin_choice(s, model.action_name(c));
      for (const Outcome& o : model.outcomes(c)) {
        const bool arrives = setting.is_goal(o.next);
        const std::size_t at = 2 * index(o.reward) + (arrives ? 1 : 0);
        if (!known[at]) {
          known[at] = true;
          Rational r = sign_of(setting) * model.reward(o);
          if (arrives) r += bonus;
          counted[at] = Number(r);
        }
        builder.add_outcome(o.next, Number(model.probability(o)), counted[at]);
      }
    }
  }
  auto before = static_cast<std::uint32_t>(model.state_count());
  for (const State s : at_start)
    builder.begin_choice(State{before++}, "start").add_outcome(s, Number(1), Number(bonus));
  return builder.build();
}

// As it is where nothing changes; a sign alone changes no more than the rewards.
Model counted_model(const Model& model, const ResolvedSetting& setting, const Rational& bonus) {
  if (bonus != 0) return with_bonus(model, setting, bonus);
  if (sign_of(setting) > 0) return model;
  return model.with_rewards([](const Rational& r) { return Rational(-r); });
}

}  // namespace

Rational common_unit(const Model& model) {
  Integer numerator = 0;
  Integer denominator = 1;
  std::vector<bool> known(model.rewards().size(), false);
  constexpr std::size_t kHopeless = 4096;
  for (std::uint32_t i = 0; i < model.state_count(); ++i) {
    for (const Choice c : model.choices(State{i})) {
      for (const Outcome& o : model.outcomes(c)) {
        if (known[index(o.reward)]) continue;
        known[index(o.reward)] = true;
        const Rational r = model.reward(o);
        if (r == 0) continue;
        numerator = gcd(numerator, r.get_num());
        denominator = lcm(denominator, r.get_den());
        // Then totals have no grid of 64 bits anyway, and any bonus does.
        if (mpz_sizeinbase(denominator.get_mpz_t(), 2) > kHopeless) return 1;
      }
    }
  }
  Rational unit = numerator == 0 ? Rational(1) : Rational(numerator, denominator);
  unit.canonicalize();
  return unit;
}

namespace {

// What is left between misses and goals, so that rounding does not blur them. Totals counted in
// steps of a policy's grid lie up to a step a time beyond their range; of so many levels that they
// will be rounded, an eighth is far more than a bracket is wide.
Rational gap_of(const ResolvedSetting& setting,
                const Rational& range,
                const Rational& unit,
                const std::optional<Rational>& grid) {
  if (grid) return 2 * Rational(Integer(static_cast<unsigned long>(setting.horizon))) * *grid;
  const Rational many(Integer(1) << 20U);
  return range > many * unit ? Rational(range / 8) : Rational(0);
}

}  // namespace

Recast::Recast(const Model& model,
               const ResolvedSetting& setting,
               const std::optional<Rational>& grid,
               const Limits* limits)
    : model_(model), setting_(setting), plain_(model) {
  std::tie(least_, most_) = totals_range(model, setting, limits);
  if (!setting.goal.empty()) {
    const Rational unit = grid ? *grid : common_unit(model);
    const Rational range = most_ - least_;
    const Rational steps = (range + gap_of(setting, range, unit, grid)) / unit;
    Integer whole;
    mpz_cdiv_q(whole.get_mpz_t(), steps.get_num_mpz_t(), steps.get_den_mpz_t());
    bonus_ = Rational(whole + 1) * unit;
    if (setting.adversarial) bonus_ = -bonus_;
  }
  plain_ = counted_model(model, setting, bonus_);
  plain_setting_.horizon = setting.horizon;
  plain_setting_.discount = setting.discount;
  plain_setting_.initial = plain_initial();
}

InitialStates Recast::plain_initial() const {
  if (!has_goal()) return setting_.initial;
  std::vector<InitialStates::Drawn> drawn(setting_.initial.begin(), setting_.initial.end());
  auto before = static_cast<std::uint32_t>(model_.state_count());
  for (auto& [state, mu] : drawn) {
    if (setting_.is_goal(state)) state = State{before++};
  }
  return InitialStates(std::move(drawn));
}

Recast Recast::from_start(State start) const {
  Recast out = *this;
  out.setting_.initial = start;
  out.plain_setting_.initial = start;
  if (!has_goal() || !setting_.is_goal(start)) return out;
  // The state before it, as plain_initial counts them.
  auto before = static_cast<std::uint32_t>(model_.state_count());
  for (const auto& [state, mu] : setting_.initial)
    if (index(state) < index(start) && setting_.is_goal(state)) ++before;
  out.plain_setting_.initial = State{before};
  return out;
}

GoalTerms Recast::goal_terms() const {
  GoalTerms terms{std::vector<bool>(plain_.state_count(), false), bonus_};
  for (const State s : setting_.goal) terms.is_goal[index(s)] = true;
  return terms;
}

Question Recast::plain(const Question& question) const {
  if (!setting_.adversarial) return question;
  return {Rational(1 - question.tau), question.side == Side::lower ? Side::upper : Side::lower};
}

PlainTarget Recast::plain_target(const Total& total) const {
  // Every episode that reaches the goal, or has any total at all, is above -inf.
  const bool adversarial = setting_.adversarial;
  if (!total.is_finite()) {
    const bool none = total == Total::plus_infinity();
    if (!has_goal()) {
      if (adversarial) return {none ? Rational(least_ - 1) : Rational(most_ + 1), false};
      return {none ? Rational(most_ + 1) : Rational(least_ - 1), false};
    }
    if (adversarial) return {none ? Rational(least_ + bonus_ - 1) : least_, false};
    return {none ? Rational(most_ + bonus_ + 1) : Rational(least_ + bonus_), false};
  }
  const Rational counted = adversarial ? Rational(-total.value()) : total.value();
  if (!has_goal()) return {counted, adversarial};
  // A number below all totals asks for no more than the goal.
  if (adversarial) return {Rational(std::min(counted, most_) + bonus_), true};
  return {Rational(std::max(counted, least_) + bonus_), false};
}

Total Recast::total(const Rational& plain) const {
  if (has_goal()) {
    // Halfway between misses and goals. Rounding that goes further turns the lower end of a bracket
    // into a miss, or its upper end into a number: it holds all the same.
    const Rational middle = (least_ + most_ + bonus_) / 2;
    if (setting_.adversarial ? plain > middle : plain < middle) return Total::miss();
  }
  const Rational counted = plain - bonus_;
  return setting_.adversarial ? Total(Rational(-counted)) : Total(counted);
}

Choice Recast::other_choice(const Model& from, const Model& to, State s, Choice c) const {
  return to.choices(s)[index(c) - index(from.choices(s).front())];
}

// By the bonus, or with a grid by the whole steps of it: before the goal is reached nothing else
// of it is counted, and afterwards there are no decisions.
void Recast::shift(Policy& policy, int direction) const {
  if (!policy.target) return;
  if (!policy.grid) {
    policy.target = Rational(*policy.target + direction * bonus_);
    for (PolicyRule& rule : policy.rules) {
      for (PolicyRun& run : rule.runs) {
        if (run.upto) *run.upto += direction * bonus_;
      }
    }
    return;
  }
  const Rational in_steps = bonus_ / policy.grid->unit;
  Integer steps;
  mpz_fdiv_q(steps.get_mpz_t(), in_steps.get_num_mpz_t(), in_steps.get_den_mpz_t());
  policy.target = Rational(*policy.target + direction * Rational(steps) * policy.grid->unit);
  for (PolicyRule& rule : policy.rules) {
    const auto halvings =
        static_cast<unsigned long>(std::ranges::upper_bound(policy.grid->halved_at, rule.time) -
                                   policy.grid->halved_at.begin());
    Integer shifted;
    mpz_mul_2exp(shifted.get_mpz_t(), steps.get_mpz_t(), halvings);
    for (PolicyRun& run : rule.runs) {
      if (run.upto) *run.upto += direction * Rational(shifted);
    }
  }
}

Policy Recast::plain(const Policy& policy) const {
  Policy out = policy;
  out.setting = plain_setting_;
  out.claim.reset();
  std::erase_if(out.rules, [&](const PolicyRule& rule) { return setting_.is_goal(rule.state); });
  for (PolicyRule& rule : out.rules) {
    for (PolicyRun& run : rule.runs)
      run.choice = other_choice(model_, plain_, rule.state, run.choice);
  }
  shift(out, 1);
  // At the goals one starts at there is nothing to choose.
  const auto later =
      std::ranges::find_if(out.rules, [](const auto& rule) { return rule.time > 0; });
  std::vector<PolicyRule> before;
  for (auto s = static_cast<std::uint32_t>(model_.state_count()); s < plain_.state_count(); ++s)
    before.push_back({0, State{s}, {{std::nullopt, plain_.choices(State{s})[0]}}});
  out.rules.insert(later, before.begin(), before.end());
  return out;
}

// What parts of a mixture claim of themselves is about totals, which stay as they are but with a
// goal; there are no mixtures then.
Policy Recast::policy(const Policy& plain) const {
  Policy out = plain;
  out.setting = setting_;
  out.claim.reset();
  for (MixturePart& part : out.mixture) {
    std::optional<PolicyClaim> claim = std::move(part.policy.claim);
    part.policy = policy(part.policy);
    part.policy.claim = std::move(claim);
  }
  std::erase_if(out.rules,
                [&](const PolicyRule& rule) { return index(rule.state) >= model_.state_count(); });
  for (PolicyRule& rule : out.rules) {
    for (PolicyRun& run : rule.runs)
      run.choice = other_choice(plain_, model_, rule.state, run.choice);
  }
  shift(out, -1);
  return out;
}

Distribution Recast::distribution(const Distribution& plain) const {
  Distribution out = plain;
  out.atoms.clear();
  // Counted down, an adversary's wealth is counted up: what lies in [a, a + slack] is in
  // [-a - slack, -a].
  const Rational lost = setting_.adversarial ? plain.slack : Rational(0);
  for (const Atom& atom : plain.atoms) {
    Total wealth = total(atom.wealth.value());
    if (wealth.is_finite()) wealth = Rational(wealth.value() - lost);
    out.atoms.push_back({std::move(wealth), atom.probability});
  }
  std::ranges::stable_sort(out.atoms, {}, &Atom::wealth);
  std::vector<Atom> merged;
  for (Atom& atom : out.atoms) {
    if (merged.empty() || merged.back().wealth != atom.wealth) {
      merged.push_back(std::move(atom));
      continue;
    }
    Value& sum = merged.back().probability;
    sum.nearest += atom.probability.nearest;
    if (sum.exact && atom.probability.exact) {
      *sum.exact += *atom.probability.exact;
      sum.nearest = to_nearest_double(*sum.exact);
    } else {
      sum.exact.reset();
    }
  }
  out.atoms = std::move(merged);
  if (has_goal()) {
    // The mean of the plain total has bonuses in it; with misses there is none.
    const bool misses = !out.atoms.empty() && out.atoms.front().wealth.is_miss();
    out.mean = {std::nan(""), std::nullopt};
    if (!misses) out.mean = added_to(plain.mean, {-bonus_, -bonus_});
  }
  if (setting_.adversarial) out.mean = negative_of(out.mean);
  return out;
}

PolicyClaim Recast::plain(const PolicyClaim& claim) const {
  PolicyClaim out = claim;
  const auto plain_total = [&](const Total& total) -> Rational {
    // A miss is any plain total of the misses' range: the extreme one.
    if (total.is_miss()) return setting_.adversarial ? most_ : least_;
    const Rational counted = setting_.adversarial ? Rational(-total.value()) : total.value();
    return counted + bonus_;
  };
  if (!setting_.adversarial) {
    out.quantile = plain_total(claim.quantile);
    if (claim.upper) out.upper = plain_total(*claim.upper);
    return out;
  }
  const Question question = plain(Question{claim.tau, claim.side});
  out.tau = question.tau;
  out.side = question.side;
  out.quantile = plain_total(claim.upper.value_or(claim.quantile));
  out.upper.reset();
  if (claim.upper) out.upper = plain_total(claim.quantile);
  return out;
}

}  // namespace quantiplan
