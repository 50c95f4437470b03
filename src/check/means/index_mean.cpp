#include "check/means/index_mean.hpp"

#include <algorithm>
#include <vector>

#include "check/common/policy_reach.hpp"
#include "check/finite/index_course.hpp"
#include "check/finite/mixes.hpp"
#include "check/means/potential.hpp"
#include "check/means/priced_mixes.hpp"

namespace quantiplan::checking {
namespace {

constexpr std::uint64_t kMostProductsOfMeans =
    2'000'000'000;                                       // of all times, some nanoseconds each
constexpr std::uint64_t kMostNeedsOfMeans = 50'000'000;  // of two layers

class IndexMean {
 public:
  // The steps before a cut are a problem of their own, at whose end the greatest tail is given and what
  // a state lacks of it paid.
  IndexMean(const CheckCase& task, const EndsPair& ends, const Ends& steps, IndexProblem& problem)
      : task_(task),
        ends_(ends),
        steps_(steps),
        problem_(problem),
        course_(task.policy, problem),
        reach_(task, steps, course_),
        mix_(task.model),
        share_(task.limits) {}

  // In the mean, all prices and what is lacking; nullopt if there are too many needs.
  std::optional<Bounds> paid(const Potential& potential) {
    if (!is_known() || !is_affordable()) return std::nullopt;
    find_tails();
    PriceList<long double> prices(task_.model, Tariff{potential, std::nullopt});
    for (std::uint64_t time = reach_.times(); time-- > 0;) {
      move_to(time);
      prices.move_to(time);
      next_.swap(now_);
      now_.assign(reach_.layer(time).size(), {});
      for (std::size_t i = 0; i < now_.size(); ++i) fill(time, i, prices);
    }
    long double sum = 0;
    for (const auto& [state, mu] : steps_.initial())
      sum += LongMix::share(mu) * now_[place(0, state)].front();
    return sum_of_prices(-sum, steps_.sums() + 2, steps_.most_terms(task_.model));
  }
  // The greatest lower bound of what follows, and how far upper ones lie above theirs.
  [[nodiscard]] const Rational& greatest_tail() const { return greatest_tail_; }
  [[nodiscard]] const Rational& open_tail() const { return open_tail_; }

 private:
  using Met = PolicyReach<IndexCourse>::Met;
  // Needs beyond it have the value of its nearer end.
  struct Span {
    std::int64_t low = 0;
    std::int64_t high = 0;
    [[nodiscard]] bool is_flat() const { return low == high; }
    [[nodiscard]] std::uint64_t size() const {
      return static_cast<std::uint64_t>(high) - static_cast<std::uint64_t>(low) + 1;
    }
  };
  // Where an outcome leads: needs up to `last_upto(x)` to x at most.
  struct Move {
    std::int64_t key;
    std::int64_t delta;
    unsigned shift;
    [[nodiscard]] std::int64_t last_upto(std::int64_t next) const {
      return key + ((next + delta) >> shift);
    }
    [[nodiscard]] std::int64_t next(std::int64_t need) const {
      return (need - key) * (std::int64_t{1} << shift) - delta;
    }
  };

  void find_tails() {
    bool is_first = true;
    for (std::uint64_t time = 0; time < reach_.times(); ++time) {
      for (const Met& met : reach_.layer(time)) {
        task_.limits.require();
        if (!is_over(time, met.state)) continue;
        const Rational& low = ends_.low.tail(met.state);
        if (is_first || low > greatest_tail_) greatest_tail_ = low;
        const Rational open = ends_.high.tail(met.state) - low;
        if (open > open_tail_) open_tail_ = open;
        is_first = false;
      }
    }
  }
  [[nodiscard]] bool is_over(std::uint64_t time, State s) const {
    return time == steps_.horizon() || steps_.is_end(s);
  }
  void move_to(std::uint64_t time) {
    if (time < steps_.horizon()) course_.move_to(time);
  }
  [[nodiscard]] Move move_of(const Outcome& o) const {
    return {problem_.key(o.reward), problem_.delta(), problem_.shift()};
  }
  // In its layer.
  [[nodiscard]] std::size_t place(std::uint64_t time, State s) const {
    return reach_.position(time, s) - reach_.position(time, reach_.layer(time).front().state);
  }
  [[nodiscard]] bool is_known() const {
    if (reach_.lacks_rules() || course_.is_unclear()) return false;
    for (std::uint64_t time = 0; time < reach_.times(); ++time)
      for (const Met& met : reach_.layer(time))
        if (!is_near(met.low) || !is_near(met.high)) return false;
    return true;
  }
  static bool is_near(std::int64_t need) { return need > -kFarNeed && need < kFarNeed; }

  // Finds the spans.
  bool is_affordable() {
    const std::size_t most_outcomes = std::max<std::size_t>(1, task_.model.most_outcomes());
    spans_.resize(reach_.times());
    std::uint64_t last = 0;
    std::uint64_t most = 0;
    std::uint64_t products = 0;
    for (std::uint64_t time = reach_.times(); time-- > 0;) {
      move_to(time);
      std::uint64_t here = 0;
      for (const Met& met : reach_.layer(time)) {
        spans_[time].push_back(span(time, met));
        const std::uint64_t size = spans_[time].back().size();
        if (size > kMostNeedsOfMeans) return false;
        here += size;
        products += size * most_outcomes;
        if (here > kMostNeedsOfMeans || products > kMostProductsOfMeans) return false;
      }
      most = std::max(most, last + here);
      last = here;
    }
    if (most > kMostNeedsOfMeans) return false;
    share_.set(most * sizeof(long double) + reach_.size() * sizeof(Span));
    return true;
  }

  Span span(std::uint64_t time, const Met& met) {
    const Span flat{met.high, met.high};
    if (is_over(time, met.state)) return flat;
    // Both are of the needs that are met: all of them have one value if low is the greatest.
    std::int64_t low = met.high;
    std::int64_t high = met.low;
    std::optional<Choice> first;
    Choice last{};
    course_.for_each_run(
        time, met.state, met.low, met.high, [&](Choice c, std::int64_t from, std::int64_t to) {
          if (!first) low = to;
          if (!first) first = c;
          high = from;
          last = c;
        });
    for_each_open(time, *first, [&](const Move& move, const Span& next) {
      low = std::min(low, move.last_upto(next.low));
    });
    for_each_open(time, last, [&](const Move& move, const Span& next) {
      high = std::max(high, move.last_upto(next.high - 1) + 1);
    });
    low = std::max(low, met.low);
    high = std::min(high, met.high);
    return low < high ? Span{low, high} : flat;
  }
  template <class Visit>
  void for_each_open(std::uint64_t time, Choice c, const Visit& visit) {
    for (const Outcome& o : task_.model.outcomes(c)) {
      task_.limits.require(100);
      const Span& next = spans_[time + 1][place(time + 1, o.next)];
      if (!next.is_flat()) visit(move_of(o), next);
    }
  }

  void fill(std::uint64_t time, std::size_t i, PriceList<long double>& prices) {
    const Met& met = reach_.layer(time)[i];
    const Span& span = spans_[time][i];
    now_[i].assign(span.size(), 0.0L);
    if (is_over(time, met.state)) {
      const Rational lacking = greatest_tail_ - ends_.low.tail(met.state);
      std::ranges::fill(now_[i], to_long_double(lacking));
      return;
    }
    course_.for_each_run(
        time, met.state, span.low, span.high, [&](Choice c, std::int64_t from, std::int64_t to) {
          long double* out = now_[i].data() + (from - span.low);
          const auto size = static_cast<std::size_t>(to - from) + 1;
          for (const Outcome& o : task_.model.outcomes(c)) {
            task_.limits.require(100 + 2 * size);
            const std::size_t next = place(time + 1, o.next);
            add(out, from, size, move_of(o), mix_.weight(o), spans_[time + 1][next], next_[next]);
          }
          const long double price = prices.of(c, to_long_double);
          for (std::size_t k = 0; k < size; ++k) out[k] += price;
        });
  }

  // To the values of the needs from `from` on.
  static void add(long double* out,
                  std::int64_t from,
                  std::size_t size,
                  const Move& move,
                  long double p,
                  const Span& span,
                  const std::vector<long double>& later) {
    const auto upto = [&](std::int64_t need) {
      return static_cast<std::size_t>(
          std::clamp<std::int64_t>(need - from + 1, 0, static_cast<std::int64_t>(size)));
    };
    const std::size_t low = upto(move.last_upto(span.low));
    const std::size_t open = std::max(low, upto(move.last_upto(span.high - 1)));
    std::size_t k = 0;
    for (; k < low; ++k) out[k] += p * later.front();
    if (k < open) {
      const std::size_t stride = std::size_t{1} << move.shift;
      const long double* value =
          later.data() + (move.next(from + static_cast<std::int64_t>(k)) - span.low);
      for (; k + 1 < open; ++k, value += stride) out[k] += p * *value;
      out[k++] += p * *value;
    }
    for (; k < size; ++k) out[k] += p * later.back();
  }

  const CheckCase& task_;
  const EndsPair& ends_;
  const Ends& steps_;
  Rational greatest_tail_ = 0;
  Rational open_tail_ = 0;
  IndexProblem& problem_;
  IndexCourse course_;
  PolicyReach<IndexCourse> reach_;
  LongMix mix_;
  MemoryShare share_;
  std::vector<std::vector<Span>> spans_;  // by time and place in the layer
  std::vector<std::vector<long double>> now_;
  std::vector<std::vector<long double>> next_;
};

}  // namespace

std::optional<Bounds> mean_by_index(const CheckCase& task, const EndsPair& ends) {
  const PolicyGrid& grid = *task.policy.grid;
  const Rational& target = *task.policy.target;
  const ResolvedSetting& setting = ends.low.setting();
  const Ends steps(task.model, setting, Event(setting, Total(target), /*strictly=*/false));
  const auto potential = Potential::make(task.model, steps, false, task.limits);
  auto problem = IndexProblem::make(task.model, steps, {grid, Rounding::down, target}, task.limits);
  if (!potential || !problem) return std::nullopt;
  IndexMean mean(task, ends, steps, *problem);
  const auto paid = mean.paid(*potential);
  if (!paid) return std::nullopt;
  const Rational first = potential->first() + mean.greatest_tail();
  return Bounds{first - paid->high - potential->slack(), first - paid->low + mean.open_tail()};
}

}  // namespace quantiplan::checking
