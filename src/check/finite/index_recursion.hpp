// The probability of fulfilling the need, backward over the windows: of a policy, or of the best.
//
//     V_t(s, j) = 1 for j <= A_t(s), 0 for j > B_t(s), else over the choices c that count for j
//     V_t(s, j) = max_c  sum over outcomes of  p * V_{t+1}( s', (j - key) * 2^d - delta )
//     in place of V_{t+1}, after the last reward: what the end is worth
//
// `Mix` says how outcomes are put together: as probabilities in long doubles, whose error is
// bounded afterwards, in rationals, or as mere facts (possible, certain), which no rounding
// touches; and what a choice costs, where it costs anything (priced_mixes.hpp). Two layers of time are kept. Cost: one multiplication for each outcome of each need, or
// of each step where steps are few, in a hull.
#pragma once

#include <algorithm>
#include <functional>
#include <type_traits>
#include <utility>
#include <vector>

#include "check/finite/index_windows.hpp"
#include "check/finite/need_function.hpp"

namespace quantiplan::checking {

struct RecursionLimits {
  std::uint64_t most_products = 0;
  std::uint64_t most_values = 0;  // of one layer
};

template <class Choices, class Mix>
class IndexRecursion {
 public:
  using Value = typename Mix::Value;

  IndexRecursion(IndexProblem& problem,
                 const IndexWindows& windows,
                 Choices& choices,
                 Mix mix,
                 RecursionLimits most,
                 CheckLimits& limits)
      : problem_(problem),
        windows_(windows),
        choices_(choices),
        mix_(std::move(mix)),
        most_(most),
        limits_(limits),
        share_(limits) {}

  // V_0(s0, j_0), or the sum of mu(s) V_0(s, j_0), into `value`.
  Extent run(Value& value) {
    const std::size_t states = problem_.model().state_count();
    now_.resize(states);
    next_.resize(states);
    for (std::uint64_t time = problem_.horizon(); time-- > 0;) {
      problem_.move_to(time);
      mix_.move_to(time);
      now_.swap(next_);
      std::uint64_t values = 0;
      count_memory();
      for (std::size_t i = 0; i < states; ++i) {
        if (limits_.ended(100)) return Extent::ended;
        if (!compute(time, State{static_cast<std::uint32_t>(i)})) return Extent::too_large;
        values += now_[i].size();
      }
      places_ += values;
      if (values > most_.most_values) return Extent::too_large;
    }
    value = drawn();
    return Extent::fits;
  }
  // Values, and the products they took.
  [[nodiscard]] std::uint64_t places() const { return places_; }
  [[nodiscard]] std::uint64_t products() const { return products_; }

 private:
  using Function = NeedFunction<Value>;

  Value drawn() {
    Value sum = mix_.start();
    for (const auto& [state, mu] : problem_.initial()) {
      const auto known = windows_.decided_from(state);
      const Value value = !known   ? now_[index(state)].values.front()
                          : *known ? mix_.one()
                                   : mix_.zero();
      if (mu == 1) return value;
      if (!known || *known || Mix::kZeroMatters) mix_.add(sum, mix_.share(mu), value);
    }
    return sum;
  }

  static constexpr std::uint64_t kProduct = std::is_same_v<Value, Rational> ? 1000 : 3;

  // What both layers hold; a layer in the making adds to it.
  void count_memory() {
    std::uint64_t bytes = 0;
    for (const std::vector<Function>* layer : {&now_, &next_})
      for (const Function& f : *layer)
        bytes += sizeof(f) + f.values.capacity() * sizeof(Value) +
                 f.ends.capacity() * sizeof(std::int64_t);
    share_.set(bytes);
  }

  template <class Visit>
  void for_each_range(std::uint64_t time, State s, const NeedRange& hull, const Visit& visit) {
    choices_.for_each_run(
        time, s, hull.above + 1, hull.upto, [&](Choice c, std::int64_t first, std::int64_t last) {
          visit(NeedRange{first - 1, last}, c);
        });
  }

  // False if it would take too much.
  bool compute(std::uint64_t time, State s) {
    Function& function = now_[index(s)];
    function.clear(windows_.at(time, s).hull);
    if (function.hull.empty()) return true;
    if (!lay_out(time, s, function)) return false;
    function.values.assign(function.is_array ? function.hull.size() : function.ends.size(),
                           mix_.zero());
    for_each_range(time, s, function.hull, [&](const NeedRange& range, Choice c) {
      // Ends of ranges are ends of steps.
      const std::size_t first = first_beyond(function, range.above);
      const std::size_t last = first_beyond(function, range.upto);
      mixture(time, function, first, last, c);
      for (std::size_t k = first; k < last; ++k)
        if (function.values[k] < sum_[k - first]) function.values[k] = sum_[k - first];
    });
    function.join();
    return products_ <= most_.most_products;
  }

  // The first value whose end lies beyond a need.
  static std::size_t first_beyond(const Function& function, std::int64_t need) {
    if (function.is_array) return static_cast<std::size_t>(need - function.hull.above);
    return static_cast<std::size_t>(
        std::upper_bound(function.ends.begin(), function.ends.end(), need) - function.ends.begin());
  }

  // An array if it is hardly longer than the list of steps.
  bool lay_out(std::uint64_t time, State s, Function& function) {
    std::uint64_t steps = 1;
    const NeedRange& hull = function.hull;
    for_each_range(time, s, hull, [&](const NeedRange&, Choice c) {
      for (const Outcome& o : problem_.model().outcomes(c))
        steps += (problem_.is_last(o) ? 0 : next_[index(o.next)].size()) + 2;
    });
    if (hull.size() <= 2 * steps) {
      if (hull.size() > most_.most_values) return false;
      share_.add(2 * hull.size() * sizeof(Value));
      return true;
    }
    if (steps > 4 * most_.most_values) return false;
    function.is_array = false;
    share_.add(2 * steps * (sizeof(Value) + sizeof(std::int64_t)));
    std::vector<std::int64_t>& ends = function.ends;
    const auto add = [&](const NeedRange& range, std::int64_t need) {
      if (need > range.above && need < range.upto) ends.push_back(need);
    };
    for_each_range(time, s, hull, [&](const NeedRange& range, Choice c) {
      ends.push_back(range.upto);
      if (range.above > hull.above) ends.push_back(range.above);
      for (const Outcome& o : problem_.model().outcomes(c)) {
        const NeedStep step(problem_, o, windows_.at(time + 1, o.next));
        add(range, step.sure);
        add(range, step.open);
        if (step.is_last) continue;
        const Function& after = next_[index(o.next)];
        for (std::size_t k = 0; k < after.size(); ++k) add(range, step.last_upto(after.end(k)));
      }
      if (ends.size() > 4 * steps) sort_ends(ends);
    });
    ends.push_back(hull.upto);
    products_ += 4 * ends.size();  // sorting takes its time, too
    sort_ends(ends);
    return products_ <= most_.most_products;
  }

  void sort_ends(std::vector<std::int64_t>& ends) {
    std::sort(ends.begin(), ends.end(), watched(limits_, std::less<>()));
    ends.erase(std::unique(ends.begin(), ends.end()), ends.end());
  }

  // sum_[k - first] becomes the value of the choice on step k of the function, first <= k < last.
  void mixture(
      std::uint64_t time, const Function& function, std::size_t first, std::size_t last, Choice c) {
    sum_.assign(last - first, mix_.start());
    for (const Outcome& o : problem_.model().outcomes(c)) {
      products_ += last - first;
      limits_.require(kProduct * (last - first) + 20);
      const NeedStep step(problem_, o, windows_.at(time + 1, o.next));
      const Function& after = next_[index(o.next)];
      const auto p = mix_.weight(o);
      const std::size_t won = std::clamp(first_beyond_clamped(function, step.sure), first, last);
      const std::size_t open = std::clamp(first_beyond_clamped(function, step.open), won, last);
      std::size_t k = first;
      for (; k < won; ++k) mix_.add(sum_[k - first], p, mix_.one());
      if (step.is_last) {
        const EndValue& end = problem_.ends().value(o.next);
        const Value between = mix_.constant(end.in == 1 ? end.out : end.in);
        for (; k < open; ++k) mix_.add(sum_[k - first], p, between);
      }
      if (function.is_array && after.is_array && k < open)
        k = add_array(function, after, step, p, first, k, open);
      for (std::size_t place = 0; k < open; ++k) {
        place = after.find(step.next(function.end(k)), place);
        mix_.add(sum_[k - first], p, after.values[place]);
      }
      if constexpr (Mix::kZeroMatters)
        for (; k < last; ++k) mix_.add(sum_[k - first], p, mix_.zero());
    }
    if constexpr (Mix::kCharges)
      for (Value& sum : sum_) mix_.charge(sum, c);
  }

  static std::size_t first_beyond_clamped(const Function& function, std::int64_t need) {
    return first_beyond(function, std::clamp(need, function.hull.above, function.hull.upto));
  }

  // The loop that takes the time: no search, a constant stride. Needs that are moved to the lowest
  // or the highest that is kept come before and after it. Where it ended is returned.
  template <class Weight>
  std::size_t add_array(const Function& function,
                        const Function& after,
                        const NeedStep& step,
                        const Weight& p,
                        std::size_t first,
                        std::size_t begin,
                        std::size_t end) {
    const std::size_t apart =
        std::clamp(first_beyond_clamped(function, step.last_low()), begin, end);
    const std::size_t high =
        std::clamp(first_beyond_clamped(function, step.last_below_high()), apart, end);
    const auto add_constant = [&](std::size_t from, std::size_t to) {
      if (from == to) return;
      const Value& value = after.values[after.find(step.next(function.end(from)), 0)];
      for (std::size_t k = from; k < to; ++k) mix_.add(sum_[k - first], p, value);
    };
    add_constant(begin, apart);
    if (apart < high) {
      std::size_t place = after.find(step.next(function.end(apart)), 0);
      const std::size_t stride = std::size_t{1} << step.shift;
      for (std::size_t k = apart; k < high; ++k, place += stride)
        mix_.add(sum_[k - first], p, after.values[place]);
    }
    add_constant(high, end);
    return end;
  }

  IndexProblem& problem_;
  const IndexWindows& windows_;
  Choices& choices_;
  Mix mix_;
  RecursionLimits most_;
  CheckLimits& limits_;
  MemoryShare share_;
  std::vector<Function> now_;
  std::vector<Function> next_;
  std::vector<Value> sum_;
  std::uint64_t places_ = 0;
  std::uint64_t products_ = 0;
};

}  // namespace quantiplan::checking
