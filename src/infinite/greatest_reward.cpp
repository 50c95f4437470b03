#include "infinite/greatest_reward.hpp"

#include <algorithm>
#include <cmath>

#include "infinite/linear/rational_system.hpp"
#include "model/end_components.hpp"

namespace quantiplan {
namespace {

class RewardIteration {
 public:
  RewardIteration(const Moves& moves, const Limits& limits)
      : moves_(moves), graph_(moves.graph), limits_(limits) {
    const NumberTable& probabilities = moves.model.probabilities();
    for (std::uint32_t c = 0; c < graph_.choices(); ++c) {
      Rational paid = 0;
      for (std::uint64_t i = graph_.arc_begin[c]; i < graph_.arc_begin[c + 1]; ++i)
        paid += probabilities.rational(moves.probability[i]) * moves.counted(i);
      rough_paid_.push_back(to_nearest_double(paid));
      paid_.push_back(std::move(paid));
    }
    for (std::uint32_t v = 0; v < moves.slots(); ++v) choice_.push_back(graph_.choice_begin[v]);
  }

  std::optional<GreatestReward> run() {
    if (!improve_in_doubles()) return std::nullopt;
    do {
      if (!evaluate()) return std::nullopt;
    } while (improve());
    if (limits_.ended()) return std::nullopt;
    return GreatestReward{value_[0], choice_};
  }

 private:
  static constexpr std::uint32_t kSlotsPerLook = 256;

  [[nodiscard]] bool is_end(std::uint32_t v) const { return moves_.end[v] != End::none; }

  // Sweeps until little changes: as good a policy as the rationals may begin with.
  bool improve_in_doubles() {
    constexpr int kMostSweeps = 20'000;
    const NumberTable& probabilities = moves_.model.probabilities();
    std::vector<double> value(moves_.slots(), 0);
    for (int sweep = 0; sweep < kMostSweeps; ++sweep) {
      if (limits_.ended()) return false;
      double change = 0;
      for (std::uint32_t v = static_cast<std::uint32_t>(moves_.slots()); v-- > 0;) {
        if (is_end(v)) continue;
        double best = -HUGE_VAL;
        for (std::uint32_t c = graph_.choice_begin[v]; c < graph_.choice_begin[v + 1]; ++c) {
          double sum = rough_paid_[c];
          for (std::uint64_t i = graph_.arc_begin[c]; i < graph_.arc_begin[c + 1]; ++i)
            sum += probabilities.nearest(moves_.probability[i]) * value[graph_.next[i]];
          if (sum <= best) continue;
          best = sum;
          choice_[v] = c;
        }
        change = std::max(change, std::abs(best - value[v]) / (1 + std::abs(best)));
        value[v] = best;
      }
      if (change <= 0x1p-40) break;
    }
    return true;
  }

  // V - sum p V = paid, of the choices taken.
  bool evaluate() {
    const NumberTable& probabilities = moves_.model.probabilities();
    SparseRows<Rational> matrix;
    std::vector<Rational> right(moves_.slots(), 0);
    for (std::uint32_t v = 0; v < moves_.slots(); ++v) {
      matrix.add(v, 1);
      if (!is_end(v)) {
        const std::uint32_t c = choice_[v];
        right[v] = paid_[c];
        for (std::uint64_t i = graph_.arc_begin[c]; i < graph_.arc_begin[c + 1]; ++i)
          matrix.add(graph_.next[i], -probabilities.rational(moves_.probability[i]));
      }
      matrix.close_row_of_sums();
    }
    const RationalSystem system(matrix, limits_);
    if (!system.is_ready()) return false;
    auto found = system.solve(right, limits_);
    if (!found) return false;
    value_ = *std::move(found);
    return true;
  }

  bool improve() {
    const NumberTable& probabilities = moves_.model.probabilities();
    bool any = false;
    for (std::uint32_t v = 0; v < moves_.slots(); ++v) {
      if (v % kSlotsPerLook == 0 && limits_.ended()) return false;
      if (is_end(v)) continue;
      Rational best = value_[v];
      for (std::uint32_t c = graph_.choice_begin[v]; c < graph_.choice_begin[v + 1]; ++c) {
        Rational sum = paid_[c];
        for (std::uint64_t i = graph_.arc_begin[c]; i < graph_.arc_begin[c + 1]; ++i)
          sum += probabilities.rational(moves_.probability[i]) * value_[graph_.next[i]];
        if (sum <= best) continue;
        best = std::move(sum);
        choice_[v] = c;
        any = true;
      }
    }
    return any;
  }

  const Moves& moves_;
  const MoveGraph& graph_;
  const Limits& limits_;
  std::vector<Rational> paid_;  // by choice: sum p r
  std::vector<double> rough_paid_;
  std::vector<std::uint32_t> choice_;  // by slot
  std::vector<Rational> value_;
};

}  // namespace

bool can_miss_goal(const Moves& moves) {
  if (std::ranges::find(moves.end, End::other) != moves.end.end()) return true;
  const std::vector<bool> all(moves.graph.choices(), true);
  const EndComponents components = end_components(moves.graph, all);
  for (std::uint32_t v = 0; v < moves.slots(); ++v)
    if (moves.end[v] == End::none && components.of_node[v] != EndComponents::kNone) return true;
  return false;
}

std::optional<GreatestReward> greatest_reward(const Moves& moves, const Limits& limits) {
  return RewardIteration(moves, limits).run();
}

}  // namespace quantiplan
