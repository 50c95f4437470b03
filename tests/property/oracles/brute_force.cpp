#include "oracles/brute_force.hpp"

#include <algorithm>
#include <set>
#include <stdexcept>

namespace quantiplan::testing {
namespace {

using Laws = std::set<Law>;

// Adds p * (r + gamma * X) for one X of each law, to each partial sum.
std::optional<Laws> add_outcome(const Laws& partial,
                                const PlainOutcome& o,
                                const Rational& reward,
                                const Laws& after,
                                const Rational& discount,
                                std::size_t most) {
  Laws result;
  for (const Law& sum : partial) {
    for (const Law& x : after) {
      Law law = sum;
      for (const auto& [wealth, p] : x)
        law[wealth.is_miss() ? wealth : Total(reward + discount * wealth.value())] +=
            o.probability * p;
      result.insert(std::move(law));
      if (result.size() > most) return std::nullopt;
    }
  }
  return result;
}

// Of an episode that ends here.
Laws ended(const PlainModel& model, std::size_t state) {
  const bool is_miss = !model.goal.empty() && !model.is_goal(state);
  return Laws{Law{{is_miss ? Total::miss() : Total(0), 1}}};
}

std::optional<Laws> laws_of(const PlainModel& model,
                            std::size_t state,
                            const std::vector<Laws>& after,
                            std::size_t most) {
  if (model.ends_at(state)) return ended(model, state);
  Laws result;
  for (const PlainChoice& choice : model.states[state].choices) {
    Laws partial{Law{}};
    for (const PlainOutcome& o : choice.outcomes) {
      std::optional<Laws> longer =
          add_outcome(partial, o, model.counted(o), after[o.next], model.discount, most);
      if (!longer) return std::nullopt;
      partial = std::move(*longer);
    }
    result.merge(partial);
    if (result.size() > most) return std::nullopt;
  }
  return result;
}

// States that matter with k steps to go, found from the initial state, so that no time is spent on
// (and no refusal is due to) the others.
std::vector<std::vector<bool>> needed(const PlainModel& model) {
  std::vector<std::vector<bool>> result(model.horizon + 1,
                                        std::vector<bool>(model.states.size(), false));
  result[model.horizon][model.initial] = true;
  for (std::uint64_t k = model.horizon; k > 0; --k)
    for (std::size_t s = 0; s < model.states.size(); ++s)
      if (result[k][s] && !model.ends_at(s))
        for (const PlainChoice& choice : model.states[s].choices)
          for (const PlainOutcome& o : choice.outcomes) result[k - 1][o.next] = true;
  return result;
}

}  // namespace

Rational at_least(const Law& law, const Total& wealth) {
  Rational sum = 0;
  for (const auto& [w, p] : law)
    if (w >= wealth) sum += p;
  return sum;
}

Rational at_most(const Law& law, const Total& wealth) {
  Rational sum = 0;
  for (const auto& [w, p] : law)
    if (w <= wealth) sum += p;
  return sum;
}

Rational mean(const Law& law) {
  Rational sum = 0;
  for (const auto& [w, p] : law) sum += w.value() * p;
  return sum;
}

Total quantile(const Law& law, const Rational& tau, Side side) {
  Rational sum = 0;
  if (side == Side::lower) {
    for (const auto& [w, p] : law)
      if ((sum += p) >= tau) return w;  // sum is F(w)
  } else {
    for (auto it = law.rbegin(); it != law.rend(); ++it)
      if ((sum += it->second) >= 1 - tau) return it->first;  // sum is G(w)
  }
  throw std::logic_error("the law does not sum to 1");
}

std::optional<std::vector<Law>> all_laws(const PlainModel& model, std::size_t most) {
  const std::vector<std::vector<bool>> wanted = needed(model);
  std::vector<Laws> after;
  for (std::size_t s = 0; s < model.states.size(); ++s) after.push_back(ended(model, s));
  for (std::uint64_t k = 1; k <= model.horizon; ++k) {
    std::vector<Laws> now(model.states.size());
    for (std::size_t s = 0; s < model.states.size(); ++s) {
      if (!wanted[k][s]) continue;
      std::optional<Laws> laws = laws_of(model, s, after, most);
      if (!laws) return std::nullopt;
      now[s] = std::move(*laws);
    }
    after = std::move(now);
  }
  const Laws& found = after[model.initial];
  return std::vector<Law>(found.begin(), found.end());
}

Optimum optimum(const std::vector<Law>& laws, const Rational& tau, Side side, Aim aim) {
  const auto better = [&](const auto& a, const auto& b) {
    return aim == Aim::greatest ? b < a : a < b;
  };
  Optimum best{quantile(laws.front(), tau, side), 0};
  for (const Law& law : laws) {
    const Total own = quantile(law, tau, side);
    if (better(own, best.quantile)) best.quantile = own;
  }
  best.probability = at_least(laws.front(), best.quantile);
  for (const Law& law : laws) {
    const Rational own = at_least(law, best.quantile);
    if (better(own, best.probability)) best.probability = own;
  }
  return best;
}

Rational Reference::at_least(const Total& wealth) {
  if (wealth.is_miss()) return 1;
  if (wealth.is_finite()) return best(model_.horizon, model_.initial, wealth.value());
  if (wealth == Total::plus_infinity() || levels().empty()) return 0;
  return best(model_.horizon, model_.initial, levels().front());
}

Rational Reference::best(std::uint64_t steps_to_go, std::size_t state, const Rational& residual) {
  if (steps_to_go == 0 || model_.ends_at(state))
    return residual <= 0 && (model_.goal.empty() || model_.is_goal(state)) ? 1 : 0;
  const auto key = std::tuple(steps_to_go, state, residual);
  if (const auto found = known_.find(key); found != known_.end()) return found->second;
  std::optional<Rational> best_so_far;
  for (const PlainChoice& choice : model_.states[state].choices) {
    Rational sum = 0;
    for (const PlainOutcome& o : choice.outcomes)
      sum +=
          o.probability *
          best(steps_to_go - 1, o.next, Rational((residual - model_.counted(o)) / model_.discount));
    if (!best_so_far || (aim_ == Aim::greatest ? sum > *best_so_far : sum < *best_so_far))
      best_so_far = sum;
  }
  return known_[key] = *best_so_far;
}

std::vector<Rational> Reference::levels() {
  std::set<std::pair<std::size_t, Rational>> layer{{model_.initial, Rational(0)}};
  std::set<Rational> ends;
  const auto end = [&](std::size_t s, const Rational& w) {
    if (model_.goal.empty() || model_.is_goal(s)) ends.insert(w);
  };
  Rational power = 1;
  for (std::uint64_t t = 0; t < model_.horizon; ++t) {
    std::set<std::pair<std::size_t, Rational>> next;
    for (const auto& [s, w] : layer) {
      if (model_.ends_at(s)) {
        end(s, w);
        continue;
      }
      for (const PlainChoice& choice : model_.states[s].choices)
        for (const PlainOutcome& o : choice.outcomes)
          next.emplace(o.next, Rational(w + power * model_.counted(o)));
    }
    layer = std::move(next);
    power *= model_.discount;
  }
  for (const auto& [s, w] : layer) end(s, w);
  return {ends.begin(), ends.end()};
}

std::vector<CurveStep> Reference::steps() {
  if (steps_) return *steps_;
  steps_.emplace();
  for (const Rational& level : levels()) {
    Rational value = at_least(level);
    // G* is non-increasing: a level with the value of the one before moves the step to the right.
    if (!steps_->empty() && steps_->back().probability == value) steps_->pop_back();
    if (value > 0) steps_->push_back({level, std::move(value)});
  }
  return *steps_;
}

Optimum Reference::optimum(const Rational& tau, Side side) {
  const Rational theta = 1 - tau;
  Optimum found{Total::miss(), 1};
  for (const auto& [level, value] : steps())
    if (side == Side::upper ? value >= theta : value > theta) found = Optimum{level, value};
  return found;
}

Outlook::Outlook(const PlainModel& model) : model_(model) {
  table_.assign(model.horizon + 1, std::vector<Extremes>(model.states.size()));
  for (std::uint64_t k = 1; k <= model.horizon; ++k) {
    for (std::size_t s = 0; s < model.states.size(); ++s) {
      Extremes& here = table_[k][s];
      bool first_outcome = true;
      for (std::size_t c = 0; c < model.states[s].choices.size(); ++c) {
        const Rational expected = worth(k, s, c);
        if (c == 0 || expected > here.expectation) here.expectation = expected;
        for (const PlainOutcome& o : model.states[s].choices[c].outcomes) {
          const Rational low = o.reward + model.discount * table_[k - 1][o.next].least;
          const Rational high = o.reward + model.discount * table_[k - 1][o.next].greatest;
          if (first_outcome || low < here.least) here.least = low;
          if (first_outcome || high > here.greatest) here.greatest = high;
          first_outcome = false;
        }
      }
    }
  }
}

Rational Outlook::worth(std::uint64_t steps_to_go, std::size_t state, std::size_t choice) const {
  Rational sum = 0;
  for (const PlainOutcome& o : model_.states[state].choices[choice].outcomes)
    sum +=
        o.probability * (o.reward + model_.discount * table_[steps_to_go - 1][o.next].expectation);
  return sum;
}

}  // namespace quantiplan::testing
