// The probability of fulfilling the need, backward over the windows: of a policy, or of the best.
//
//     V_t(s, j) = 1 for j <= A_t(s), 0 for j > B_t(s), else over the choices c that count for j
//     V_t(s, j) = max_c  sum over outcomes of  p * V_{t+1}( s', (j - key) * 2^d - delta )
//     in place of V_{t+1}, after the last reward: what the end is worth
//
// `Mix` says how outcomes are put together: as probabilities in long doubles, whose error is
// bounded afterwards, in rationals, or as mere facts (possible, certain), which no rounding
// touches; and what a choice costs, where it costs anything (priced_mixes.hpp). Two layers of time
// are kept: each is laid out by one thread, state by state, and then filled in by all, which makes no
// difference to any number. Cost: one multiplication for each outcome of each need, or of each step
// where steps are few, in a hull.
#pragma once

#include <algorithm>
#include <functional>
#include <type_traits>
#include <utility>
#include <vector>

#include "base/parallel.hpp"
#include "check/finite/index_windows.hpp"
#include "check/finite/mixes.hpp"
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
    ranges_.resize(states);
    for (std::uint64_t time = problem_.horizon(); time-- > 0;) {
      problem_.move_to(time);
      mix_.move_to(time);
      now_.swap(next_);
      std::uint64_t values = 0;
      count_memory();
      const std::uint64_t before = products_;
      for (std::size_t i = 0; i < states; ++i) {
        if (limits_.ended(100)) return Extent::ended;
        if (!prepare(time, State{static_cast<std::uint32_t>(i)})) return Extent::too_large;
      }
      fill(time, products_ - before);
      for (const Function& function : now_) values += function.size();
      places_ += values;
      if (values > most_.most_values) return Extent::too_large;
      limits_.report("check",
                     1 - static_cast<double>(time) / static_cast<double>(problem_.horizon()));
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
      Value value = !known ? now_[index(state)].values.front() : *known ? mix_.one() : mix_.zero();
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

  struct ChoiceRange {
    NeedRange needs;
    Choice choice;
  };

  // Lays out a function, and whatever it is filled in from. False if it would take too much.
  bool prepare(std::uint64_t time, State s) {
    Function& function = now_[index(s)];
    std::vector<ChoiceRange>& ranges = ranges_[index(s)];
    function.clear(windows_.at(time, s).hull);
    ranges.clear();
    if (function.hull.empty()) return true;
    for_each_range(time, s, function.hull, [&](const NeedRange& range, Choice c) {
      ranges.push_back({range, c});
    });
    if (!lay_out(time, ranges, function)) return false;
    function.values.assign(function.is_array ? function.hull.size() : function.ends.size(),
                           mix_.zero());
    for (const auto& [range, c] : ranges) {
      const std::size_t size =
          first_beyond(function, range.upto) - first_beyond(function, range.above);
      // Keys and weights are found once, by this thread.
      for (const Outcome& o : problem_.model().outcomes(c)) {
        limits_.require(20);
        (void)NeedStep(problem_, o, windows_.at(time + 1, o.next));
        (void)mix_.weight(o);
        products_ += size;
      }
    }
    return products_ <= most_.most_products;
  }

  void fill(std::uint64_t time, std::uint64_t products) {
    constexpr std::uint64_t kWorthThreads = 1'000'000;
    const unsigned threads =
        Mix::kCharges || kProduct * products < kWorthThreads ? 1 : limits_.threads();
    const std::size_t states = now_.size();
    std::vector<std::vector<Value>> sums(threads);
    parallel_for(threads,
                 states,
                 1 + states / 64 / threads,
                 [&](unsigned worker, std::size_t from, std::size_t to) {
                   for (std::size_t i = from; i < to; ++i)
                     compute(time, now_[i], ranges_[i], sums[worker]);
                 });
  }

  void compute(std::uint64_t time,
               Function& function,
               const std::vector<ChoiceRange>& ranges,
               std::vector<Value>& sum) {
    // As many as a fast cache holds, and looked at the clock after.
    constexpr std::size_t kTile = std::is_same_v<Value, Rational> ? 64 : 2048;
    constexpr std::uint64_t kBetweenLooks = 1'000'000;
    std::uint64_t work = 0;
    for (const auto& [range, c] : ranges) {
      // Ends of ranges are ends of steps.
      const std::size_t last = first_beyond(function, range.upto);
      for (std::size_t first = first_beyond(function, range.above); first < last;) {
        const std::size_t end = std::min(last, first + kTile);
        sum.assign(end - first, mix_.start());
        mixture(time, function, first, end, c, sum.data());
        Value* best = function.values.data() + first;
        for (std::size_t k = 0; k < end - first; ++k)
          if (best[k] < sum[k]) best[k] = sum[k];
        work += 100 + kProduct * (end - first) * problem_.model().outcomes(c).size();
        first = end;
        if (work < kBetweenLooks) continue;
        work = 0;
        limits_.require_now();
      }
    }
    function.join();
  }

  // The first value whose end lies beyond a need.
  static std::size_t first_beyond(const Function& function, std::int64_t need) {
    if (function.is_array) return static_cast<std::size_t>(need - function.hull.above);
    return static_cast<std::size_t>(
        std::upper_bound(function.ends.begin(), function.ends.end(), need) - function.ends.begin());
  }

  // An array if it is hardly longer than the list of steps.
  bool lay_out(std::uint64_t time, const std::vector<ChoiceRange>& ranges, Function& function) {
    std::uint64_t steps = 1;
    const NeedRange& hull = function.hull;
    for (const auto& [range, c] : ranges)
      for (const Outcome& o : problem_.model().outcomes(c))
        steps += (problem_.is_last(o) ? 0 : next_[index(o.next)].size()) + 2;
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
    for (const auto& [range, c] : ranges) {
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
    }
    ends.push_back(hull.upto);
    products_ += 4 * ends.size();  // sorting takes its time, too
    sort_ends(ends);
    return products_ <= most_.most_products;
  }

  void sort_ends(std::vector<std::int64_t>& ends) {
    std::sort(ends.begin(), ends.end(), watched(limits_, std::less<>()));
    ends.erase(std::unique(ends.begin(), ends.end()), ends.end());
  }

  // sum[k - first] becomes the value of the choice on step k of the function, first <= k < last.
  void mixture(std::uint64_t time,
               const Function& function,
               std::size_t first,
               std::size_t last,
               Choice c,
               Value* sum) {
    for (const Outcome& o : problem_.model().outcomes(c)) {
      const NeedStep step(problem_, o, windows_.at(time + 1, o.next));
      const Function& after = next_[index(o.next)];
      const auto p = mix_.weight(o);
      const std::size_t won = std::clamp(first_beyond_clamped(function, step.sure), first, last);
      const std::size_t open = std::clamp(first_beyond_clamped(function, step.open), won, last);
      std::size_t k = first;
      for (; k < won; ++k) mix_.add(sum[k - first], p, mix_.one());
      if (step.is_last) {
        const EndValue& end = problem_.ends().value(o.next);
        const Value between = mix_.constant(end.in == 1 ? end.out : end.in);
        for (; k < open; ++k) mix_.add(sum[k - first], p, between);
      }
      if (function.is_array && after.is_array && k < open)
        k = add_array(function, after, step, p, sum - first, k, open);
      for (std::size_t place = 0; k < open; ++k) {
        place = after.find(step.next(function.end(k)), place);
        mix_.add(sum[k - first], p, after.values[place]);
      }
      if constexpr (Mix::kZeroMatters)
        for (; k < last; ++k) mix_.add(sum[k - first], p, mix_.zero());
    }
    if constexpr (Mix::kCharges)
      for (std::size_t k = 0; k < last - first; ++k) mix_.charge(sum[k], c);
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
                        const Weight p,
                        Value* sum,
                        std::size_t begin,
                        std::size_t end) {
    const std::size_t apart =
        std::clamp(first_beyond_clamped(function, step.last_low()), begin, end);
    const std::size_t high =
        std::clamp(first_beyond_clamped(function, step.last_below_high()), apart, end);
    const auto add_constant = [&](std::size_t from, std::size_t to) {
      if (from == to) return;
      const Value& value = after.values[after.find(step.next(function.end(from)), 0)];
      for (std::size_t k = from; k < to; ++k) mix_.add(sum[k], p, value);
    };
    add_constant(begin, apart);
    if (apart < high) {
      const std::size_t place = after.find(step.next(function.end(apart)), 0);
      const std::size_t stride = std::size_t{1} << step.shift;
      const Value* values = after.values.data() + place;
      if (stride == 1) {
        if constexpr (std::is_same_v<Mix, DoubleMix>)
          add_scaled(sum + apart, p, values, high - apart);
        else
          for (std::size_t k = 0; k < high - apart; ++k) mix_.add(sum[apart + k], p, values[k]);
      } else {
        for (std::size_t k = apart; k < high; ++k, values += stride) mix_.add(sum[k], p, *values);
      }
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
  std::vector<std::vector<ChoiceRange>> ranges_;  // by state, of the time that is being filled in
  std::uint64_t places_ = 0;
  std::uint64_t products_ = 0;
};

}  // namespace quantiplan::checking
