#include "evaluate/classes/wealth_limit.hpp"

#include <algorithm>
#include <map>
#include <span>
#include <type_traits>

#include "evaluate/classes/wealth_chain.hpp"
#include "evaluate/classes/wealth_tally.hpp"
#include "evaluate/infinite/block_store.hpp"
#include "evaluate/infinite/mass_error.hpp"
#include "evaluate/infinite/pace.hpp"
#include "evaluate/infinite/rational_budget.hpp"
#include "evaluate/infinite/two_numbers.hpp"
#include "finite/expectation.hpp"

namespace quantiplan {
namespace {

// Rationals where nobody notices the time they take.
constexpr std::size_t kFewPairs = 20'000;
constexpr std::size_t kSmallBlock = 40;

template <class N>
class LimitLaw {
 public:
  LimitLaw(const WealthProblem& problem, const WealthChain& chain, RationalBudget budget)
      : problem_(problem),
        chain_(chain),
        budget_(budget),
        numbers_(problem.model),
        pace_(problem.limits),
        members_(members_of(chain.components())),
        mass_(chain.nodes(), N(0)),
        is_entered_(chain.nodes(), false),
        place_(chain.nodes(), 0) {}

  std::optional<Distribution> run() {
    if (problem_.limits.ended()) return std::nullopt;
    for (std::uint32_t v = 0; v < problem_.setting.initial.size(); ++v) {
      mass_[v] = as<N>(problem_.setting.initial[v].probability);
      is_entered_[v] = true;
      if (!problem_.setting.initial.is_certain()) error_.rounded(mass_[v], 1);
    }
    for (std::uint32_t c = chain_.components().count; c-- > 0;) {
      if (pace_.after_nanoseconds(100)) return std::nullopt;
      const Part part(members_.node.data() + members_.begin[c],
                      members_.node.data() + members_.begin[c + 1]);
      if (chain_.is_decided(part.front())) {
        for (const std::uint32_t v : part)
          if (is_entered_[v]) tally_.add(chain_.wealth(v), mass_[v]);
        continue;
      }
      if (std::ranges::none_of(part, [&](std::uint32_t v) { return is_entered_[v]; })) continue;
      if (!solve(part)) return std::nullopt;
      for (const std::uint32_t v : part) {
        if (pace_.has_ended()) return std::nullopt;
        push(v);
      }
    }
    return collect();
  }
  [[nodiscard]] std::size_t largest_block() const { return largest_block_; }

 private:
  using Part = std::span<const std::uint32_t>;

  [[nodiscard]] std::span<const Outcome> outcomes(std::uint32_t v) const {
    return problem_.model.outcomes(chain_.choice(v));
  }
  [[nodiscard]] bool is_inner(std::uint32_t v, std::uint32_t next) const {
    return chain_.components().of_node[v] == chain_.components().of_node[next];
  }

  // From the mass that enters the pairs of a component to their visits. False if the limits ended
  // it.
  bool solve(Part part) {
    BlockMoves<N> moves = moves_within(part);
    if (std::ranges::all_of(moves.rows, [](const auto& row) { return row.empty(); })) return true;
    largest_block_ = std::max(largest_block_, part.size());
    std::vector<N> visits;
    std::vector<Choice> choices;
    for (const std::uint32_t v : part) {
      visits.push_back(mass_[v]);
      choices.push_back(chain_.choice(v));
    }
    // A store for each: equal choices may lead out of one block and not of another.
    BlockStore<N> store(problem_.limits);
    if (!store.solve(
            choices, [&] { return moves; }, visits, error_))
      return false;
    for (std::size_t i = 0; i < part.size(); ++i) mass_[part[i]] = visits[i];
    return true;
  }

  BlockMoves<N> moves_within(Part part) {
    BlockMoves<N> moves;
    for (std::size_t i = 0; i < part.size(); ++i) place_[part[i]] = static_cast<std::uint32_t>(i);
    std::map<std::uint32_t, Rational> row;
    for (const std::uint32_t v : part) {
      row.clear();
      Rational leak = 0;
      const auto all = outcomes(v);
      for (std::size_t i = 0; i < all.size(); ++i) {
        const std::uint32_t next = chain_.next(v, i);
        (is_inner(v, next) ? row[place_[next]] : leak) += problem_.model.probability(all[i]);
      }
      moves.rows.emplace_back();
      for (const auto& [to, p] : row) moves.rows.back().push_back({to, as<N>(p)});
      moves.leak.push_back(as<N>(leak));
    }
    return moves;
  }

  void push(std::uint32_t v) {
    const auto all = outcomes(v);
    for (std::size_t i = 0; i < all.size(); ++i) {
      const std::uint32_t next = chain_.next(v, i);
      if (is_inner(v, next)) continue;
      const N mass = mass_[v] * numbers_.probability(all[i]);
      if (pace_.after(mass)) return;
      budget_.spend(mass);
      error_.rounded(mass, 3);  // of the probability, the product and the sum it goes into
      mass_[next] += mass;
      is_entered_[next] = true;
      error_.rounded(mass_[next], 1);
    }
  }

  [[nodiscard]] Distribution collect() const {
    Distribution d = tally_.distribution(problem_.structure, problem_.classes);
    if constexpr (std::is_same_v<N, double>) {
      d.relative_error = relative_after(Integer(tally_.additions() + d.atoms.size() + 1));
      d.absolute_error = error_.bound();
    }
    return d;
  }

  const WealthProblem& problem_;
  const WealthChain& chain_;
  RationalBudget budget_;
  Arithmetics<N> numbers_;
  Pace pace_;
  Members members_;
  std::vector<N> mass_;           // by node: what enters it, then its visits
  std::vector<bool> is_entered_;  // by node: whatever underflows
  std::vector<std::uint32_t> place_;
  MassError<N> error_;
  WealthTally<N> tally_;
  std::size_t largest_block_ = 0;
};

}  // namespace

std::optional<Distribution> wealth_limit(const WealthProblem& problem, Arithmetic arithmetic) {
  const WealthChain chain(
      problem.model, *problem.structure, problem.setting.initial, problem.rules, problem.limits);
  if (!chain.complete()) return std::nullopt;
  std::size_t largest_block = 0;
  const auto run = [&]<class N>(const RationalBudget& budget) {
    LimitLaw<N> law(problem, chain, budget);
    auto found = law.run();
    largest_block = law.largest_block();
    return found;
  };
  return in_either(arithmetic, kWealthBudget, run, [&] {
    return chain.nodes() <= kFewPairs && largest_block <= kSmallBlock;
  });
}

}  // namespace quantiplan
