// Which needs at (time, state) leave the outcome open, and which of these can be met at all.
//
//     A_t(s)  the greatest need that every continuation fulfils       B_t(s)  that some one fulfils
//     A_T = B_T = 0, the same at a terminal s
//     A_t(s) = min over all outcomes of  key + floor((A_{t+1}(s') + delta) / 2^d)     B_t(s) = max
//     .. hull_t(s): the least interval that holds what can be met of (A_t(s), B_t(s)], from the
//     first need
//
// Outside (A, B] the probability is 1 or 0 and nothing is stored. What can be met is bounded by
// intervals, with the choices that `Choices` offers for the needs of each.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "check_clock.hpp"
#include "index_problem.hpp"

namespace quantiplan::checking {

// Needs (above, upto].
struct NeedRange {
  std::int64_t above = 0;
  std::int64_t upto = 0;
  [[nodiscard]] bool empty() const { return upto <= above; }
  [[nodiscard]] std::size_t size() const {
    return empty() ? 0 : static_cast<std::size_t>(upto - above);
  }
  void cover(std::int64_t first, std::int64_t last) {
    if (empty()) {
      *this = {first - 1, last};
    } else {
      above = std::min(above, first - 1);
      upto = std::max(upto, last);
    }
  }
};

struct NeedWindow {
  std::int64_t sure = 0;      // A
  std::int64_t possible = 0;  // B
  NeedRange hull;
};

// Where the needs of a window lead by one outcome: up to `sure` all is won, beyond `open` all is
// lost, between them the need is (j << shift) + offset at the next time.
struct NeedStep {
  std::int64_t sure;
  std::int64_t open;
  std::int64_t key;
  unsigned shift;
  std::int64_t delta;

  NeedStep(IndexProblem& problem, const Outcome& outcome, const NeedWindow& next)
      : key(problem.key(outcome.reward)), shift(problem.shift()), delta(problem.delta()) {
    // An arithmetic shift to the right is the floor.
    sure = key + ((next.sure + delta) >> shift);
    open = key + ((next.possible + delta) >> shift);
  }
  // The greatest need that leads to `next` or less.
  [[nodiscard]] std::int64_t last_upto(std::int64_t next_need) const {
    return key + ((next_need + delta) >> shift);
  }
  // Of a need in (sure, open]; it lies in (next.sure, next.possible] then.
  [[nodiscard]] std::int64_t next(std::int64_t need) const {
    return (need - key) * (std::int64_t{1} << shift) - delta;
  }
};

enum class Extent { fits, too_large, ended };

class IndexWindows {
 public:
  IndexWindows(IndexProblem& problem, CheckClock& clock) : problem_(problem), clock_(clock) {}

  [[nodiscard]] const NeedWindow& at(std::uint64_t time, State s) const {
    return windows_[time * states_ + index(s)];
  }
  template <class Choices>
  [[nodiscard]] Extent find(Choices& choices) {
    const Model& model = problem_.model();
    states_ = model.state_count();
    const std::uint64_t horizon = problem_.horizon();
    windows_.assign((horizon + 1) * states_, {});
    if (!bound()) return Extent::ended;
    NeedWindow& first = windows_[index(problem_.initial())];
    const std::int64_t need = problem_.first();
    if (need > first.sure && need <= first.possible) first.hull.cover(need, need);
    for (std::uint64_t time = 0; time < horizon; ++time) {
      problem_.move_to(time);
      for (std::size_t i = 0; i < states_; ++i) {
        if (clock_.ended()) return Extent::ended;
        const State s{static_cast<std::uint32_t>(i)};
        spread(choices, time, s);
      }
    }
    return Extent::fits;
  }

 private:
  bool bound() {
    const Model& model = problem_.model();
    for (std::uint64_t time = problem_.horizon(); time-- > 0;) {
      problem_.move_to(time);
      for (std::size_t i = 0; i < states_; ++i) {
        if (clock_.ended()) return false;
        const State s{static_cast<std::uint32_t>(i)};
        if (!problem_.is_met(time, s)) continue;
        NeedWindow& window = windows_[time * states_ + i];
        bool is_first = true;
        for (const Choice c : model.choices(s)) {
          for (const Outcome& o : model.outcomes(c)) {
            const NeedStep step(problem_, o, at(time + 1, o.next));
            window.sure = is_first ? step.sure : std::min(window.sure, step.sure);
            window.possible = is_first ? step.open : std::max(window.possible, step.open);
            is_first = false;
          }
        }
      }
    }
    return true;
  }

  template <class Choices>
  void spread(Choices& choices, std::uint64_t time, State s) {
    const NeedRange hull = at(time, s).hull;
    if (hull.empty()) return;
    choices.for_each(problem_, time, s, hull, [&](const NeedRange& range, Choice c) {
      for (const Outcome& o : problem_.model().outcomes(c)) {
        NeedWindow& next = windows_[(time + 1) * states_ + index(o.next)];
        const NeedStep step(problem_, o, next);
        const std::int64_t above = std::max(range.above, step.sure);
        const std::int64_t upto = std::min(range.upto, step.open);
        if (above < upto) next.hull.cover(step.next(above + 1), step.next(upto));
      }
    });
  }

  IndexProblem& problem_;
  CheckClock& clock_;
  std::size_t states_ = 0;
  std::vector<NeedWindow> windows_;
};

}  // namespace quantiplan::checking
