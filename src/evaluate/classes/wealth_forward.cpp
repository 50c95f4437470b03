#include "evaluate/classes/wealth_forward.hpp"

#include <algorithm>
#include <cmath>
#include <type_traits>

#include "base/node_table.hpp"
#include "evaluate/classes/wealth_tally.hpp"
#include "evaluate/infinite/pace.hpp"
#include "finite/expectation.hpp"
#include "numbers/rounding_bound.hpp"

namespace quantiplan {
namespace {

// Probability by (state, wealth), with the number of contributions each collected.
template <class N>
struct WealthMass {
  NodeTable table;
  std::vector<N> probability;
  std::vector<std::uint32_t> contributions;

  void add(State state, WealthId wealth, const N& p) {
    const std::uint32_t at = table.insert(
        {static_cast<std::uint32_t>(index(state)), static_cast<std::int64_t>(index(wealth))});
    if (at == probability.size()) {
      probability.push_back(p);
      contributions.push_back(1);
    } else {
      probability[at] += p;
      ++contributions[at];
    }
  }
  [[nodiscard]] std::size_t size() const { return table.size(); }
  [[nodiscard]] State state(std::size_t i) const { return State{table.nodes()[i].slot}; }
  [[nodiscard]] WealthId wealth(std::size_t i) const {
    return WealthId{static_cast<std::uint32_t>(table.nodes()[i].level)};
  }
  [[nodiscard]] std::uint64_t most_contributions() const {
    return contributions.empty() ? 0 : *std::ranges::max_element(contributions);
  }
  // Numbers of one time are of one kind: the last one stands for all.
  [[nodiscard]] std::uint64_t bytes() const {
    constexpr std::uint64_t kPerNode = NodeTable::kBytesPerNode + 4;
    return size() * (kPerNode + (probability.empty() ? 0 : bytes_of(probability.back())));
  }
};

template <class N>
class ForwardWalk {
 public:
  ForwardWalk(const WealthProblem& problem, WealthBudget budget)
      : problem_(problem), budget_(budget), numbers_(problem.model), pace_(problem.limits) {}

  std::optional<Distribution> run() {
    const std::uint64_t horizon = problem_.setting.horizon;
    WealthMass<N> now;
    now.add(problem_.setting.initial, problem_.structure->initial(), N(1));
    for (std::uint64_t t = 0; t < horizon && now.size() > 0; ++t) {
      WealthMass<N> next;
      for (std::size_t i = 0; i < now.size(); ++i) {
        if (!is_within_limits(i == 0, now, next)) return std::nullopt;
        step(t, now, i, next);
      }
      roundings_ += static_cast<unsigned long>(next.most_contributions() + 2);
      now = std::move(next);
      problem_.limits.report("forward pass",
                             static_cast<double>(t + 1) / static_cast<double>(horizon));
    }
    for (std::size_t i = 0; i < now.size(); ++i) tally_.add(now.wealth(i), now.probability[i]);
    return collect();
  }
  [[nodiscard]] std::uint64_t products() const { return products_; }

 private:
  // Limits are looked at every so many products.
  bool is_within_limits(bool at_once, const WealthMass<N>& now, const WealthMass<N>& next) {
    if (pace_.has_ended()) return false;
    if (!at_once && products_ < next_look_) return true;
    next_look_ = products_ + 4096;
    if (problem_.limits.ended()) return false;
    const std::uint64_t bytes =
        2 * (now.bytes() + next.bytes() + tally_.bytes()) + problem_.structure->bytes();
    if (!problem_.limits.would_fit(bytes)) problem_.limits.take(bytes, "the forward pass");
    return true;
  }

  void step(std::uint64_t t, const WealthMass<N>& now, std::size_t i, WealthMass<N>& next) {
    const State state = now.state(i);
    const WealthId wealth = now.wealth(i);
    if (problem_.model.is_terminal(state)) {
      tally_.add(wealth, now.probability[i]);
      return;
    }
    const Choice choice = problem_.rules.choose(t, state, wealth);
    for (const Outcome& o : problem_.model.outcomes(choice)) {
      const N p = numbers_.probability(o) * now.probability[i];
      ++products_;
      if (pace_.after(p)) return;
      budget_.spend(p);
      next.add(o.next, problem_.structure->update(wealth, o.reward), p);
    }
  }

  [[nodiscard]] Distribution collect() const {
    Distribution d = tally_.distribution(problem_.structure, problem_.classes);
    if constexpr (std::is_same_v<N, double>) {
      // Sums of atoms add one rounding for each; a product that underflows loses less than 2^-1074.
      const Integer more(static_cast<unsigned long>(tally_.additions() + d.atoms.size()));
      const RoundingBound bound = RoundingBound::after(roundings_ + more, 0);
      d.relative_error = std::nextafter(to_nearest_double(bound.relative), 2.0);
      d.absolute_error = static_cast<double>(products_) * 0x1p-1074;
    }
    return d;
  }

  const WealthProblem& problem_;
  WealthBudget budget_;
  Arithmetics<N> numbers_;
  Pace pace_;
  WealthTally<N> tally_;
  Integer roundings_ = 0;
  std::uint64_t products_ = 0;
  std::uint64_t next_look_ = 0;
};

}  // namespace

template <class N>
std::optional<Distribution> wealth_forward(const WealthProblem& problem,
                                           WealthBudget budget,
                                           std::uint64_t& steps) {
  ForwardWalk<N> walk(problem, budget);
  auto found = walk.run();
  steps = walk.products();
  return found;
}

template std::optional<Distribution> wealth_forward<double>(const WealthProblem&,
                                                            WealthBudget,
                                                            std::uint64_t&);
template std::optional<Distribution> wealth_forward<Rational>(const WealthProblem&,
                                                              WealthBudget,
                                                              std::uint64_t&);

}  // namespace quantiplan
