// Which needs at (time, state) leave the outcome open, and which of these can be met at all.
//
//     A_t(s)  the greatest need with which every continuation is within the event
//     B_t(s)  the greatest need with which some one is
//     A_t(s) = min over all outcomes of  key + floor((A_{t+1}(s') + delta) / 2^d)
//     B_t(s) = max ..
//             of an outcome that leads to an end: what it fulfils, and where a miss decides, no
//             need or every need
//     hull_t(s)  the least interval that holds what can be met of (A_t(s), B_t(s)] from the first
//                need on
//
// Outside (A, B] the probability is 1 or 0 and nothing is stored. What can be met is bounded by
// intervals, with the choices that count for the needs of each (index_course.hpp). With misses A or B may
// be nowhere; but where all counted ends are within the event, or none is, one need is as good as
// another for whoever may choose anything: such needs are moved to the next that is not (kept).
#pragma once

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <limits>
#include <optional>
#include <type_traits>
#include <vector>

#include "check/common/check_limits.hpp"
#include "check/finite/index_problem.hpp"

namespace quantiplan::checking {

// Needs (above, upto].
struct NeedRange {
  std::int64_t above = 0;
  std::int64_t upto = 0;
  [[nodiscard]] bool empty() const { return upto <= above; }
  [[nodiscard]] std::size_t size() const {
    // Modulo 2^64, as the difference may not fit 63 bits.
    return empty() ? 0 : static_cast<std::size_t>(upto) - static_cast<std::size_t>(above);
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

inline constexpr std::int64_t kNoNeed = std::numeric_limits<std::int64_t>::min();
inline constexpr std::int64_t kEveryNeed = std::numeric_limits<std::int64_t>::max();

struct NeedWindow {
  std::int64_t sure = 0;      // A
  std::int64_t possible = 0;  // B
  // The same of counted ends only; the other way round if there are none.
  std::int64_t counted_sure = kEveryNeed;
  std::int64_t counted_possible = kNoNeed;
  // Needs that are kept apart.
  std::int64_t low = -kFarNeed;
  std::int64_t high = kFarNeed;
  NeedRange hull;

  void keep_counted() {
    const bool some = counted_sure <= counted_possible;
    low = some ? counted_sure : 0;
    high = some ? counted_possible + 1 : 0;
  }
};

// Of what an end or a cut is worth, and the greatest need that is enough there. Needs between A and
// B are worth `out`, or `in`.
inline NeedWindow end_window(const EndValue& value, Event::Numbers numbers, std::int64_t enough) {
  NeedWindow window;
  if (numbers == Event::Numbers::compared && value.in != value.out)
    window.counted_sure = window.counted_possible = enough;
  if (numbers == Event::Numbers::all) enough = kEveryNeed;
  if (numbers == Event::Numbers::none) enough = kNoNeed;
  window.sure = value.out == 1 ? kEveryNeed : value.in == 1 ? enough : kNoNeed;
  window.possible = value.in == 0 ? kNoNeed : value.out == 0 ? enough : kEveryNeed;
  return window;
}

// Where the needs of a window lead by one outcome: up to `sure` all is won, beyond `open` all is
// lost. Between them the need is (j << shift) + offset at the next time, unless that was the last
// reward.
struct NeedStep {
  std::int64_t key;
  unsigned shift;
  std::int64_t delta;
  std::int64_t low;  // kept at the next time
  std::int64_t high;
  bool is_last;
  std::int64_t sure;
  std::int64_t open;
  std::int64_t counted_sure;
  std::int64_t counted_possible;

  NeedStep(IndexProblem& problem, const Outcome& outcome, const NeedWindow& next)
      : key(problem.key(outcome.reward)),
        shift(problem.shift()),
        delta(problem.delta()),
        low(next.low),
        high(next.high),
        is_last(problem.is_last(outcome)) {
    const Ends& ends = problem.ends();
    const NeedWindow window =
        is_last
            ? end_window(ends.value(outcome.next), ends.event().numbers(), problem.enough(outcome))
            : next;
    sure = is_last ? window.sure : last_upto(window.sure);
    open = is_last ? window.possible : last_upto(window.possible);
    counted_sure = is_last ? window.counted_sure : last_upto(window.counted_sure);
    counted_possible = is_last ? window.counted_possible : last_upto(window.counted_possible);
  }
  // The greatest need that leads to `next` or less. An arithmetic shift to the right is the floor.
  [[nodiscard]] std::int64_t last_upto(std::int64_t next_need) const {
    if (next_need == kNoNeed || next_need == kEveryNeed) return next_need;
    return key + ((next_need + delta) >> shift);
  }
  // Of a need in (sure, open]; it lies in (next.sure, next.possible] then.
  [[nodiscard]] std::int64_t next(std::int64_t need) const {
    const std::int64_t left = need - key;
    if (left > kFarNeed >> shift) return high;
    if (left < -(kFarNeed >> shift)) return low;
    return std::clamp(left * (std::int64_t{1} << shift) - delta, low, high);
  }
  // Needs up to the first lead to the lowest that is kept, beyond the second to the highest.
  [[nodiscard]] std::int64_t last_low() const { return last_upto(low - 1); }
  [[nodiscard]] std::int64_t last_below_high() const { return last_upto(high); }
};

enum class Extent { fits, too_large, ended };

class AllChoices;  // index_course.hpp

class IndexWindows {
 public:
  IndexWindows(IndexProblem& problem, CheckLimits& limits)
      : problem_(problem), limits_(limits), share_(limits) {}

  [[nodiscard]] const NeedWindow& at(std::uint64_t time, State s) const {
    return windows_[time * states_ + index(s)];
  }
  // At the start, from an initial state: whether the need is fulfilled, if that is decided.
  [[nodiscard]] std::optional<bool> decided_from(State s) const {
    const NeedWindow& first = at(0, s);
    if (problem_.first() <= first.sure) return true;
    return problem_.first() > first.possible ? std::optional<bool>(false) : std::nullopt;
  }
  // The same before the state is drawn.
  [[nodiscard]] std::optional<bool> decided_at_start() const {
    const auto first = decided_from(problem_.initial()[0].state);
    for (const State s : problem_.initial().states())
      if (decided_from(s) != first) return std::nullopt;
    return first;
  }
  [[nodiscard]] bool is_open_at_start() const {
    return std::ranges::any_of(problem_.initial().states(),
                               [&](State s) { return !decided_from(s); });
  }
  template <class Choices>
  [[nodiscard]] Extent find(Choices& choices) {
    const Model& model = problem_.model();
    states_ = model.state_count();
    const std::uint64_t horizon = problem_.horizon();
    share_.set((horizon + 1) * states_ * sizeof(NeedWindow));
    windows_.assign((horizon + 1) * states_, {});
    if (!bound()) return Extent::ended;
    if (std::is_same_v<Choices, AllChoices>)
      for (NeedWindow& window : windows_) window.keep_counted();
    for (const State s : problem_.initial().states()) {
      NeedWindow& first = windows_[index(s)];
      const std::int64_t need = std::clamp(problem_.first(), first.low, first.high);
      if (need > first.sure && need <= first.possible) first.hull.cover(need, need);
    }
    for (std::uint64_t time = 0; time < horizon; ++time) {
      problem_.move_to(time);
      for (std::size_t i = 0; i < states_; ++i) {
        if (limits_.ended(20)) return Extent::ended;
        const State s{static_cast<std::uint32_t>(i)};
        spread(choices, time, s);
      }
    }
    return Extent::fits;
  }

 private:
  bool bound() {
    const Model& model = problem_.model();
    const Ends& ends = problem_.ends();
    for (std::uint64_t time = problem_.horizon(); time-- > 0;) {
      problem_.move_to(time);
      for (std::size_t i = 0; i < states_; ++i) {
        if (limits_.ended(20)) return false;
        const State s{static_cast<std::uint32_t>(i)};
        if (!problem_.is_met(time, s)) continue;
        NeedWindow& window = windows_[time * states_ + i];
        if (ends.is_end(s)) {
          window = end_window(ends.value(s), ends.event().numbers(), 0);
          continue;
        }
        window.sure = kEveryNeed;
        window.possible = kNoNeed;
        for (const Choice c : model.choices(s)) {
          for (const Outcome& o : model.outcomes(c)) {
            limits_.require(100);
            const NeedStep step(problem_, o, at(time + 1, o.next));
            window.sure = std::min(window.sure, step.sure);
            window.possible = std::max(window.possible, step.open);
            window.counted_sure = std::min(window.counted_sure, step.counted_sure);
            window.counted_possible = std::max(window.counted_possible, step.counted_possible);
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
    const auto lead = [&](Choice c, std::int64_t first, std::int64_t last) {
      for (const Outcome& o : problem_.model().outcomes(c)) {
        limits_.require(100);
        NeedWindow& next = windows_[(time + 1) * states_ + index(o.next)];
        const NeedStep step(problem_, o, next);
        if (step.is_last) continue;
        const std::int64_t above = std::max(first - 1, step.sure);
        const std::int64_t upto = std::min(last, step.open);
        if (above < upto) next.hull.cover(step.next(above + 1), step.next(upto));
      }
    };
    choices.for_each_run(time, s, hull.above + 1, hull.upto, lead);
  }

  IndexProblem& problem_;
  CheckLimits& limits_;
  MemoryShare share_;
  std::size_t states_ = 0;
  std::vector<NeedWindow> windows_;
};

}  // namespace quantiplan::checking
