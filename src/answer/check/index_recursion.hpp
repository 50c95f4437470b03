// The probability of fulfilling the need, backward over the windows: of a policy, or of the best.
//
//     V_t(s, j) = 1 for j <= A_t(s), 0 for j > B_t(s), else over the choices c that count for j
//     V_t(s, j) = max_c  sum over outcomes of  p * V_{t+1}( s', (j - key) * 2^d - delta )
//
// `Mix` says how outcomes are put together: as probabilities in long doubles, whose error is
// bounded afterwards, in rationals, or as mere facts (possible, certain), which no rounding
// touches. Two layers of time are kept. Cost: one multiplication for each outcome of each need in a
// hull.
#pragma once

#include <algorithm>
#include <optional>
#include <vector>

#include "index_windows.hpp"

namespace quantiplan::checking {

template <class Choices, class Mix>
class IndexRecursion {
 public:
  using Value = typename Mix::Value;

  IndexRecursion(IndexProblem& problem,
                 const IndexWindows& windows,
                 Choices& choices,
                 Mix mix,
                 CheckClock& clock)
      : problem_(problem),
        windows_(windows),
        choices_(choices),
        mix_(std::move(mix)),
        clock_(clock) {}

  // V_0(s0, j_0), for a first need inside its window; nullopt if time is up.
  std::optional<Value> run() {
    const std::size_t states = problem_.model().state_count();
    now_.resize(states);
    next_.resize(states);
    for (std::uint64_t time = problem_.horizon(); time-- > 0;) {
      problem_.move_to(time);
      now_.swap(next_);
      for (std::size_t i = 0; i < states; ++i) {
        if (clock_.ended()) return std::nullopt;
        compute(time, State{static_cast<std::uint32_t>(i)});
      }
    }
    return now_[index(problem_.initial())].front();
  }

 private:
  void compute(std::uint64_t time, State s) {
    const NeedRange hull = windows_.at(time, s).hull;
    std::vector<Value>& values = now_[index(s)];
    values.assign(hull.size(), mix_.zero());
    if (hull.empty()) return;
    choices_.for_each(problem_, time, s, hull, [&](const NeedRange& range, Choice c) {
      mixture(time, range, c);
      for (std::size_t k = 0; k < range.size(); ++k) {
        Value& best = values[static_cast<std::size_t>(range.above - hull.above) + k];
        if (best < sum_[k]) best = sum_[k];
      }
    });
  }

  // sum_[k] becomes the value of the choice at the need range.above + 1 + k.
  void mixture(std::uint64_t time, const NeedRange& range, Choice c) {
    sum_.assign(range.size(), mix_.start());
    for (const Outcome& o : problem_.model().outcomes(c)) {
      const NeedWindow& next = windows_.at(time + 1, o.next);
      const NeedStep step(problem_, o, next);
      const auto p = mix_.weight(o);
      const std::int64_t won = std::clamp(step.sure, range.above, range.upto);
      const std::int64_t open = std::clamp(step.open, won, range.upto);
      std::int64_t need = range.above;
      std::size_t k = 0;
      for (; need < won; ++need, ++k) mix_.add(sum_[k], p, mix_.one());
      if (need < open) {
        const std::vector<Value>& after = next_[index(o.next)];
        std::size_t place = static_cast<std::size_t>(step.next(need + 1) - next.hull.above - 1);
        const std::size_t stride = std::size_t{1} << step.shift;
        for (; need < open; ++need, ++k, place += stride) mix_.add(sum_[k], p, after[place]);
      }
      if constexpr (Mix::kZeroMatters)
        for (; need < range.upto; ++need, ++k) mix_.add(sum_[k], p, mix_.zero());
    }
  }

  IndexProblem& problem_;
  const IndexWindows& windows_;
  Choices& choices_;
  Mix mix_;
  CheckClock& clock_;
  std::vector<std::vector<Value>> now_;
  std::vector<std::vector<Value>> next_;
  std::vector<Value> sum_;
};

}  // namespace quantiplan::checking
