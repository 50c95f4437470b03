#include "infinite/promise/budget_nodes.hpp"

#include <algorithm>
#include <numeric>
#include <utility>

#include "infinite/linear/elimination.hpp"
#include "model/components.hpp"

namespace quantiplan {
namespace {

constexpr std::size_t kNodesPerPoll = 16;
constexpr std::size_t kLongestCircle = 60;

std::uint64_t bytes_of(std::size_t nodes, std::size_t children) {
  constexpr std::uint64_t kWorthBytes = 4 * 100;  // rationals of moderate size
  return nodes * (NodeTable::kBytesPerNode + kWorthBytes + 16) + 4 * children;
}

std::uint64_t weight_of(const Weights& weights, std::uint64_t arc) {
  return weights.distinct[weights.of_arc[arc]];
}

}  // namespace

BudgetNodes::BudgetNodes(std::shared_ptr<const BudgetProblem> problem,
                         WorthKind kind,
                         CountedCosts counted)
    : problem_(std::move(problem)), graph_(problem_->moves.graph), kind_(kind), counted_(counted) {}

std::shared_ptr<BudgetNodes> BudgetNodes::make(std::shared_ptr<const BudgetProblem> problem,
                                               WorthKind kind,
                                               const std::vector<std::uint64_t>& budgets,
                                               std::uint64_t most_products,
                                               Limits& limits,
                                               CountedCosts counted) {
  auto out = std::make_shared<BudgetNodes>(std::move(problem), kind, counted);
  if (!out->rank_slots() || !out->expand(budgets, most_products, limits)) return nullptr;
  return out;
}

// False if moves without a cost lead round a circle that is too long.
bool BudgetNodes::rank_slots() {
  const auto is_inner = [&](std::uint32_t v) {
    return problem_->moves.end[v] == End::none && problem_->least[v] != LostBudget::kNever;
  };
  ArcLists arcs;
  for (std::uint32_t v = 0; v < graph_.nodes(); ++v) {
    const std::uint64_t end = graph_.arc_begin[graph_.choice_begin[v + 1]];
    for (std::uint64_t i = graph_.arc_begin[graph_.choice_begin[v]]; i < end; ++i) {
      const std::uint32_t next = graph_.next[i];
      if (is_inner(v) && is_inner(next) && weight_of(problem_->weights, i) == 0)
        arcs.next.push_back(next);
    }
    arcs.close_node();
  }
  Components components = strongly_connected(arcs);
  std::vector<std::size_t> size(components.count, 0);
  for (const std::uint32_t component : components.of_node) ++size[component];
  rank_ = std::move(components.of_node);
  return std::ranges::max(size) <= kLongestCircle;
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
  place_.resize(nodes_.size());
  for (std::uint32_t k = 0; k < order_.size(); ++k) place_[order_[k]] = k;
  worth_.resize(nodes_.size());
  choice_.resize(nodes_.size());
  std::uint64_t products = children_.size();
  for (std::size_t k = 0; k < order_.size(); k = end_of_circle(k)) {
    const std::uint64_t n = end_of_circle(k) - k;
    if (n > 1) products += n * n * n;
  }
  return products <= most_products;
}

std::size_t BudgetNodes::end_of_circle(std::size_t first) const {
  const Node& node = nodes_.nodes()[order_[first]];
  std::size_t end = first + 1;
  while (end < order_.size()) {
    const Node& other = nodes_.nodes()[order_[end]];
    if (other.level != node.level || rank_[other.slot] != rank_[node.slot]) break;
    ++end;
  }
  return end;
}

bool BudgetNodes::allows(std::uint32_t choice) const {
  return kind_ != WorthKind::arriving || problem_->best.kept.keeps[choice];
}

Rational BudgetNodes::reward_of(std::int64_t budget, std::uint64_t arc, bool is_lost) const {
  const Integer cost(static_cast<unsigned long>(weight_of(problem_->weights, arc)));
  if (counted_ == CountedCosts::all) return Rational(-cost);
  return is_lost ? Rational(Integer(static_cast<long>(budget)) - cost) : Rational(0);
}

template <class Visit>
void BudgetNodes::for_choices(std::uint32_t node, const Visit& visit) const {
  const std::uint32_t slot = nodes_.nodes()[node].slot;
  std::uint64_t child = first_child_[node];
  for (std::uint32_t c = graph_.choice_begin[slot]; c < graph_.choice_begin[slot + 1]; ++c) {
    if (allows(c)) visit(Taken{node, c, child});
    child += graph_.arc_begin[c + 1] - graph_.arc_begin[c];
  }
}

template <class IsInner>
PromisedWorth BudgetNodes::sum_of(const Taken& taken, const IsInner& is_inner) const {
  static const Worth kAtGoal{1, 0, 0};
  const Moves& moves = problem_->moves;
  PromisedWorth sum;
  std::uint64_t child = taken.child;
  for (std::uint64_t i = graph_.arc_begin[taken.choice]; i < graph_.arc_begin[taken.choice + 1];
       ++i) {
    const Rational& p = moves.model.probabilities().rational(moves.probability[i]);
    std::uint32_t at = children_[child++];
    if (is_inner(at, p)) {
      sum.worth[2] -= p;
      continue;
    }
    if (at == kHere) at = taken.node;
    const bool is_node = at < kHere;
    const Worth& next = is_node          ? worth_[at].worth
                        : at == kArrived ? kAtGoal
                                         : problem_->free[graph_.next[i]];
    if (is_node) sum.probability += p * worth_[at].probability;
    if (at == kArrived) sum.probability += p;
    const Rational reward = reward_of(nodes_.nodes()[taken.node].level, i, at == kLost);
    add_outcome(WorthKind::goal, p, reward, next, sum.worth);
  }
  return sum;
}

std::optional<PromisedWorth> BudgetNodes::worth_of(const Taken& taken) const {
  Rational away = 1;
  PromisedWorth sum = sum_of(taken, [&](std::uint32_t at, const Rational& p) {
    if (at == kHere) away -= p;
    return at == kHere;
  });
  if (away == 0) return std::nullopt;
  if (away != 1) {
    sum.probability /= away;
    for (Rational& each : sum.worth) each /= away;
  }
  return sum;
}

void BudgetNodes::settle_node(const Aim& aim, std::uint32_t node) {
  bool is_first = true;
  for_choices(node, [&](const Taken& taken) {
    auto worth = worth_of(taken);
    if (!worth || (!is_first && !is_better(aim, kind_, *worth, worth_[node]))) return;
    worth_[node] = *std::move(worth);
    choice_[node] = taken.choice;
    is_first = false;
  });
}

std::optional<std::size_t> BudgetNodes::place_in(const Circle& circle,
                                                 std::uint32_t from,
                                                 std::uint32_t child) const {
  if (child == kHere) child = from;
  if (child >= kHere) return std::nullopt;
  const std::size_t place = place_[child];
  if (place < circle.first || place >= circle.end) return std::nullopt;
  return place - circle.first;
}

// Choices that lead out of a circle, step by step with positive probability.
std::vector<BudgetNodes::Taken> BudgetNodes::ways_out(const Circle& circle) const {
  std::vector<std::optional<Taken>> way(circle.end - circle.first);
  for (bool changed = true; changed;) {
    changed = false;
    for (std::size_t k = 0; k < way.size(); ++k) {
      for_choices(order_[circle.first + k], [&](const Taken& taken) {
        if (way[k]) return;
        const std::uint64_t count =
            graph_.arc_begin[taken.choice + 1] - graph_.arc_begin[taken.choice];
        for (std::uint64_t i = 0; i < count && !way[k]; ++i) {
          const auto inner = place_in(circle, taken.node, children_[taken.child + i]);
          if (!inner || (*inner != k && way[*inner])) way[k] = taken;
        }
        changed = changed || way[k];
      });
    }
  }
  std::vector<Taken> out;
  for (const std::optional<Taken>& each : way) {
    if (each) out.push_back(*each);
  }
  return out;
}

// What these choices are worth, of which every one is led out in the end.
bool BudgetNodes::evaluate_circle(const Circle& circle,
                                  const std::vector<Taken>& taken,
                                  const Limits& limits) {
  const std::size_t n = taken.size();
  std::vector<Rational> matrix(n * n, 0);
  std::vector<PromisedWorth> right(n);
  for (std::size_t k = 0; k < n; ++k) {
    matrix[k * n + k] = 1;
    right[k] = sum_of(taken[k], [&](std::uint32_t at, const Rational& p) {
      const auto inner = place_in(circle, taken[k].node, at);
      if (inner) matrix[k * n + *inner] -= p;
      return inner.has_value();
    });
  }
  const auto solve = [&](const auto& part) {
    std::vector<Rational> same = matrix;
    std::vector<Rational> side;
    side.reserve(right.size());
    for (PromisedWorth& each : right) side.push_back(part(each));
    if (!eliminate(same, side, [&] { return limits.ended(); })) return false;
    for (std::size_t k = 0; k < n; ++k) part(worth_[taken[k].node]) = side[k];
    return true;
  };
  if (!solve([](PromisedWorth& each) -> Rational& { return each.probability; })) return false;
  for (std::size_t i = 0; i < Worth().size(); ++i) {
    if (!solve([i](PromisedWorth& each) -> Rational& { return each.worth[i]; })) return false;
  }
  return true;
}

bool BudgetNodes::settle_circle(const Aim& aim, const Circle& circle, const Limits& limits) {
  std::vector<Taken> taken = ways_out(circle);
  if (taken.size() != circle.end - circle.first) return false;
  for (bool changed = true; changed;) {
    if (!evaluate_circle(circle, taken, limits)) return false;
    changed = false;
    for (Taken& own : taken) {
      PromisedWorth best = worth_[own.node];
      for_choices(own.node, [&](const Taken& other) {
        PromisedWorth worth = sum_of(other, [](std::uint32_t, const Rational&) { return false; });
        if (!is_better(aim, kind_, worth, best)) return;
        best = std::move(worth);
        own = other;
        changed = true;
      });
    }
  }
  for (const Taken& own : taken) choice_[own.node] = own.choice;
  return true;
}

bool BudgetNodes::evaluate(const Aim& aim, const Limits& limits, Work& work) {
  std::size_t settled = 0;
  for (std::size_t k = 0; k < order_.size();) {
    if (settled++ % kNodesPerPoll == 0 && limits.ended()) return false;
    const std::size_t end = end_of_circle(k);
    if (end == k + 1) {
      settle_node(aim, order_[k]);
    } else if (!settle_circle(aim, {k, end}, limits)) {
      return false;
    }
    k = end;
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
    PromisedWorth lost{0, problem_->free[0]};
    if (counted_ == CountedCosts::excess)
      lost.worth[1] += Rational(Integer(static_cast<unsigned long>(budget)));
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
