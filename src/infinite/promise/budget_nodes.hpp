// Promises to keep a budget on the way to a goal, in rationals, node by node.
//
//     nodes      (s, b), b the budget left: those that any policy can meet from the targets and from
//                which the goal can still be reached within b (lost_budget.hpp)
//     worth      (P, worth) of the best choice; P = 0 and the arrivals' own worth where the budget is
//                lost, P = 1 at a goal
//
// Or no promise, and only what exceeds the budget counts as a cost: K is minus E (C - b)^+, which is
// V(s) - b where the budget is lost, V the least expected cost.
//
// Every cost leads to a smaller budget, so nodes are settled in the order of b, and among equal ones
// in that of the moves without a cost. Where these lead round, the nodes of the circle are settled
// together, by policy iteration from a policy that gets out. It never comes to one that does not: the
// worth ends with the steps, of which each costs 1, so that whoever goes round for ever falls behind
// every value that was there before, in the order by which choices are changed.
// Cost of an aim: two rational products for each outcome of each choice of each node, and for a circle
// of n nodes some n^3 more.
#pragma once

#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <vector>

#include "base/node_table.hpp"
#include "infinite/levels/arrivals.hpp"
#include "infinite/levels/lost_budget.hpp"
#include "promise/hull_oracle.hpp"
#include "promise/worth.hpp"
#include "quantiplan/policy.hpp"

namespace quantiplan {

// What all promises of one problem share.
struct BudgetProblem {
  const Moves& moves;
  const Weights& weights;    // exact
  const BestArrivals& best;  // from everywhere
  std::vector<Worth> free;   // of `best`, by slot (arrival_worth.hpp)
  std::vector<std::uint64_t> least;
};

// Which costs a worth counts: all, or what exceeds the budget.
enum class CountedCosts { all, excess };

class BudgetNodes : public HullOracle {
 public:
  // Null if there would be more products than that, circles without a cost are too long, memory is
  // short, or the limits ended it. `kind`: the goal, or arriving.
  static std::shared_ptr<BudgetNodes> make(std::shared_ptr<const BudgetProblem> problem,
                                           WorthKind kind,
                                           const std::vector<std::uint64_t>& budgets,
                                           std::uint64_t most_products,
                                           Limits& limits,
                                           CountedCosts counted = CountedCosts::all);

  std::optional<std::vector<Prospect>> run(const Aim& aim, Limits& limits, Work& work) override;
  std::optional<Rational> exact_probability(const Aim&, std::size_t, Limits&) override {
    return std::nullopt;  // is that of the prospect
  }
  [[nodiscard]] Rational rounded(const Rational& weight) const override { return weight; }
  // The policy of an aim from one budget on, what it can meet. Nullopt if the limits ended it. Safe
  // from several threads at a time.
  std::optional<std::vector<PolicyRule>> rules(const Aim& aim,
                                               std::uint64_t budget,
                                               Limits& limits);

  BudgetNodes(std::shared_ptr<const BudgetProblem> problem, WorthKind kind, CountedCosts counted);

 private:
  static constexpr std::uint32_t kLost = NodeTable::kAbsent;
  static constexpr std::uint32_t kArrived = kLost - 1;
  static constexpr std::uint32_t kHere = kLost - 2;  // the node itself

  bool rank_slots();
  bool expand(const std::vector<std::uint64_t>& budgets,
              std::uint64_t most_products,
              const Limits& limits);
  [[nodiscard]] bool is_node(std::uint32_t slot, std::uint64_t budget) const;
  std::uint32_t place(const Node& from, std::uint64_t arc);
  [[nodiscard]] bool allows(std::uint32_t choice) const;
  // What an arc from a budget adds to K.
  [[nodiscard]] Rational reward_of(std::int64_t budget, std::uint64_t arc, bool is_lost) const;
  // A choice of a node, whose children begin at `child`.
  struct Taken {
    std::uint32_t node;
    std::uint32_t choice;
    std::uint64_t child;
  };
  template <class Visit>
  void for_choices(std::uint32_t node, const Visit& visit) const;
  // Of a choice, given what follows; arcs of which `is_inner(child, p)` says so are left out, but for
  // the step.
  template <class IsInner>
  [[nodiscard]] PromisedWorth sum_of(const Taken& taken, const IsInner& is_inner) const;
  // Of a choice taken until the node is left; nullopt if it never is.
  [[nodiscard]] std::optional<PromisedWorth> worth_of(const Taken& taken) const;
  void settle_node(const Aim& aim, std::uint32_t node);
  // Nodes order_[first] .. order_[end - 1].
  struct Circle {
    std::size_t first;
    std::size_t end;
  };
  [[nodiscard]] std::optional<std::size_t> place_in(const Circle& circle,
                                                    std::uint32_t from,
                                                    std::uint32_t child) const;
  [[nodiscard]] std::size_t end_of_circle(std::size_t first) const;
  bool settle_circle(const Aim& aim, const Circle& circle, const Limits& limits);
  std::vector<Taken> ways_out(const Circle& circle) const;
  bool evaluate_circle(const Circle& circle, const std::vector<Taken>& taken, const Limits& limits);
  bool evaluate(const Aim& aim, const Limits& limits, Work& work);
  // The rules of these nodes, and of these slots once the budget is lost there.
  [[nodiscard]] std::vector<PolicyRule> tabulated(std::vector<std::uint32_t> met,
                                                  const std::vector<bool>& is_lost) const;

  std::shared_ptr<const BudgetProblem> problem_;
  const MoveGraph& graph_;
  WorthKind kind_;
  CountedCosts counted_;
  std::vector<std::uint64_t> budgets_;
  std::vector<std::uint32_t> rank_;  // by slot: moves without a cost lead to none that is greater
  NodeTable nodes_;
  std::vector<std::uint64_t> first_child_;  // by node
  std::vector<std::uint32_t> children_;     // of nodes, choices, arcs in order
  std::vector<std::uint32_t> order_;        // of nodes: children first
  std::vector<std::uint32_t> place_;        // by node: where it stands in the order
  std::vector<PromisedWorth> worth_;        // by node, of the last aim
  std::vector<std::uint32_t> choice_;
  std::mutex one_at_a_time_;
};

}  // namespace quantiplan
