#include "infinite/promise/arrival_worth.hpp"

#include <algorithm>
#include <utility>

#include "infinite/linear/elimination.hpp"
#include "model/components.hpp"

namespace quantiplan {
namespace {

constexpr std::size_t kLongestCycle = 60;

class ArrivalWorths {
 public:
  ArrivalWorths(const Moves& moves, const Weights& weights, const BestArrivals& best)
      : moves_(moves), weights_(weights), best_(best), worth_(moves.slots()) {
    for (std::uint32_t v = 0; v < moves.slots(); ++v) worth_[v][0] = best.kept.chance[v];
  }

  bool run(const Limits& limits) {
    ArcLists arcs;
    for (std::uint32_t v = 0; v < moves_.slots(); ++v) {
      for_arcs(v, [&](std::uint64_t i) { arcs.next.push_back(moves_.graph.next[i]); });
      arcs.close_node();
    }
    const Components components = strongly_connected(arcs);
    const Members members = members_of(components);
    for (std::uint32_t c = 0; c < components.count; ++c) {
      const std::vector<std::uint32_t> block(members.node.begin() + members.begin[c],
                                             members.node.begin() + members.begin[c + 1]);
      if (is_open(block.front()) && !solve(block, limits)) return false;
    }
    return true;
  }
  [[nodiscard]] std::vector<Worth> take() { return std::move(worth_); }

 private:
  [[nodiscard]] bool is_open(std::uint32_t v) const {
    return moves_.end[v] == End::none && worth_[v][0] != 0;
  }
  template <class Visit>
  void for_arcs(std::uint32_t v, const Visit& visit) const {
    if (!is_open(v)) return;
    const std::uint32_t c = best_.choice[v];
    for (std::uint64_t i = moves_.graph.arc_begin[c]; i < moves_.graph.arc_begin[c + 1]; ++i)
      visit(i);
  }

  // K and -steps of the slots of one cycle; what it leads to is known.
  bool solve(const std::vector<std::uint32_t>& block, const Limits& limits) {
    const std::size_t n = block.size();
    if (n > kLongestCycle || limits.ended()) return false;
    std::vector<Rational> matrix(n * n, 0);
    std::vector<Rational> total(n, 0);
    std::vector<Rational> steps(n, 0);
    for (std::size_t k = 0; k < n; ++k) {
      matrix[k * n + k] = 1;
      Worth sum;
      for_arcs(block[k], [&](std::uint64_t i) {
        const std::uint32_t next = moves_.graph.next[i];
        const Rational& p = moves_.model.probabilities().rational(moves_.probability[i]);
        const Integer cost(static_cast<unsigned long>(weights_.distinct[weights_.of_arc[i]]));
        // Those of the block are 0 here, and stand in the matrix.
        add_outcome(WorthKind::goal, p, Rational(-cost), worth_[next], sum);
        const auto at = std::ranges::lower_bound(block, next);
        if (at != block.end() && *at == next)
          matrix[k * n + static_cast<std::size_t>(at - block.begin())] -= p;
      });
      total[k] = sum[1];
      steps[k] = sum[2];
    }
    auto same = matrix;
    const auto ended = [&] { return limits.ended(); };
    if (!eliminate(matrix, total, ended) || !eliminate(same, steps, ended)) return false;
    for (std::size_t k = 0; k < n; ++k) {
      worth_[block[k]][1] = total[k];
      worth_[block[k]][2] = steps[k];
    }
    return true;
  }

  const Moves& moves_;
  const Weights& weights_;
  const BestArrivals& best_;
  std::vector<Worth> worth_;
};

}  // namespace

std::optional<std::vector<Worth>> arrival_worths(const Moves& moves,
                                                 const Weights& weights,
                                                 const BestArrivals& best,
                                                 const Limits& limits) {
  ArrivalWorths worths(moves, weights, best);
  if (!worths.run(limits)) return std::nullopt;
  return worths.take();
}

}  // namespace quantiplan
