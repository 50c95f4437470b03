#include "infinite/infinite_optima.hpp"

#include <algorithm>
#include <set>
#include <utility>

#include "infinite/budget_promises.hpp"
#include "infinite/promise/budget_nodes.hpp"
#include "promise/wanted.hpp"
#include "quantiplan/error.hpp"

namespace quantiplan {
namespace {

using Kind = Criterion::Kind;

constexpr std::uint64_t kFirstBudgets = 32;

Rational whole(std::uint64_t units) { return Rational(Integer(static_cast<unsigned long>(units))); }

void require_costs_to_goal(const InfiniteLayout& layout, const Criterion& criterion) {
  const Kind kind = criterion.kind;
  if (kind != Kind::cvar && kind != Kind::expectation)
    refuse_criterion(
        criterion,
        "at the infinite horizon without a discount, where nothing bounds what its tails add; "
        "expected cvar, expectation or worst-case, a --discount, or a finite --horizon");
  if (!layout.has_budget())
    refuse_criterion(
        criterion,
        "at the infinite horizon without a discount, expected costs to a goal: --cost and --goal, "
        "a --discount, or a finite --horizon");
}

class InfiniteOptima {
 public:
  InfiniteOptima(const std::shared_ptr<InfiniteLayout>& layout,
                 const CriterionQuestions& asked,
                 const Later<Policy>& expectation_policy)
      : layout_(layout), asked_(asked), expectation_policy_(expectation_policy) {}

  FoundQuantiles run() {
    auto weights = exact_weights(layout_->moves);
    if (!weights) refuse_without_unit();
    weighted_ = std::make_shared<WeightedLayout>(layout_, *std::move(weights));
    problem_ = budget_problem(*weighted_, layout_->limits);
    if (problem_ == nullptr) too_large("the least expected costs are too many for rationals");
    for (const Rational& tau : asked_.taus) add(tau);
    if (asked_.taus.empty()) add(1);
    if (problem_->free[0][0] != 1) {
      for (FoundQuantile& each : out_.results) put(Total::miss(), each.result);
    } else {
      require_least_costs();
      if (asked_.criterion.kind == Kind::expectation)
        put(in_wealth(-problem_->free[0][1]), out_.results.front().result);
      else
        search();
    }
    tell();
    out_.is_complete = asked_.is_whole;
    return std::move(out_);
  }

 private:
  [[noreturn]] void too_large(const char* why) const {
    if (layout_->limits.ended()) refuse_unfinished("solve");
    refuse_criterion(asked_.criterion, std::string("at the infinite horizon: ") + why);
  }

  // Units of cost as wealth.
  [[nodiscard]] Total in_wealth(const Rational& cost) const {
    return Total(Rational(-cost * weighted_->weights.unit));
  }

  void add(const Rational& tau) {
    Result result;
    if (asked_.criterion.takes_tau()) result.tau = tau;
    result.optimum =
        CriterionOptimum{asked_.criterion, Total::minus_infinity(), Total::plus_infinity()};
    result.status = Status::solved;
    result.certificate = Certificate::exact;
    result.policy = expectation_policy_;
    out_.results.push_back({std::move(result), std::nullopt, Claims::optimum});
  }
  static void put(const Total& value, Result& result) {
    result.optimum.change([&](CriterionOptimum& found) { found.lower = found.upper = value; });
  }

  // The arrivals' choices may come from doubles; that none of them can be improved is seen in rationals.
  void require_least_costs() const {
    const Moves& moves = problem_->moves;
    const MoveGraph& graph = moves.graph;
    for (std::uint32_t v = 0; v < moves.slots(); ++v) {
      if (moves.end[v] != End::none || problem_->free[v][0] != 1) continue;
      for (std::uint32_t c = graph.choice_begin[v]; c < graph.choice_begin[v + 1]; ++c) {
        if (!problem_->best.kept.keeps[c]) continue;
        Rational sum = 0;
        for (std::uint64_t i = graph.arc_begin[c]; i < graph.arc_begin[c + 1]; ++i) {
          const Weights& weights = problem_->weights;
          sum += moves.model.probabilities().rational(moves.probability[i]) *
                 (problem_->free[graph.next[i]][1] - whole(weights.distinct[weights.of_arc[i]]));
        }
        if (sum > problem_->free[v][1])
          too_large("the least expected cost was found in doubles only");
      }
    }
  }

  struct Best {
    Rational value;
    std::uint64_t budget = 0;
  };

  void search() {
    const Aim aim = Aim::weighted(0);
    for (std::uint64_t most = kFirstBudgets;; most *= 2) {
      std::vector<std::uint64_t> budgets(most + 1);
      for (std::uint64_t b = 0; b <= most; ++b) budgets[b] = b;
      const auto nodes = BudgetNodes::make(problem_,
                                           WorthKind::arriving,
                                           budgets,
                                           kMostExactProducts,
                                           layout_->limits,
                                           CountedCosts::excess);
      if (nodes == nullptr) too_large("too many levels of cost for rationals");
      const auto found = nodes->run(aim, layout_->limits, out_.work);
      if (!found) too_large("too many levels of cost for rationals");
      bool done = true;
      for (FoundQuantile& each : out_.results) {
        if (each.result.tau == 0) continue;
        const Best best = best_of(*found, each.result.tau);
        if (best.value > whole(most)) {
          done = false;
          continue;
        }
        put(in_wealth(best.value), each.result);
        put_policy(nodes, aim, best.budget, each.result);
      }
      out_.work.levels += most;
      if (!done) continue;
      if (asked_.is_whole) add_bends(*found, nodes, aim);
      return;
    }
  }

  // tau CVaR*_tau = min over b of { tau b + B(b) }: a line for each vertex of the lower hull of B, which bends at the slopes
  // of its edges. For no tau from the least on that was asked for a budget beyond the last is better, so all bends from
  // there on are seen; all of them, if the excess ends.
  void add_bends(const std::vector<Prospect>& found,
                 const std::shared_ptr<BudgetNodes>& nodes,
                 const Aim& aim) {
    std::vector<std::size_t> hull;
    const auto slope = [&](std::size_t a, std::size_t b) {
      return Rational((found[b].mean - found[a].mean) / whole(b - a));
    };
    for (std::size_t b = 0; b < found.size(); ++b) {
      while (hull.size() > 1 && slope(hull[hull.size() - 2], hull.back()) <= slope(hull.back(), b))
        hull.pop_back();
      hull.push_back(b);
    }
    std::set<Rational> taus;
    for (const FoundQuantile& each : out_.results) taus.insert(each.result.tau);
    const bool ends = found.back().mean == 0;
    const Rational least = ends ? Rational(0) : *taus.begin();
    for (std::size_t k = 1; k < hull.size(); ++k) {
      const Rational tau = slope(hull[k - 1], hull[k]);
      if (tau > least && tau < 1) taus.insert(tau);
    }
    if (ends) taus.insert(0);
    out_.results.clear();
    for (const Rational& tau : taus) {
      add(tau);
      if (tau == 0) continue;
      const Best best = best_of(found, tau);
      put(in_wealth(best.value), out_.results.back().result);
      put_policy(nodes, aim, best.budget, out_.results.back().result);
    }
  }

  static Best best_of(const std::vector<Prospect>& found, const Rational& tau) {
    Best best;
    for (std::size_t b = 0; b < found.size(); ++b) {
      const Rational value = whole(b) - found[b].mean / tau;
      if (b == 0 || value < best.value) best = {value, b};
    }
    return best;
  }

  void put_policy(const std::shared_ptr<BudgetNodes>& nodes,
                  const Aim& aim,
                  std::uint64_t budget,
                  Result& result) const {
    result.policy = [layout = weighted_, problem = problem_, nodes, aim, budget] {
      const LaterWork later(layout->layout->options);
      Limits limits(later.options());
      auto rules = nodes->rules(aim, budget, limits);
      if (!rules) refuse_unfinished("policy");
      Policy policy;
      policy.setting = layout->layout->setting;
      policy.target = Rational(-whole(budget) * layout->weights.unit);
      policy.rules = *std::move(rules);
      return policy;
    };
  }

  void tell() {
    out_.engine = no_engine_report(layout_->options);
    out_.engine.used =
        asked_.criterion.kind == Kind::cvar ? "epochs (exact)" : "policy iteration (exact)";
    out_.engine.why =
        problem_->free[0][0] != 1
            ? "no policy reaches the goal almost surely, and a miss costs more than any number"
            : "costs to a goal without a horizon, level by level, in rationals";
  }

  std::shared_ptr<InfiniteLayout> layout_;
  const CriterionQuestions& asked_;
  Later<Policy> expectation_policy_;
  std::shared_ptr<WeightedLayout> weighted_;
  std::shared_ptr<const BudgetProblem> problem_;
  FoundQuantiles out_;
};

}  // namespace

FoundQuantiles infinite_optima(const std::shared_ptr<InfiniteLayout>& layout,
                               const CriterionQuestions& asked,
                               const Later<Policy>& expectation_policy) {
  require_costs_to_goal(*layout, asked.criterion);
  return InfiniteOptima(layout, asked, expectation_policy).run();
}

}  // namespace quantiplan
