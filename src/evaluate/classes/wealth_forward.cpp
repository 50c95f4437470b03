#include "evaluate/classes/wealth_forward.hpp"

#include "evaluate/classes/wealth_tally.hpp"
#include "evaluate/infinite/mass_walk.hpp"
#include "evaluate/infinite/rational_budget.hpp"

namespace quantiplan {
namespace {

// Rationals where nobody notices the time they take.
constexpr std::uint64_t kFewProducts = 200'000;

// Nodes are pairs of state and wealth.
template <class N>
class WealthWalk {
 public:
  WealthWalk(const WealthProblem& problem, RationalBudget budget)
      : problem_(problem), budget_(budget) {}

  [[nodiscard]] Node first(State s) const { return node_of(s, problem_.structure->initial()); }
  [[nodiscard]] static State state(std::uint64_t, Node node) { return State{node.slot}; }
  [[nodiscard]] Choice choose(std::uint64_t t, Node node) const {
    return problem_.rules.choose(t, State{node.slot}, wealth(node));
  }
  [[nodiscard]] Node after(std::uint64_t, Node node, const Outcome& o, const N& p) {
    budget_.spend(p);
    return node_of(o.next, problem_.structure->update(wealth(node), o.reward));
  }
  void end(std::uint64_t, Node node, const N& mass) { tally_.add(wealth(node), mass); }
  [[nodiscard]] std::uint64_t bytes() const {
    return 2 * tally_.bytes() + problem_.structure->bytes();
  }

  [[nodiscard]] const WealthTally<N>& tally() const { return tally_; }

 private:
  static Node node_of(State state, WealthId wealth) {
    return {static_cast<std::uint32_t>(index(state)), static_cast<std::int64_t>(index(wealth))};
  }
  static WealthId wealth(Node node) { return WealthId{static_cast<std::uint32_t>(node.level)}; }

  const WealthProblem& problem_;
  RationalBudget budget_;
  WealthTally<N> tally_;
};

}  // namespace

std::optional<Distribution> wealth_forward(const WealthProblem& problem, Arithmetic arithmetic) {
  std::uint64_t products = 0;
  const auto run = [&]<class N>(const RationalBudget& budget) -> std::optional<Distribution> {
    WealthWalk<N> walk(problem, budget);
    MassWalk<N, WealthWalk<N>> pass(
        problem.model, problem.setting.initial, problem.setting.horizon, walk, problem.limits);
    if (!pass.run()) return std::nullopt;
    products = pass.products();
    Distribution d = walk.tally().distribution(problem.structure, problem.classes);
    pass.bound_errors(d, walk.tally().additions());
    return d;
  };
  return in_either(arithmetic, kWealthBudget, run, [&] { return products <= kFewProducts; });
}

}  // namespace quantiplan
