#include "check/finite/cut_ends.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "check/common/rule_book.hpp"
#include "check/finite/tail_bounds.hpp"
#include "check/infinite/best_reach.hpp"

namespace quantiplan::checking {
namespace {

// One node for each state: goals have a worth, and other ends. `choices_of` as for tails; a state
// without any is worth `unknown`.
ReachGraph goal_graph(const Model& model,
                      const ResolvedSetting& setting,
                      const ChoicesOf& choices_of,
                      bool at_goal,
                      bool unknown,
                      CheckLimits& limits) {
  ReachGraph graph(model, limits);
  for (std::uint32_t i = 0; i < model.state_count(); ++i) {
    limits.require();
    const State s{i};
    std::optional<Rational> worth;
    if (setting.is_goal(s)) {
      worth = at_goal ? 1 : 0;
    } else if (model.is_terminal(s)) {
      worth = at_goal ? 0 : 1;
    } else {
      const std::vector<Choice> choices = choices_of(s);
      for (const Choice c : choices) {
        for (const Outcome& o : model.outcomes(c))
          graph.add_arc(static_cast<std::uint32_t>(index(o.next)), o.probability);
        graph.end_choice(false);
      }
      if (choices.empty()) worth = unknown ? 1 : 0;
    }
    graph.end_node(worth);
  }
  return graph;
}

std::vector<Bounds> nothing_known(const Model& model) {
  return std::vector<Bounds>(model.state_count(), Bounds{0, 1});
}

bool all_exact(const std::vector<Bounds>& bounds) {
  // Proved bounds are narrow; exact ones matter to claims that are.
  return std::all_of(bounds.begin(), bounds.end(), [](const Bounds& b) { return b.is_exact(); });
}

ChoicesOf all_choices(const Model& model) {
  return [&](State s) {
    return std::vector<Choice>(model.choices(s).begin(), model.choices(s).end());
  };
}

// The greatest chance of reaching the goal, or of missing it.
std::vector<Bounds> greatest_chances(const Model& model,
                                     const ResolvedSetting& setting,
                                     bool at_goal,
                                     CheckLimits& limits) {
  ReachGraph graph = goal_graph(model, setting, all_choices(model), at_goal, false, limits);
  if (!at_goal) give_worth_to_staying(graph, false, limits);
  return BestReach(graph, limits).bounds(graph.nodes(), all_exact).value_or(nothing_known(model));
}

// Choices of the rules that hold from T on.
ChoicesOf last_choices(const Policy& policy, std::uint64_t steps) {
  return [book = RuleBook(policy), steps](State s) {
    std::vector<Choice> choices;
    if (const PolicyRule* rule = book.find(steps, s))
      for (const PolicyRun& run : rule->runs) choices.push_back(run.choice);
    return choices;
  };
}

// The chance of reaching the goal by the last rules.
std::vector<Bounds> goal_chances(const Model& model,
                                 const Policy& policy,
                                 const ChoicesOf& choices_of,
                                 CheckLimits& limits) {
  std::vector<Bounds> bounds;
  for (const bool unknown : {false, true}) {
    const ReachGraph graph = goal_graph(model, policy.setting, choices_of, true, unknown, limits);
    for (std::uint32_t v = 0; v < graph.nodes(); ++v)
      if (graph.end_choice_of(v) - graph.first_choice(v) > 1) return nothing_known(model);
    const ReachGraph chain = selected_graph(graph, first_selection(graph), limits);
    Effort effort;
    const auto exact = exact_values(chain, first_selection(chain), effort, limits);
    const auto proved = exact ? std::nullopt : chain_bounds(chain, limits);
    if (!exact && !proved) return nothing_known(model);
    for (std::uint32_t v = 0; v < graph.nodes(); ++v) {
      const Bounds here = exact ? Bounds::of((*exact)[v]) : proved->at(v);
      if (unknown)
        bounds[v].high = here.high;
      else
        bounds.push_back(here);
    }
  }
  return bounds;
}

// By state: what the event is worth if the wealth is enough, and if not (ends.hpp).
std::vector<EndValue> values_of(const std::vector<Bounds>& chances,
                                const Event& event,
                                bool is_upper) {
  std::vector<EndValue> values;
  for (const Bounds& chance : chances) {
    const Rational& share = is_upper ? chance.high : chance.low;
    if (event.misses() == Misses::best)
      values.push_back({1, share});
    else if (event.misses() == Misses::worst && event.holds_at_miss())
      values.push_back({1, 1});  // every end is as good as a miss
    else
      values.push_back({share, 0});
  }
  return values;
}

EndsPair cut_ends(const Model& model,
                  const Policy& policy,
                  const Event& event,
                  const TailBounds& tails,
                  const std::array<std::vector<EndValue>, 2>& values,
                  CheckLimits& limits) {
  const std::uint64_t steps = steps_before_cut(policy);
  const Rational smaller = discounted_tail(policy.setting.discount, steps, 1, /*upwards=*/false);
  const Rational larger = discounted_tail(policy.setting.discount, steps, 1, /*upwards=*/true);
  const auto ends = [&](bool is_upper) {
    Cut cut;
    cut.is_upper = is_upper;
    cut.value = values[is_upper ? 1 : 0];
    for (const double tail : is_upper ? tails.greatest : tails.least) {
      limits.require();
      cut.tail.emplace_back((tail > 0) == is_upper ? larger * Rational(tail)
                                                   : smaller * Rational(tail));
    }
    return Ends(model, policy.setting, event, steps, std::move(cut));
  };
  return {ends(false), ends(true)};
}

EndsPair cut_ends(const Model& model,
                  const Policy& policy,
                  const Event& event,
                  const TailBounds& tails,
                  const std::vector<Bounds>& chances,
                  CheckLimits& limits) {
  return cut_ends(model,
                  policy,
                  event,
                  tails,
                  {values_of(chances, event, false), values_of(chances, event, true)},
                  limits);
}

}  // namespace

std::uint64_t steps_before_cut(const Policy& policy) {
  if (!policy.setting.is_infinite()) return policy.setting.horizon;
  if (policy.truncated_at) return *policy.truncated_at;
  constexpr double kMost = 2000;
  const double digits = -std::log2(policy.setting.discount.get_d());
  return static_cast<std::uint64_t>(std::min(kMost, std::ceil(30 / std::max(digits, 1e-9))));
}

EndsPair ends_of_policy(const Model& model,
                        const Policy& policy,
                        const Event& event,
                        CheckLimits& limits) {
  const ResolvedSetting& setting = policy.setting;
  if (!setting.is_infinite()) return {Ends(model, setting, event), Ends(model, setting, event)};
  const ChoicesOf choices_of = last_choices(policy, steps_before_cut(policy));
  const TailBounds tails = tail_bounds(model, setting, choices_of, limits);
  // Without a goal, what counts is that the policy knows what to do.
  std::vector<Bounds> chances;
  if (event.misses() == Misses::none) {
    for (std::uint32_t i = 0; i < model.state_count(); ++i) {
      const bool known = model.is_terminal(State{i}) || !choices_of(State{i}).empty();
      chances.push_back({known ? 1 : 0, 1});
    }
  } else {
    chances = goal_chances(model, policy, choices_of, limits);
  }
  if (event.misses() == Misses::best)
    for (Bounds& chance : chances) chance = {Rational(1 - chance.high), Rational(1 - chance.low)};
  return cut_ends(model, policy, event, tails, chances, limits);
}

EndsPair in_the_mean(const Model& model,
                     const Policy& policy,
                     const EndsPair& ends,
                     CheckLimits& limits) {
  if (!ends.low.is_cut()) return ends;
  const ChoicesOf choices_of = last_choices(policy, steps_before_cut(policy));
  const TailBounds tails = expected_tails(model, policy.setting, choices_of, limits);
  std::array<std::vector<EndValue>, 2> values;
  for (std::uint32_t i = 0; i < model.state_count(); ++i) {
    values[0].push_back(ends.low.value(State{i}));
    values[1].push_back(ends.high.value(State{i}));
  }
  return cut_ends(model, policy, ends.low.event(), tails, values, limits);
}

EndsPair ends_of_best(const Model& model,
                      const Policy& policy,
                      const Event& event,
                      CheckLimits& limits) {
  const ResolvedSetting& setting = policy.setting;
  if (!setting.is_infinite()) return {Ends(model, setting, event), Ends(model, setting, event)};
  const TailBounds tails = tail_bounds(model, setting, all_choices(model), limits);
  std::vector<Bounds> chances(model.state_count(), Bounds{1, 1});
  if (event.misses() != Misses::none)
    chances = greatest_chances(model, setting, event.misses() == Misses::worst, limits);
  return cut_ends(model, policy, event, tails, chances, limits);
}

}  // namespace quantiplan::checking
