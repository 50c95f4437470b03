#include "promises/attitude_oracle.hpp"

#include <algorithm>
#include <functional>

#include "harness/harness.hpp"
#include "oracles/follow.hpp"
#include "policy/residual_rules.hpp"

namespace quantiplan::testing {
namespace {

// Positions of the greatest values.
template <class T>
std::vector<std::size_t> greatest_of(const std::vector<T>& values) {
  std::vector<std::size_t> out;
  const T most = *std::max_element(values.begin(), values.end());
  for (std::size_t i = 0; i < values.size(); ++i)
    if (values[i] == most) out.push_back(i);
  return out;
}

}  // namespace

AttitudeOracle::AttitudeOracle(const PlainModel& model, const Rational& tau, Side side)
    : model_(model), tau_(tau), side_(side) {}

const std::set<Rational>& AttitudeOracle::levels(std::uint64_t k, std::size_t s) {
  const auto [known, is_new] = levels_.try_emplace({k, s});
  if (!is_new) return known->second;
  std::set<Rational> all;
  if (is_over(k, s)) {
    all.insert(0);
  } else {
    for (const PlainChoice& choice : model_.states[s].choices)
      for (const PlainOutcome& o : choice.outcomes)
        for (const Rational& later : levels(k - 1, o.next))
          all.insert(model_.counted(o) + model_.discount * later);
  }
  return levels_[{k, s}] = std::move(all);
}

Rational AttitudeOracle::chance(std::uint64_t k, std::size_t s, const Rational& y) {
  if (is_over(k, s)) return y <= 0 ? 1 : 0;
  const auto key = std::tuple(k, s, y);
  if (const auto found = chances_.find(key); found != chances_.end()) return found->second;
  Rational most = 0;
  for (std::size_t c = 0; c < model_.states[s].choices.size(); ++c)
    most = std::max(most, chance(k, s, c, y));
  return chances_[key] = most;
}

Rational AttitudeOracle::chance(std::uint64_t k,
                                std::size_t s,
                                std::size_t choice,
                                const Rational& y) {
  Rational sum = 0;
  for (const PlainOutcome& o : model_.states[s].choices[choice].outcomes)
    sum +=
        o.probability * chance(k - 1, o.next, Rational((y - model_.counted(o)) / model_.discount));
  return sum;
}

Rational AttitudeOracle::best(std::uint64_t k, std::size_t s) {
  if (is_over(k, s)) return 0;
  const auto found = best_.find({k, s});
  if (found != best_.end()) return found->second;
  std::vector<Rational> of_choices;
  for (std::size_t c = 0; c < model_.states[s].choices.size(); ++c)
    of_choices.push_back(quantile_of_choice(k, s, c));
  const Rational most = *std::max_element(of_choices.begin(), of_choices.end());
  PlainModel part = model_;
  part.horizon = k;
  part.initial = s;
  if (const auto laws = all_laws(part, kMostLaws))
    require(optimum(*laws, tau_, side_).quantile == most, "the recursion errs");
  return best_[{k, s}] = most;
}

Rational AttitudeOracle::quantile_of_choice(std::uint64_t k, std::size_t s, std::size_t choice) {
  std::set<Rational> own;
  for (const PlainOutcome& o : model_.states[s].choices[choice].outcomes)
    for (const Rational& level : levels(k - 1, o.next))
      own.insert(model_.counted(o) + model_.discount * level);
  for (auto level = own.rbegin(); level != own.rend(); ++level)
    if (suffices(chance(k, s, choice, *level), tau_, side_)) return *level;
  return *own.begin();
}

Law AttitudeOracle::law_after(const MarkovTruth& truth,
                              std::uint64_t k,
                              std::size_t s,
                              std::size_t choice) const {
  Law law;
  for (const PlainOutcome& o : model_.states[s].choices[choice].outcomes)
    for (const auto& [wealth, p] : truth.law[k - 1][o.next])
      law[Total(model_.counted(o) + model_.discount * wealth.value())] += o.probability * p;
  return law;
}

void AttitudeOracle::take(MarkovTruth& truth,
                          std::uint64_t k,
                          std::size_t s,
                          const std::vector<std::size_t>& candidates) const {
  std::vector<Rational> means;
  means.reserve(candidates.size());
  for (const std::size_t c : candidates) means.push_back(mean(law_after(truth, k, s, c)));
  truth.choice[k][s] = candidates[greatest_of(means).front()];
  truth.law[k][s] = law_after(truth, k, s, truth.choice[k][s]);
}

// `candidates(truth, k, s)`: the choices that are as good as any.
template <class Candidates>
MarkovTruth AttitudeOracle::markov(const Candidates& candidates) {
  const std::size_t states = model_.states.size();
  const Law nothing{{Total(0), 1}};
  MarkovTruth truth;
  truth.choice.assign(model_.horizon + 1, std::vector<std::size_t>(states, 0));
  truth.law.assign(model_.horizon + 1, std::vector<Law>(states, nothing));
  for (std::uint64_t k = 1; k <= model_.horizon; ++k)
    for (std::size_t s = 0; s < states; ++s)
      if (!model_.ends_at(s)) take(truth, k, s, candidates(truth, k, s));
  return truth;
}

MarkovTruth AttitudeOracle::replan() {
  return markov([&](const MarkovTruth&, std::uint64_t k, std::size_t s) {
    std::vector<Rational> chances;
    for (std::size_t c = 0; c < model_.states[s].choices.size(); ++c)
      chances.push_back(chance(k, s, c, best(k, s)));
    return greatest_of(chances);
  });
}

MarkovTruth AttitudeOracle::subgame_perfect() {
  return markov([&](const MarkovTruth& truth, std::uint64_t k, std::size_t s) {
    std::vector<Total> quantiles;
    for (std::size_t c = 0; c < model_.states[s].choices.size(); ++c)
      quantiles.push_back(quantile(law_after(truth, k, s, c), tau_, side_));
    return greatest_of(quantiles);
  });
}

MarkovTruth AttitudeOracle::recursive() {
  std::vector<std::vector<Rational>> value(model_.horizon + 1,
                                           std::vector<Rational>(model_.states.size(), 0));
  MarkovTruth truth = markov([&](const MarkovTruth&, std::uint64_t k, std::size_t s) {
    std::vector<Total> quantiles;
    for (const PlainChoice& choice : model_.states[s].choices) {
      Law law;
      for (const PlainOutcome& o : choice.outcomes)
        law[Total(model_.counted(o) + model_.discount * value[k - 1][o.next])] += o.probability;
      quantiles.push_back(quantile(law, tau_, side_));
    }
    value[k][s] = std::max_element(quantiles.begin(), quantiles.end())->value();
    return greatest_of(quantiles);
  });
  nested_ = value[model_.horizon][model_.initial];
  return truth;
}

Optimum AttitudeOracle::within(const std::optional<Rational>& delta) {
  std::map<std::tuple<std::uint64_t, std::size_t, Rational>, Rational> known;
  const std::function<Rational(std::uint64_t, std::size_t, const Rational&)> most =
      [&](std::uint64_t k, std::size_t s, const Rational& y) -> Rational {
    if (k == 0 || model_.ends_at(s)) return y <= 0 ? 1 : 0;
    const auto key = std::tuple(k, s, y);
    if (const auto found = known.find(key); found != known.end()) return found->second;
    Rational greatest = 0;
    for (std::size_t c = 0; c < model_.states[s].choices.size(); ++c) {
      if (delta && quantile_of_choice(k, s, c) < best(k, s) - *delta) continue;
      Rational sum = 0;
      for (const PlainOutcome& o : model_.states[s].choices[c].outcomes)
        sum += o.probability *
               most(k - 1, o.next, Rational((y - model_.counted(o)) / model_.discount));
      greatest = std::max(greatest, sum);
    }
    return known[key] = greatest;
  };
  const std::set<Rational>& all = levels(model_.horizon, model_.initial);
  for (auto level = all.rbegin(); level != all.rend(); ++level) {
    const Rational p = most(model_.horizon, model_.initial, *level);
    if (suffices(p, tau_, side_)) return {*level, p};
  }
  return {*all.begin(), 1};
}

const Law& AttitudeOracle::rest(const Model& built,
                                const Policy& policy,
                                std::uint64_t time,
                                std::size_t s,
                                const Rational& residual,
                                Rests& known) const {
  const auto key = std::tuple(time, s, policy.target ? residual : Rational(0));
  if (const auto found = known.find(key); found != known.end()) return found->second;
  Law law;
  if (time == model_.horizon || model_.ends_at(s)) {
    law[Total(0)] = 1;
    return known[key] = law;
  }
  const State state{static_cast<std::uint32_t>(s)};
  const std::size_t choice = index(choose_by_residual(built, policy, time, state, residual)) -
                             index(built.choices(state)[0]);
  for (const PlainOutcome& o : model_.states[s].choices[choice].outcomes) {
    const Rational left =
        policy.target ? next_residual(policy, time, residual, o.reward) : Rational(0);
    for (const auto& [wealth, p] : rest(built, policy, time + 1, o.next, left, known))
      law[Total(model_.counted(o) + model_.discount * wealth.value())] += o.probability * p;
  }
  return known[key] = law;
}

Rational AttitudeOracle::regret(const Model& built, const Policy& policy) {
  Rational most = 0;
  Rests known;
  follow(model_, built, policy, [&](const Visit& v) {
    if (v.time == 0 || model_.ends_at(v.state)) return;
    const Law& law = rest(built, policy, v.time, v.state, v.residual, known);
    const Total own = quantile(law, tau_, side_);
    most = std::max<Rational>(most, best(model_.horizon - v.time, v.state) - own.value());
  });
  return most;
}

}  // namespace quantiplan::testing
