#include "oracles/stationary_play.hpp"

#include <algorithm>
#include <stdexcept>
#include <utility>

#include "quantiplan/run.hpp"

namespace quantiplan::testing {

StationaryPlay::StationaryPlay(const PlainModel& plain, const Model& model, const Policy& policy)
    : plain_(plain), model_(model), policy_(policy), shape_(shape_of(plain)) {
  if (shape_ == Shape::mixed || plain.discount != 1)
    throw std::logic_error("only undiscounted models of one sign are played");
  if (policy.grid || policy.truncated_at)
    throw std::runtime_error("a stationary policy goes by index or is truncated");
  for (const PolicyRule& rule : policy.rules)
    if (rule.time != 0) throw std::runtime_error("a rule of a stationary policy has a time");
}

Rational StationaryPlay::residual_at(const Rational& wealth) const {
  const Rational target = policy_.target.value_or(Rational(0));
  return policy_.setting.adversarial ? Rational(target + wealth) : Rational(target - wealth);
}

std::size_t StationaryPlay::choice_at(std::size_t state, const Rational& residual) const {
  const State named{static_cast<std::uint32_t>(state)};
  const PolicyRule* found = nullptr;
  for (const PolicyRule& rule : policy_.rules) {
    if (rule.state != named) continue;
    if (found != nullptr) throw std::runtime_error("two rules for one state");
    found = &rule;
  }
  if (found == nullptr)
    throw std::runtime_error("no rule for state " + std::to_string(state) + ", residual " +
                             residual.get_str());
  const auto run = std::find_if(found->runs.begin(), found->runs.end(), [&](const PolicyRun& r) {
    return !r.upto || residual <= *r.upto;
  });
  if (run == found->runs.end()) throw std::runtime_error("a rule without an end");
  return index(run->choice) - index(model_.choices(named)[0]);
}

StationaryPlay::Played StationaryPlay::play(const std::optional<Rational>& asked) const {
  // Wealth beyond [low, high] is told no more: no rule and no question reaches so far.
  Rational low = asked.value_or(Rational(0)), high = low;
  for (const PolicyRule& rule : policy_.rules) {
    for (const PolicyRun& run : rule.runs) {
      if (!run.upto) continue;
      const Rational at = policy_.setting.adversarial ? Rational(*run.upto - residual_at(0))
                                                      : Rational(residual_at(0) - *run.upto);
      low = std::min(low, at);
      high = std::max(high, at);
    }
  }
  low -= 1;
  high += 1;
  Played played;
  std::map<std::pair<std::size_t, Rational>, std::size_t> nodes;
  std::vector<Run> runs;  // a history that leads to each node
  const auto node = [&](std::size_t state, Rational wealth, const auto& run) {
    if (shape_ == Shape::never_falls) wealth = std::min(wealth, high);
    if (shape_ == Shape::never_rises) wealth = std::max(wealth, low);
    const auto [at, is_new] = nodes.try_emplace({state, wealth}, played.states.size());
    if (is_new) {
      played.states.push_back(state);
      played.wealths.push_back(wealth);
      runs.push_back(run());
    }
    return at->second;
  };
  node(plain_.initial, 0, [&] { return start(model_, policy_); });
  for (std::size_t i = 0; i < played.states.size(); ++i) {
    played.chain.emplace_back();
    played.gains.push_back(false);
    const std::size_t state = played.states[i];
    if (plain_.ends_at(state)) continue;
    const Rational wealth = played.wealths[i];
    const Rational residual = residual_at(wealth);
    const State named{static_cast<std::uint32_t>(state)};
    const std::size_t choice = choice_at(state, residual);
    if (runs[i].act(named) != model_.choices(named)[choice])
      throw std::runtime_error("Run::act errs");
    const Run here = runs[i];
    for (const PlainOutcome& o : plain_.states[state].choices.at(choice).outcomes) {
      const Rational gain = plain_.counted(o);
      const auto run = [&] {
        Run next = here;
        next.observe(o.reward, State{static_cast<std::uint32_t>(o.next)});
        return next;
      };
      played.chain[i].push_back({node(o.next, Rational(wealth + gain), run), o.probability});
      played.gains[i] = played.gains[i] || gain != 0;
    }
  }
  return played;
}

Rational StationaryPlay::at_least(const Total& wealth) const {
  if (wealth.is_miss()) return 1;
  const bool has_goal = !plain_.goal.empty();
  const Played played =
      play(wealth.is_finite() ? std::optional<Rational>(wealth.value()) : std::nullopt);
  std::vector<bool> targets(played.chain.size(), false);
  const auto mark = [&](auto&& is_target) {
    for (std::size_t i = 0; i < targets.size(); ++i) targets[i] = is_target(i);
  };
  const auto counts = [&](std::size_t i) { return !has_goal || plain_.is_goal(played.states[i]); };
  const auto is_enough = [&](std::size_t i) { return wealth <= played.wealths[i]; };
  if (wealth == Total::plus_infinity()) {
    if (has_goal || shape_ != Shape::never_falls) return 0;
    for (const std::vector<std::size_t>& component : bottom_components(graph_of(played.chain)))
      for (const std::size_t i : component) targets[i] = played.gains[i];
  } else if (wealth == Total::minus_infinity()) {
    if (!has_goal) return 1;
    mark(counts);
  } else if (!has_goal && shape_ == Shape::never_rises) {
    mark([&](std::size_t i) { return !is_enough(i); });
    return 1 - reach(played.chain, targets)[0];
  } else if (!has_goal && shape_ == Shape::never_falls) {
    mark(is_enough);
  } else {
    mark([&](std::size_t i) {
      return plain_.ends_at(played.states[i]) && counts(i) && is_enough(i);
    });
  }
  return reach(played.chain, targets)[0];
}

}  // namespace quantiplan::testing
