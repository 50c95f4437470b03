#include "oracles/infinite_reference.hpp"

#include <algorithm>
#include <stdexcept>

#include "oracles/brute_force.hpp"

namespace quantiplan::testing {
namespace {

constexpr std::size_t kMostPolicies = 4096;

Process process_of(const PlainModel& model) {
  const std::vector<bool> reached = reachable_states(model);
  Process process;
  for (std::size_t s = 0; s < model.states.size(); ++s) {
    process.add_node();
    process.targets[s] = model.is_goal(s);
    if (!reached[s] || model.ends_at(s)) continue;
    for (const PlainChoice& choice : model.states[s].choices) {
      std::vector<Arc> arcs;
      for (const PlainOutcome& o : choice.outcomes) arcs.push_back({o.next, o.probability});
      process.choices[s].push_back(std::move(arcs));
    }
  }
  return process;
}

// States that the policy never leaves in the end, with a reward among them.
std::vector<bool> infinite_states(const PlainModel& model,
                                  const Memoryless& policy,
                                  const Chain& chain) {
  std::vector<bool> result(chain.size(), false);
  for (const std::vector<std::size_t>& component : bottom_components(graph_of(chain))) {
    bool counts = false;
    for (const std::size_t s : component) {
      if (chain[s].empty()) continue;
      for (const PlainOutcome& o : model.states[s].choices[policy[s]].outcomes)
        counts = counts || o.reward != 0;
    }
    for (const std::size_t s : component) result[s] = counts;
  }
  return result;
}

void widen(std::vector<Rational>& least,
           std::vector<Rational>& most,
           const std::vector<Rational>& found) {
  if (least.empty()) least = most = found;
  for (std::size_t i = 0; i < found.size(); ++i) {
    least[i] = std::min(least[i], found[i]);
    most[i] = std::max(most[i], found[i]);
  }
}

// The greatest expected cap at the first state of infinite gain.
std::vector<Rational> collected_limits(const PlainModel& model,
                                       const std::vector<bool>& may_gain,
                                       const std::vector<Rational>& caps) {
  Process process = process_of(model);
  process.targets.assign(process.targets.size(), false);
  const std::size_t won = process.add_node();
  const std::size_t lost = process.add_node();
  process.targets[won] = true;
  for (std::size_t s = 0; s < model.states.size(); ++s)
    if (may_gain[s]) process.choices[s] = {{{won, caps[s]}, {lost, Rational(1 - caps[s])}}};
  std::vector<Rational> found = reach(process, Aim::greatest);
  found.resize(model.states.size());
  return found;
}

}  // namespace

LongRun long_run_of(const PlainModel& model) {
  const Process process = process_of(model);
  const auto policies = all_memoryless(process, kMostPolicies);
  if (!policies) throw std::logic_error("too many policies to count");
  LongRun result;
  result.may_gain.assign(model.states.size(), false);
  for (const Memoryless& policy : *policies) {
    const Chain chain = chain_of(process, policy);
    const std::vector<bool> infinite = infinite_states(model, policy, chain);
    for (std::size_t s = 0; s < infinite.size(); ++s)
      result.may_gain[s] = result.may_gain[s] || infinite[s];
    widen(result.least_infinite, result.most_infinite, reach(chain, infinite));
    widen(result.least_goal, result.most_goal, reach(chain, process.targets));
  }
  return result;
}

InfiniteReference::InfiniteReference(const PlainModel& model, Aim aim)
    : model_(model), aim_(aim), shape_(shape_of(model)), unit_(reward_unit(model)) {
  for (const PlainState& state : model.states)
    for (const PlainChoice& choice : state.choices)
      for (const PlainOutcome& o : choice.outcomes)
        greatest_reward_ = std::max(greatest_reward_, Rational(abs(o.reward)));
  if (shape_ == Shape::mixed) throw std::logic_error("mixed signs and a cycle");
  if (shape_ == Shape::acyclic) {
    model_.horizon = model_.states.size();
    return;
  }
  long_run_ = long_run_of(model);
  find_limit();
}

void InfiniteReference::find_limit() {
  const bool has_goal = !model_.goal.empty();
  const std::size_t n = model_.states.size();
  const bool rises = shape_ == Shape::never_falls;
  if (rises == (aim_ == Aim::greatest)) {
    // Someone collects: y, or (least) more losses than y allows, or a miss.
    std::vector<Rational> limits, caps(n, Rational(1));
    if (rises) {
      if (has_goal) caps = long_run_->most_goal;
      limits = collected_limits(model_, long_run_->may_gain, caps);
    } else {
      limits = long_run_->most_infinite;
      for (std::size_t s = 0; s < n && has_goal; ++s) limits[s] = 1 - long_run_->least_goal[s];
    }
    limit_ = limits[model_.initial];
    if (!rises) limit_ = 1 - limit_;
    meets_limit_ = meets_by_cycles(limits, caps);
    return;
  }
  // Someone keeps a sum bounded: of losses, or (least) of gains.
  if (rises) {
    limit_ = has_goal ? Rational(0) : long_run_->least_infinite[model_.initial];
  } else {
    limit_ = has_goal ? long_run_->most_goal[model_.initial]
                      : Rational(1 - long_run_->least_infinite[model_.initial]);
  }
  const Rational bound = greatest_reward_ * Rational(n) + unit_;
  meets_limit_ = at_least(rises ? bound : Rational(-bound)) == limit_;
}

// Let E(s,y) = G(s,y) - L(s) >= 0; it goes to 0. A choice that gives away d of L at residual y is
// worth at most L(s) - d + max E(., y - max r) < L(s) for large y: beyond some Y0 only choices that
// preserve L are taken. Where L = V, E = 0. So E(s0,y) > 0 for all y only if preserving choices
// lead through states with L < V from any large y down to Y0, hence round a cycle with a gain.
// Conversely such a cycle, followed until y is collected and left for the best infinite gain
// elsewhere, adds (chance of the path) * (V - L) > 0 to L.
bool InfiniteReference::meets_by_cycles(const std::vector<Rational>& limits,
                                        const std::vector<Rational>& caps) const {
  const std::size_t n = model_.states.size();
  const auto is_open = [&](std::size_t s) { return limits[s] < caps[s]; };
  const auto preserves = [&](std::size_t s, const PlainChoice& choice) {
    Rational sum = 0;
    for (const PlainOutcome& o : choice.outcomes) sum += o.probability * limits[o.next];
    return sum == limits[s];
  };
  Graph graph(n);
  std::vector<std::pair<std::size_t, std::size_t>> gains;
  std::vector<bool> met(n, false);
  std::vector<std::size_t> open;
  if (is_open(model_.initial)) {
    met[model_.initial] = true;
    open.push_back(model_.initial);
  }
  while (!open.empty()) {
    const std::size_t s = open.back();
    open.pop_back();
    if (model_.ends_at(s)) continue;
    for (const PlainChoice& choice : model_.states[s].choices) {
      if (!preserves(s, choice)) continue;
      for (const PlainOutcome& o : choice.outcomes) {
        if (!is_open(o.next)) continue;
        graph[s].push_back(o.next);
        if (o.reward != 0) gains.emplace_back(s, o.next);
        if (!met[o.next]) open.push_back(o.next);
        met[o.next] = true;
      }
    }
  }
  for (const std::vector<std::size_t>& component : components(graph)) {
    const auto has = [&](std::size_t s) {
      return std::find(component.begin(), component.end(), s) != component.end();
    };
    for (const auto& [from, to] : gains)
      if (has(from) && has(to)) return false;
  }
  return true;
}

Rational InfiniteReference::at_least(const Total& wealth) {
  if (shape_ == Shape::acyclic) return Reference(model_, aim_).at_least(wealth);
  const bool is_greatest = aim_ == Aim::greatest;
  switch (wealth.kind()) {
    case Total::Kind::miss:
      return 1;
    case Total::Kind::minus_infinity:
      if (model_.goal.empty()) return 1;
      return (is_greatest ? long_run_->most_goal : long_run_->least_goal)[model_.initial];
    case Total::Kind::plus_infinity:
      if (!model_.goal.empty() || shape_ == Shape::never_rises) return 0;
      return (is_greatest ? long_run_->most_infinite : long_run_->least_infinite)[model_.initial];
    case Total::Kind::finite:
      break;
  }
  if (const auto at = known_.find(wealth.value()); at != known_.end()) return at->second;
  return known_[wealth.value()] = chance(unfold(model_, wealth.value()), aim_);
}

std::vector<CurveStep> InfiniteReference::steps() {
  if (shape_ == Shape::acyclic) return Reference(model_, aim_).steps();
  constexpr int kLevels = 20;
  std::vector<CurveStep> found;
  const int sign = shape_ == Shape::never_falls ? 1 : -1;
  for (int i = 0; i <= kLevels; ++i) {
    const Rational level = unit_ * (sign > 0 ? i : i - kLevels);
    const Rational here = at_least(level);
    if (here > at_least(Rational(level + unit_))) found.push_back({level, here});
  }
  return found;
}

Optimum InfiniteReference::optimum(const Rational& tau, Side side) {
  const Rational theta = 1 - tau;
  if (shape_ == Shape::acyclic) return Reference(model_, aim_).optimum(tau, side);
  return shape_ == Shape::never_falls ? optimum_of_rising(theta, side)
                                      : optimum_of_falling(theta, side);
}

Optimum InfiniteReference::optimum_of_rising(const Rational& theta, Side side) {
  const auto suffices = [&](const Rational& p) {
    return side == Side::upper ? p >= theta : p > theta;
  };
  if (!suffices(at_least(0))) return {Total::miss(), 1};
  // G(y) >= L for all y, and > L for all y if it is not met.
  if (suffices(limit_) || (limit_ == theta && !meets_limit_))
    return {Total::plus_infinity(),
            at_least(Total::plus_infinity()),
            model_.goal.empty() || aim_ == Aim::least};
  Rational step = unit_;
  Rational low = 0;
  while (suffices(at_least(Rational(low + step)))) {
    low += step;
    step *= 2;
  }
  for (; step >= unit_; step /= 2)
    if (suffices(at_least(Rational(low + step)))) low += step;
  return {low, at_least(low)};
}

Optimum InfiniteReference::optimum_of_falling(const Rational& theta, Side side) {
  const auto suffices = [&](const Rational& p) {
    return side == Side::upper ? p >= theta : p > theta;
  };
  const bool is_number = limit_ > theta || (suffices(limit_) && meets_limit_);
  if (!is_number) {
    const Rational p = at_least(Total::minus_infinity());
    return suffices(p) ? Optimum{Total::minus_infinity(), p} : Optimum{Total::miss(), 1};
  }
  Rational low = 0;
  for (Rational step = unit_; !suffices(at_least(low)); step *= 2) low -= step;
  // G(low) suffices, and G(0) or whatever was before it need not: the greatest that does.
  Rational step = unit_;
  while (low + step <= -low) step *= 2;
  for (; step >= unit_; step /= 2)
    if (low + step <= 0 && suffices(at_least(Rational(low + step)))) low += step;
  return {low, at_least(low)};
}

}  // namespace quantiplan::testing
