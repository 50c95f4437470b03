#include "infinite/promise/budget_nodes.hpp"

#include <algorithm>
#include <numeric>
#include <utility>

#include "model/components.hpp"

namespace quantiplan {
namespace {

constexpr std::size_t kNodesPerPoll = 16;

std::uint64_t bytes_of(std::size_t nodes, std::size_t children) {
  constexpr std::uint64_t kWorthBytes = 4 * 100;  // rationals of moderate size
  return nodes * (NodeTable::kBytesPerNode + kWorthBytes + 16) + 4 * children;
}

std::uint64_t weight_of(const Weights& weights, std::uint64_t arc) {
  return weights.distinct[weights.of_arc[arc]];
}

}  // namespace

BudgetNodes::BudgetNodes(std::shared_ptr<const BudgetProblem> problem, WorthKind kind)
    : problem_(std::move(problem)), graph_(problem_->moves.graph), kind_(kind) {}

std::shared_ptr<BudgetNodes> BudgetNodes::make(std::shared_ptr<const BudgetProblem> problem,
                                               WorthKind kind,
                                               const std::vector<std::uint64_t>& budgets,
                                               std::uint64_t most_products,
                                               Limits& limits) {
  auto out = std::make_shared<BudgetNodes>(std::move(problem), kind);
  if (!out->rank_slots() || !out->expand(budgets, most_products, limits)) return nullptr;
  return out;
}

// False if moves without a cost lead round.
bool BudgetNodes::rank_slots() {
  const auto is_inner = [&](std::uint32_t v) {
    return problem_->moves.end[v] == End::none && problem_->least[v] != LostBudget::kNever;
  };
  ArcLists arcs;
  for (std::uint32_t v = 0; v < graph_.nodes(); ++v) {
    const std::uint64_t end = graph_.arc_begin[graph_.choice_begin[v + 1]];
    for (std::uint64_t i = graph_.arc_begin[graph_.choice_begin[v]]; i < end; ++i) {
      const std::uint32_t next = graph_.next[i];
      if (next != v && is_inner(v) && is_inner(next) && weight_of(problem_->weights, i) == 0)
        arcs.next.push_back(next);
    }
    arcs.close_node();
  }
  Components components = strongly_connected(arcs);
  rank_ = std::move(components.of_node);
  return components.count == graph_.nodes();
}

bool BudgetNodes::is_node(std::uint32_t slot, std::uint64_t budget) const {
  return problem_->moves.end[slot] == End::none && budget >= problem_->least[slot];
}

std::uint32_t BudgetNodes::place(const Node& from, std::uint64_t arc) {
  const std::uint32_t next = graph_.next[arc];
  const std::uint64_t cost = weight_of(problem_->weights, arc);
  const auto budget = static_cast<std::uint64_t>(from.level);
  if (cost > budget) return kLost;
  if (problem_->moves.end[next] == End::goal) return kArrived;
  if (!is_node(next, budget - cost)) return kLost;
  if (cost == 0 && next == from.slot) return kHere;
  return nodes_.insert({next, static_cast<std::int64_t>(budget - cost)});
}

bool BudgetNodes::expand(const std::vector<std::uint64_t>& budgets,
                         std::uint64_t most_products,
                         const Limits& limits) {
  budgets_ = budgets;
  for (const std::uint64_t budget : budgets) {
    if (is_node(0, budget)) nodes_.insert({0, static_cast<std::int64_t>(budget)});
  }
  for (std::size_t n = 0; n < nodes_.size(); ++n) {
    if (n % 256 == 0 && limits.ended()) return false;
    const Node node = nodes_.nodes()[n];
    first_child_.push_back(children_.size());
    const std::uint64_t end = graph_.arc_begin[graph_.choice_begin[node.slot + 1]];
    for (std::uint64_t i = graph_.arc_begin[graph_.choice_begin[node.slot]]; i < end; ++i)
      children_.push_back(place(node, i));
    if (children_.size() > most_products ||
        !limits.would_fit(bytes_of(nodes_.size(), children_.size())))
      return false;
  }
  order_.resize(nodes_.size());
  std::iota(order_.begin(), order_.end(), 0U);
  std::ranges::sort(order_, {}, [&](std::uint32_t n) {
    const Node& node = nodes_.nodes()[n];
    return std::pair(node.level, rank_[node.slot]);
  });
  worth_.resize(nodes_.size());
  choice_.resize(nodes_.size());
  return true;
}

bool BudgetNodes::allows(std::uint32_t choice) const {
  return kind_ != WorthKind::arriving || problem_->best.kept.keeps[choice];
}

std::optional<PromisedWorth> BudgetNodes::worth_of(std::uint32_t choice,
                                                   std::uint64_t child) const {
  static const Worth kAtGoal{1, 0, 0};
  const Moves& moves = problem_->moves;
  PromisedWorth sum;
  Rational away = 1;
  for (std::uint64_t i = graph_.arc_begin[choice]; i < graph_.arc_begin[choice + 1]; ++i) {
    const Rational& p = moves.model->numbers().rational(moves.probability[i]);
    const std::uint32_t at = children_[child++];
    if (at == kHere) {
      away -= p;
      sum.worth[2] -= p;
      continue;
    }
    const Integer cost(static_cast<unsigned long>(weight_of(problem_->weights, i)));
    const bool is_inner = at < kHere;
    const Worth& next = is_inner         ? worth_[at].worth
                        : at == kArrived ? kAtGoal
                                         : problem_->free[graph_.next[i]];
    if (is_inner) sum.probability += p * worth_[at].probability;
    if (at == kArrived) sum.probability += p;
    add_outcome(WorthKind::goal, p, Rational(-cost), next, sum.worth);
  }
  if (away == 0) return std::nullopt;
  if (away != 1) {
    sum.probability /= away;
    for (Rational& each : sum.worth) each /= away;
  }
  return sum;
}

bool BudgetNodes::evaluate(const Aim& aim, const Limits& limits, Work& work) {
  for (std::size_t k = 0; k < order_.size(); ++k) {
    if (k % kNodesPerPoll == 0 && limits.ended()) return false;
    const std::uint32_t n = order_[k];
    const std::uint32_t slot = nodes_.nodes()[n].slot;
    std::uint64_t child = first_child_[n];
    bool is_first = true;
    for (std::uint32_t c = graph_.choice_begin[slot]; c < graph_.choice_begin[slot + 1]; ++c) {
      const std::uint64_t children = child;
      child += graph_.arc_begin[c + 1] - graph_.arc_begin[c];
      if (!allows(c)) continue;
      auto worth = worth_of(c, children);
      if (!worth || (!is_first && !is_better(aim, kind_, *worth, worth_[n]))) continue;
      worth_[n] = *std::move(worth);
      choice_[n] = c;
      is_first = false;
    }
  }
  work.multiply_adds += 2 * children_.size();
  ++work.passes;
  return true;
}

std::optional<std::vector<Prospect>> BudgetNodes::run(const Aim& aim, Limits& limits, Work& work) {
  if (!evaluate(aim, limits, work)) return std::nullopt;
  std::vector<Prospect> out;
  for (const std::uint64_t budget : budgets_) {
    const std::uint32_t n = nodes_.find({0, static_cast<std::int64_t>(budget)});
    const PromisedWorth lost{0, problem_->free[0]};
    out.push_back(prospect_of(aim, kind_, n == NodeTable::kAbsent ? lost : worth_[n]));
  }
  return out;
}

std::optional<std::vector<PolicyRule>> BudgetNodes::rules(const Aim& aim,
                                                          std::uint64_t budget,
                                                          Limits& limits) {
  const std::scoped_lock lock(one_at_a_time_);
  Work work;
  if (!evaluate(aim, limits, work)) return std::nullopt;
  const Moves& moves = problem_->moves;
  std::vector<std::uint32_t> met;                    // nodes
  std::vector<bool> is_met(nodes_.size(), false);    // by node
  std::vector<std::uint32_t> lost;                   // slots
  std::vector<bool> is_lost(graph_.nodes(), false);  // by slot
  const auto lose = [&](std::uint32_t slot) {
    if (is_lost[slot] || moves.end[slot] != End::none) return;
    is_lost[slot] = true;
    lost.push_back(slot);
  };
  const std::uint32_t start = nodes_.find({0, static_cast<std::int64_t>(budget)});
  if (start == NodeTable::kAbsent) {
    lose(0);
  } else {
    is_met[start] = true;
    met.push_back(start);
  }
  for (std::size_t k = 0; k < met.size(); ++k) {
    const std::uint32_t n = met[k];
    const std::uint64_t first = graph_.arc_begin[graph_.choice_begin[nodes_.nodes()[n].slot]];
    for (std::uint64_t i = graph_.arc_begin[choice_[n]]; i < graph_.arc_begin[choice_[n] + 1];
         ++i) {
      const std::uint32_t at = children_[first_child_[n] + (i - first)];
      if (at == kLost) lose(graph_.next[i]);
      if (at >= kHere || is_met[at]) continue;
      is_met[at] = true;
      met.push_back(at);
    }
  }
  const std::vector<std::uint32_t>& beyond = problem_->best.choice;
  for (std::size_t k = 0; k < lost.size(); ++k) {
    const std::uint32_t c = beyond[lost[k]];
    for (std::uint64_t i = graph_.arc_begin[c]; i < graph_.arc_begin[c + 1]; ++i)
      lose(graph_.next[i]);
  }
  return tabulated(std::move(met), is_lost);
}

// Ascending residuals y = -b: the greatest budget first, and the lost one last.
std::vector<PolicyRule> BudgetNodes::tabulated(std::vector<std::uint32_t> met,
                                               const std::vector<bool>& is_lost) const {
  const Moves& moves = problem_->moves;
  std::ranges::sort(met, {}, [&](std::uint32_t n) { return -nodes_.nodes()[n].level; });
  std::vector<std::vector<PolicyRun>> runs(graph_.nodes());
  const auto add = [&](std::uint32_t slot, std::optional<Rational> upto, std::uint32_t choice) {
    const Choice c = moves.choice[choice];
    if (!runs[slot].empty() && runs[slot].back().choice == c) {
      runs[slot].back().upto = std::move(upto);
    } else {
      runs[slot].push_back({std::move(upto), c});
    }
  };
  for (const std::uint32_t n : met) {
    const Node& node = nodes_.nodes()[n];
    add(node.slot,
        Rational(-problem_->weights.unit * Rational(Integer(static_cast<long>(node.level)))),
        choice_[n]);
  }
  std::vector<PolicyRule> out;
  for (std::uint32_t v = 0; v < graph_.nodes(); ++v) {
    if (is_lost[v]) add(v, std::nullopt, problem_->best.choice[v]);
    if (runs[v].empty()) continue;
    runs[v].back().upto.reset();
    out.push_back({0, moves.state[v], std::move(runs[v])});
  }
  std::ranges::sort(out, {}, &PolicyRule::state);
  return out;
}

}  // namespace quantiplan
