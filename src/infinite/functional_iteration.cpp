#include "infinite/functional_iteration.hpp"

#include <algorithm>
#include <cmath>

namespace quantiplan {
namespace {

// A miss that is the best of all counts for every y, whatever was collected before it.
constexpr std::int64_t kEvery = std::int64_t{1} << 61;

// Non-increasing, left-continuous: value of the first step with y <= upto, 0 above the last.
struct Steps {
  std::vector<std::int64_t> upto;
  std::vector<double> value;

  [[nodiscard]] double at(std::int64_t y) const {
    const auto found = std::ranges::lower_bound(upto, y);
    return found == upto.end() ? 0 : value[static_cast<std::size_t>(found - upto.begin())];
  }
};

class Iteration {
 public:
  Iteration(const Moves& moves, const Weights& weights, const Event& event, const Limits& limits)
      : moves_(moves), weights_(weights), event_(event), limits_(limits), now_(moves.slots()) {
    for (std::uint32_t v = 0; v < moves.slots(); ++v) now_[v] = at_end(v);
  }

  [[nodiscard]] const Steps& start() const { return now_[0]; }

  // The greatest change; means nothing if the limits ended it.
  double step() {
    std::vector<Steps> next(now_.size());
    double change = 0;
    for (std::uint32_t v = 0; v < now_.size() && !limits_.ended(); ++v) {
      next[v] = moves_.end[v] == End::none ? backed_up(v) : now_[v];
      change = std::max(change, difference(now_[v], next[v]));
    }
    now_ = std::move(next);
    return change;
  }

  [[nodiscard]] std::uint64_t bytes() const {
    std::uint64_t sum = 0;
    for (const Steps& steps : now_) sum += 16 * steps.upto.size();
    return sum;
  }

 private:
  // W = 0 where an episode ends. A miss counts for every y, or for none.
  [[nodiscard]] Steps at_end(std::uint32_t v) const {
    const bool is_miss = event_.miss != Miss::none && moves_.end[v] != End::goal;
    if (is_miss && event_.miss == Miss::worst) return {};
    return {{is_miss ? kEvery : 0}, {1.0}};
  }

  [[nodiscard]] std::int64_t reward(std::uint64_t arc) const {
    const auto size = static_cast<std::int64_t>(weights_.distinct[weights_.of_arc[arc]]);
    return event_.gains ? size : -size;
  }

  [[nodiscard]] std::int64_t after(std::int64_t y, std::uint64_t arc) const {
    return y == kEvery ? y : y - reward(arc);
  }
  [[nodiscard]] std::int64_t before(std::int64_t y, std::uint64_t arc) const {
    return y == kEvery ? y : y + reward(arc);
  }

  [[nodiscard]] Steps backed_up(std::uint32_t v) const {
    const MoveGraph& graph = moves_.graph;
    Steps out;
    for (std::uint64_t i = graph.arc_begin[graph.choice_begin[v]];
         i < graph.arc_begin[graph.choice_begin[v + 1]];
         ++i) {
      for (const std::int64_t y : now_[graph.next[i]].upto) out.upto.push_back(before(y, i));
    }
    std::ranges::sort(out.upto);
    out.upto.erase(std::unique(out.upto.begin(), out.upto.end()), out.upto.end());
    out.value.assign(out.upto.size(), 0);
    for (std::uint32_t c = graph.choice_begin[v]; c < graph.choice_begin[v + 1]; ++c) {
      for (std::size_t k = 0; k < out.upto.size(); ++k) {
        if (k % 1024 == 0 && limits_.ended()) return out;
        double sum = 0;
        for (std::uint64_t i = graph.arc_begin[c]; i < graph.arc_begin[c + 1]; ++i) {
          sum += moves_.model.probabilities().nearest(moves_.probability[i]) *
                 now_[graph.next[i]].at(after(out.upto[k], i));
        }
        out.value[k] = std::max(out.value[k], sum);
      }
    }
    return out;
  }

  static double difference(const Steps& a, const Steps& b) {
    double most = 0;
    for (const std::int64_t y : a.upto) most = std::max(most, std::abs(a.at(y) - b.at(y)));
    for (const std::int64_t y : b.upto) most = std::max(most, std::abs(a.at(y) - b.at(y)));
    return most;
  }

  const Moves& moves_;
  const Weights& weights_;
  const Event& event_;
  const Limits& limits_;
  std::vector<Steps> now_;
};

}  // namespace

std::optional<FunctionalIteration> iterate_functions(
    const Moves& moves, const Weights& weights, const Event& event, double change, Limits& limits) {
  Iteration iteration(moves, weights, event, limits);
  FunctionalIteration out;
  for (double changed = HUGE_VAL; changed > change;) {
    const std::uint64_t before = iteration.bytes();
    changed = iteration.step();
    if (limits.ended()) return std::nullopt;
    ++out.iterations;
    const std::uint64_t after = iteration.bytes();
    if (after > before) limits.take(after - before, "the functions of the paper's iteration");
    const auto done = static_cast<double>(out.iterations);
    limits.report("functional value iteration", done / (done + 1000));
  }
  out.upto = iteration.start().upto;
  out.value = iteration.start().value;
  return out;
}

}  // namespace quantiplan
