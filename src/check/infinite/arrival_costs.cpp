#include "check/infinite/arrival_costs.hpp"

#include <algorithm>
#include <utility>

#include "check/common/rule_book.hpp"
#include "check/infinite/wealth_places.hpp"

namespace quantiplan::checking {
namespace {

constexpr std::size_t kMostCostPlaces = 200'000;

bool is_goal_or_end(const Model& model, const ResolvedSetting& setting, State s) {
  return model.is_terminal(s) || setting.is_goal(s);
}

}  // namespace

ArrivalCosts::ArrivalCosts(const Model& model, const ResolvedSetting& setting, CheckLimits& limits)
    : model_(model),
      setting_(setting),
      limits_(limits),
      ledger_(IntegerLedger::undiscounted(model, setting, std::nullopt)) {
  if (!ledger_) return;
  const Signs signs =
      signs_of(model, setting, *ledger_, limits, [&](State s) { return model.choices(s); });
  if (signs == Signs::both) gains_ = true;
  if (signs == Signs::gains)
    for (std::uint32_t i = 0; i < model.state_count() && !gains_; ++i)
      for (const Choice c : model.choices(State{i}))
        for (const Outcome& o : model.outcomes(c))
          gains_ = gains_ || ledger_->reward(0, o.reward) > 0;
  find_arrivals();
}

bool ArrivalCosts::keeps_arriving(Choice c) const {
  return std::ranges::all_of(model_.outcomes(c),
                             [&](const Outcome& o) { return arrives_[index(o.next)] != 0; });
}

// The greatest set of states in which the goal can be reached without leaving it.
void ArrivalCosts::find_arrivals() {
  arrives_.assign(model_.state_count(), 1);
  for (bool shrinks = true; shrinks;) {
    std::vector<char> reaches(model_.state_count(), 0);
    for (const State g : setting_.goal) reaches[index(g)] = 1;
    for (bool grows = true; grows;) {
      grows = false;
      for (std::uint32_t i = 0; i < model_.state_count(); ++i) {
        const State s{i};
        if (reaches[i] != 0 || is_goal_or_end(model_, setting_, s)) continue;
        for (const Choice c : model_.choices(s)) {
          limits_.require(50);
          if (!keeps_arriving(c)) continue;
          if (std::ranges::none_of(model_.outcomes(c),
                                   [&](const Outcome& o) { return reaches[index(o.next)] != 0; }))
            continue;
          reaches[i] = 1;
          grows = true;
          break;
        }
      }
    }
    shrinks = reaches != arrives_;
    arrives_ = std::move(reaches);
  }
}

bool ArrivalCosts::can_arrive() const {
  return std::ranges::all_of(setting_.initial,
                             [&](const auto& each) { return arrives_[index(each.state)] != 0; });
}

std::optional<std::vector<Rational>> ArrivalCosts::least_excesses(std::uint64_t most,
                                                                  Effort& effort) const {
  // The wealth of a place is its budget; kBelow: it is spent.
  WealthPlaces places;
  CostGraph graph(model_, limits_);
  std::vector<std::uint32_t> first;
  for (std::uint64_t b = 0; b <= most; ++b)
    for (const auto& [state, mu] : setting_.initial)
      first.push_back(places.number({state, b == 0 ? kBelow : static_cast<std::int64_t>(b)}));
  for (std::uint32_t v = 0; v < places.size(); ++v) {
    limits_.require();
    if (places.size() > kMostCostPlaces) return std::nullopt;
    const WealthPlace place = places[v];
    if (setting_.is_goal(place.state)) {
      graph.end_final_node();
      continue;
    }
    const std::int64_t budget = place.wealth == kBelow ? 0 : place.wealth;
    for (const Choice c : model_.choices(place.state)) {
      if (!keeps_arriving(c)) continue;
      for (const Outcome& o : model_.outcomes(c)) {
        const std::int64_t cost = -ledger_->reward(0, o.reward);
        const std::int64_t left = budget - cost;
        const std::uint32_t to = places.number({o.next, left > 0 ? left : kBelow});
        graph.add_arc(to, o.probability, std::max<std::int64_t>(0, -left));
      }
      graph.end_choice();
    }
    graph.end_node();
  }
  const auto value = graph.least_costs(effort);
  if (!value) return std::nullopt;
  std::vector<Rational> out;
  for (std::size_t k = 0; k < first.size();) {
    Rational sum = 0;
    for (const auto& [state, mu] : setting_.initial) sum += mu * (*value)[first[k++]];
    out.push_back(std::move(sum));
  }
  return out;
}

PolicyCosts::PolicyCosts(const Model& model, const Policy& policy, CheckLimits& limits)
    : model_(model),
      policy_(policy),
      limits_(limits),
      ledger_(*IntegerLedger::undiscounted(model, policy.setting, std::nullopt)) {}

bool PolicyCosts::follow(std::uint64_t most, std::string& fault) {
  const ResolvedSetting& setting = policy_.setting;
  RuleBook book(policy_);
  std::vector<std::optional<WealthRule<std::int64_t>>> rules(model_.state_count());
  // Costs beyond these make no difference to a rule, nor to what exceeds a budget.
  auto last = static_cast<std::int64_t>(most);
  for (std::uint32_t i = 0; i < model_.state_count(); ++i) {
    rules[i] = book.rule(ledger_, 0, State{i});
    if (rules[i] && !rules[i]->least.empty()) last = std::max(last, -rules[i]->least.back());
  }
  const auto capped = [&](std::int64_t cost) { return cost > last ? kAbove : cost; };
  WealthPlaces places;
  CostGraph chain(model_, limits_);
  nodes_.clear();
  for (const State s : setting.initial.states()) places.number({s, 0});
  for (std::uint32_t v = 0; v < places.size(); ++v) {
    limits_.require();
    if (places.size() > kMostCostPlaces) return false;
    const WealthPlace place = places[v];
    Node node{place.wealth, is_goal_or_end(model_, setting, place.state), {}};
    if (node.is_end) {
      if (!setting.is_goal(place.state)) fault = "The policy may miss the goal.";
      chain.end_final_node();
    } else if (const auto& rule = rules[index(place.state)]; !rule) {
      fault = "At " + describe_place(model_, policy_, 0, place.state) + " the policy has no rule.";
    } else {
      const bool is_beyond = place.wealth == kAbove;
      for (const Outcome& o :
           model_.outcomes(is_beyond ? rule->choices.back() : rule->decide(-place.wealth))) {
        const std::int64_t cost = -ledger_.reward(0, o.reward);
        const std::int64_t so_far = is_beyond ? kAbove : capped(place.wealth + cost);
        node.steps.push_back({places.number({o.next, so_far}), o.probability, cost});
        chain.add_arc(node.steps.back().to, o.probability, cost);
      }
      chain.end_choice();
      chain.end_node();
    }
    if (!fault.empty()) return true;
    nodes_.push_back(std::move(node));
  }
  if (chain.may_stay()) fault = "The policy may miss the goal.";
  return true;
}

std::optional<Rational> PolicyCosts::excess(std::uint64_t budget, Effort& effort) const {
  const auto most = static_cast<std::int64_t>(budget);
  CostGraph chain(model_, limits_);
  for (const Node& node : nodes_) {
    if (node.is_end) {
      chain.end_final_node();
      continue;
    }
    for (const Step& step : node.steps) {
      const bool is_spent = node.cost_so_far >= most;
      const std::int64_t beyond =
          is_spent ? step.cost : std::max<std::int64_t>(0, node.cost_so_far + step.cost - most);
      chain.add_arc(step.to, step.probability, beyond);
    }
    chain.end_choice();
    chain.end_node();
  }
  Selection only(nodes_.size());
  std::uint32_t choice = 0;
  for (std::size_t v = 0; v < nodes_.size(); ++v) {
    only[v] = choice;
    if (!nodes_[v].is_end) ++choice;
  }
  const auto value = chain.costs(only, effort);
  if (!value) return std::nullopt;
  Rational sum = 0;
  std::size_t k = 0;
  for (const auto& [state, mu] : policy_.setting.initial) sum += mu * (*value)[k++];
  return sum;
}

}  // namespace quantiplan::checking
