#include "check/infinite/best_reach.hpp"

namespace quantiplan::checking {
namespace {

constexpr int kMostRounds = 200;

// Better choices, by more than `margin`. True if there was one.
template <class N, class Probability>
bool improve(const ReachGraph& graph,
             const std::vector<N>& value,
             const N& margin,
             const Probability& probability,
             CheckLimits& limits,
             Selection& selection) {
  bool changed = false;
  for (std::uint32_t v = 0; v < graph.nodes(); ++v) {
    if (graph.worth(v)) continue;
    N best = value[v] + margin;
    for (std::uint32_t c = graph.first_choice(v); c < graph.end_choice_of(v); ++c) {
      if (c == selection[v]) continue;
      limits.require(static_cast<std::uint64_t>(graph.end(c) - graph.begin(c)) *
                     nanoseconds_of(value[v]));
      N sum = 0;
      for (const ReachArc* arc = graph.begin(c); arc != graph.end(c); ++arc)
        sum += probability(arc->probability) * value[arc->to];
      if (sum <= best) continue;
      best = sum;
      selection[v] = c;
      changed = true;
    }
  }
  return changed;
}

}  // namespace

bool BestReach::find_selection() {
  if (rough_) return true;
  const NumberTable& numbers = graph_.model().probabilities();
  for (int round = 0; round < kMostRounds; ++round) {
    auto found = rough_values(graph_, selection_, limits_);
    if (!found) return false;
    rough_ = std::move(found);
    Selection better = selection_;
    if (!improve(
            graph_,
            rough_->value,
            1e-12,
            [&](NumberId id) { return numbers.nearest(id); },
            limits_,
            better))
      break;
    if (round + 1 < kMostRounds) selection_ = std::move(better);
  }
  return true;
}

std::optional<UpperBounds> BestReach::at_most() {
  if (!find_selection()) return std::nullopt;
  return upper_bounds(graph_, *rough_, limits_);
}

std::optional<ChainBounds> BestReach::at_least() {
  if (!find_selection()) return std::nullopt;
  return chain_bounds(selected_graph(graph_, selection_, limits_), limits_);
}

std::optional<std::vector<Rational>> BestReach::exactly() {
  if (!find_selection()) return std::nullopt;
  const NumberTable& numbers = graph_.model().probabilities();
  Effort effort;
  Selection selection = selection_;
  for (int round = 0; round < kMostRounds; ++round) {
    auto value = exact_values(graph_, selection, effort, limits_);
    if (!value) return std::nullopt;
    for (const Rational& v : *value)
      if (!effort.spend(4, v)) return std::nullopt;
    if (!improve(
            graph_,
            *value,
            Rational(0),
            [&](NumberId id) { return numbers.rational(id); },
            limits_,
            selection))
      return value;
  }
  return std::nullopt;
}

}  // namespace quantiplan::checking
