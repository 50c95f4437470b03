#include "infinite/levels/stationary.hpp"

#include <algorithm>

namespace quantiplan {
namespace {

// What one slot does at one level, collected from the last level down.
struct Met {
  std::uint64_t level;
  std::uint32_t choice;
};

template <class A>
class Walk {
 public:
  Walk(const EpochProblem& problem,
       const EpochPass<A>& pass,
       const std::vector<std::uint32_t>& base,
       const LostBudget* lost)
      : problem_(problem),
        graph_(problem.moves.graph),
        pass_(pass),
        base_choice_(base),
        lost_(lost),
        met_(problem.moves.slots()),
        in_base_(problem.moves.slots(), false) {}

  // All (slot, level) that the decisions lead to from (s0, level).
  bool run(std::uint64_t level, std::uint64_t first, const Limits& limits) {
    first_ = first;
    for (std::uint64_t k = 0; k <= level; ++k) sigma_.push_back(pass_.sigma(k));
    pending_.resize(level + 1);
    pending_[level].push_back(0);
    std::vector<std::uint64_t> seen(graph_.nodes(), ~std::uint64_t{0});
    for (std::uint64_t k = level + 1; k-- > first;) {
      if (limits.ended()) return false;
      std::vector<std::uint32_t> open = std::move(pending_[k]);
      pending_[k] = {};
      for (std::size_t i = 0; i < open.size(); ++i) {
        const std::uint32_t v = open[i];
        if (seen[v] == k || problem_.moves.end[v] != End::none) continue;
        seen[v] = k;
        follow(v, k, open);
      }
    }
    close_base();
    return true;
  }

  [[nodiscard]] std::vector<PolicyRule> rules(bool by_index) const {
    std::vector<PolicyRule> out;
    for (std::uint32_t v = 0; v < graph_.nodes(); ++v) {
      if (met_[v].empty() && !in_base_[v]) continue;
      out.push_back({0, problem_.moves.state[v], runs_of(v, by_index)});
    }
    std::ranges::sort(out, {}, &PolicyRule::state);
    return out;
  }

 private:
  void follow(std::uint32_t v, std::uint64_t level, std::vector<std::uint32_t>& open) {
    const std::uint32_t g = pass_.equations().group_of(v);
    const bool is_lost = lost_ != nullptr && sigma_[level] < lost_->least[v];
    const std::uint32_t c =
        is_lost ? lost_->choice[v] : pass_.equations().choice(v, pass_.record().at(g, level));
    met_[v].push_back({level, c});
    for (std::uint64_t i = graph_.arc_begin[c]; i < graph_.arc_begin[c + 1]; ++i) {
      const std::uint32_t next = graph_.next[i];
      const std::uint64_t w = problem_.weights.distinct[problem_.weights.of_arc[i]];
      if (w == 0) {
        open.push_back(next);
      } else if (const auto j = referred(level, w)) {
        pending_[*j].push_back(next);
      } else {
        in_base_[next] = true;
      }
    }
  }

  // As Ladder has it, for any level of the past.
  [[nodiscard]] std::optional<std::uint64_t> referred(std::uint64_t level, std::uint64_t w) const {
    const std::uint64_t here = sigma_[level];
    if (problem_.event.gains) {
      if (here <= w) return std::nullopt;
      const auto found = std::ranges::lower_bound(sigma_, here - w);
      return static_cast<std::uint64_t>(found - sigma_.begin());
    }
    if (here < w) return std::nullopt;
    const auto found = std::ranges::upper_bound(sigma_, here - w) - 1;
    return static_cast<std::uint64_t>(found - sigma_.begin());
  }

  // Beyond the boundary every move stays there.
  void close_base() {
    std::vector<std::uint32_t> open;
    for (std::uint32_t v = 0; v < graph_.nodes(); ++v) {
      if (in_base_[v]) open.push_back(v);
    }
    while (!open.empty()) {
      const std::uint32_t v = open.back();
      open.pop_back();
      if (problem_.moves.end[v] != End::none) {
        in_base_[v] = false;
        continue;
      }
      const std::uint32_t c = base_choice_[v];
      for (std::uint64_t i = graph_.arc_begin[c]; i < graph_.arc_begin[c + 1]; ++i) {
        const std::uint32_t next = graph_.next[i];
        if (in_base_[next] || problem_.moves.end[next] != End::none) continue;
        in_base_[next] = true;
        open.push_back(next);
      }
    }
  }

  [[nodiscard]] std::vector<PolicyRun> runs_of(std::uint32_t v, bool by_index) const {
    const Rational unit = by_index ? Rational(1) : problem_.weights.unit;
    const auto upto = [&](std::uint64_t level) {
      const Rational y = unit * Rational(Integer(static_cast<unsigned long>(sigma_[level])));
      return problem_.event.gains ? y : Rational(-y);
    };
    std::vector<PolicyRun> runs;
    const auto add = [&](const std::optional<Rational>& end, std::uint32_t choice) {
      const Choice c = problem_.moves.choice[choice];
      if (!runs.empty() && runs.back().choice == c) {
        runs.back().upto = end;
      } else {
        runs.push_back({end, c});
      }
    };
    // Ascending y: gains from the base up, losses from the last level to the base.
    if (problem_.event.gains) {
      if (in_base_[v]) add(Rational(0), base_choice_[v]);
      for (std::size_t i = met_[v].size(); i-- > 0;) add(upto(met_[v][i].level), met_[v][i].choice);
    } else {
      for (const Met& met : met_[v]) add(upto(met.level), met.choice);
      if (in_base_[v]) add(std::nullopt, base_choice_[v]);
    }
    runs.back().upto.reset();
    return runs;
  }

  const EpochProblem& problem_;
  const MoveGraph& graph_;
  const EpochPass<A>& pass_;
  const std::vector<std::uint32_t>& base_choice_;
  const LostBudget* lost_;
  std::uint64_t first_ = 0;
  std::vector<std::uint64_t> sigma_;
  std::vector<std::vector<std::uint32_t>> pending_;  // slots by level
  std::vector<std::vector<Met>> met_;                // by slot
  std::vector<bool> in_base_;
};

}  // namespace

template <class A>
std::optional<std::vector<PolicyRule>> stationary_rules(const EpochProblem& problem,
                                                        const WholeValues<A>& base,
                                                        const LostBudget* lost,
                                                        std::uint64_t level,
                                                        bool by_index,
                                                        Limits& limits) {
  const std::uint64_t first = problem.event.gains ? 1 : 0;
  const std::vector<std::uint32_t>& beyond = lost != nullptr ? lost->choice : base.choice;
  if (level < first) return constant_rules(problem.moves, beyond);
  EpochPass<A> pass(problem, base.value, base.error, limits, true);
  // Without weights there is one level only, whatever its number.
  const bool weightless = problem.weights.distinct.size() == 1;
  do {
    if (!pass.advance()) return std::nullopt;
  } while (!weightless && pass.level() < level);
  Walk<A> walk(problem, pass, beyond, lost);
  if (!walk.run(weightless ? 0 : level, weightless ? 0 : first, limits)) return std::nullopt;
  return walk.rules(by_index);
}

std::vector<PolicyRule> constant_rules(const Moves& moves,
                                       const std::vector<std::uint32_t>& choice) {
  std::vector<PolicyRule> out;
  std::vector<bool> met(moves.slots(), false);
  std::vector<std::uint32_t> open{0};
  met[0] = true;
  while (!open.empty()) {
    const std::uint32_t v = open.back();
    open.pop_back();
    if (moves.end[v] != End::none) continue;
    const std::uint32_t c = choice[v];
    out.push_back({0, moves.state[v], {{std::nullopt, moves.choice[c]}}});
    for (std::uint64_t i = moves.graph.arc_begin[c]; i < moves.graph.arc_begin[c + 1]; ++i) {
      if (met[moves.graph.next[i]]) continue;
      met[moves.graph.next[i]] = true;
      open.push_back(moves.graph.next[i]);
    }
  }
  std::ranges::sort(out, {}, &PolicyRule::state);
  return out;
}

template std::optional<std::vector<PolicyRule>> stationary_rules<Real>(
    const EpochProblem&, const WholeValues<Real>&, const LostBudget*, std::uint64_t, bool, Limits&);
template std::optional<std::vector<PolicyRule>> stationary_rules<Exact>(const EpochProblem&,
                                                                        const WholeValues<Exact>&,
                                                                        const LostBudget*,
                                                                        std::uint64_t,
                                                                        bool,
                                                                        Limits&);
template std::optional<std::vector<PolicyRule>> stationary_rules<Sure>(
    const EpochProblem&, const WholeValues<Sure>&, const LostBudget*, std::uint64_t, bool, Limits&);
template std::optional<std::vector<PolicyRule>> stationary_rules<Possible>(
    const EpochProblem&,
    const WholeValues<Possible>&,
    const LostBudget*,
    std::uint64_t,
    bool,
    Limits&);

}  // namespace quantiplan
