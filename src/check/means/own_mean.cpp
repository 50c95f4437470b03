#include "check/means/own_mean.hpp"

#include <cmath>
#include <map>
#include <optional>
#include <vector>

#include "check/common/policy_reach.hpp"
#include "check/common/probabilities.hpp"
#include "check/common/wealth_ledger.hpp"
#include "check/finite/forward_pass.hpp"
#include "check/finite/index_course.hpp"
#include "check/finite/index_recursion.hpp"
#include "check/means/index_mean.hpp"
#include "check/means/level_mean.hpp"
#include "check/means/mean_tolerance.hpp"
#include "check/means/priced_mixes.hpp"
#include "numbers/directed.hpp"

namespace quantiplan::checking {
namespace {

// Of all times together: some seconds in doubles.
constexpr std::uint64_t kMostMassesOfMeans = 3'000'000;
constexpr std::uint64_t kMostExactMasses = 500'000;

constexpr std::uint64_t kMostPricesOfMeans = 1'000'000'000;
constexpr std::size_t kMostValuesOfMeans = 20'000'000;  // of one layer

// Of any sign; without finite ends nothing is known.
struct SignedInterval {
  double low = 0;
  double high = 0;

  static SignedInterval of(const Rational& value) {
    if (abs(value) > Rational(1e300)) return {-HUGE_VAL, HUGE_VAL};
    return {round_down(value), round_up(value)};
  }
  void add(const Interval& mass, const SignedInterval& value) {
    if (value.low == 0 && value.high == 0) return;
    const double least = (value.low >= 0 ? mass.low : mass.high) * value.low;
    const double most = (value.high >= 0 ? mass.high : mass.low) * value.high;
    low = std::nextafter(low + std::nextafter(least, -HUGE_VAL), -HUGE_VAL);
    high = std::nextafter(high + std::nextafter(most, HUGE_VAL), HUGE_VAL);
  }
};
struct ExactNumber {
  Rational value = 0;
  static ExactNumber of(const Rational& value) { return {value}; }
  void add(const Rational& mass, const ExactNumber& other) { value += mass * other.value; }
};
template <class Probability>
using NumberFor =
    std::conditional_t<std::is_same_v<Probability, Rational>, ExactNumber, SignedInterval>;

std::optional<Bounds> bounds_of_mean(const ExactNumber& low, const ExactNumber& high) {
  return Bounds{low.value, high.value};
}
std::optional<Bounds> bounds_of_mean(const SignedInterval& low, const SignedInterval& high) {
  if (!std::isfinite(low.low) || !std::isfinite(high.high)) return std::nullopt;
  return Bounds{Rational(low.low), Rational(high.high)};
}

template <class Course, class Probabilities>
class MeanPass {
 public:
  using Key = typename Course::Key;
  using Probability = typename Probabilities::Probability;
  using Number = NumberFor<Probability>;

  MeanPass(const CheckCase& task, const EndsPair& ends, Course& course, std::uint64_t most_masses)
      : task_(task),
        ends_(ends),
        course_(course),
        most_masses_(most_masses),
        probabilities_(task.model),
        rewards_(task.model, ends.low.setting()),
        share_(task.limits) {}

  // Nullopt if there are too many places, or numbers leave the doubles.
  std::optional<Bounds> run() {
    for (const auto& [state, mu] : ends_.low.initial())
      layer_.push_back(
          {{state, course_.start()}, mu == 1 ? probabilities_.one() : probabilities_.of(mu)});
    for (std::uint64_t time = 0; !layer_.empty(); ++time) {
      masses_ += layer_.size();
      if (masses_ > most_masses_) return std::nullopt;
      if (time == ends_.low.horizon()) {
        for (const auto& here : layer_) cut_off(here);
        break;
      }
      course_.move_to(time);
      known_.clear();
      for (const auto& here : layer_)
        if (!leave(time, here)) return std::nullopt;
      merge_places(next_, task_.limits);
      layer_.swap(next_);
      next_.clear();
    }
    return bounds_of_mean(low_, high_);
  }

 private:
  // False if it is not known what the policy does, or there are too many places.
  bool leave(std::uint64_t time, const Mass<Key, Probability>& here) {
    const State s = here.place.state;
    if (ends_.low.is_end(s)) return true;
    const auto choice = course_.decide(time, s, here.place.key);
    if (!choice) return false;
    const Number& reward = expected(time, *choice);
    low_.add(here.mass, reward);
    high_.add(here.mass, reward);
    for (const Outcome& o : task_.model.outcomes(*choice)) {
      task_.limits.require(100 + nanoseconds_of(here.mass));
      if (next_.size() == next_.capacity() && !make_room(here)) return false;
      next_.push_back({{o.next, course_.after(here.place.key, o)},
                       Probability(here.mass * probabilities_.of(o))});
    }
    return true;
  }

  bool make_room(const Mass<Key, Probability>& like) {
    merge_places(next_, task_.limits);
    if (masses_ + next_.size() > most_masses_) return false;
    const std::size_t wanted = std::max<std::size_t>(1024, 2 * next_.size());
    const std::uint64_t each =
        sizeof(like) + bytes_beside(like.place.key) + bytes_beside(like.mass);
    share_.set((2 * wanted + layer_.capacity()) * each);
    next_.reserve(wanted);
    return true;
  }

  void cut_off(const Mass<Key, Probability>& here) {
    low_.add(here.mass, Number::of(ends_.low.tail(here.place.state)));
    high_.add(here.mass, Number::of(ends_.high.tail(here.place.state)));
  }

  const Number& expected(std::uint64_t time, Choice c) {
    const auto [found, is_new] = known_.try_emplace(c);
    if (is_new) {
      Rational sum = 0;
      for (const Outcome& o : task_.model.outcomes(c)) {
        task_.limits.require(2 * nanoseconds_of(sum));
        sum += task_.model.probability(o) * rewards_.reward(time, o.reward);
      }
      found->second = Number::of(sum);
    }
    return found->second;
  }

  const CheckCase& task_;
  const EndsPair& ends_;
  Course& course_;
  std::uint64_t most_masses_;
  Probabilities probabilities_;
  RationalLedger rewards_;
  MemoryShare share_;
  std::vector<Mass<Key, Probability>> layer_;
  std::vector<Mass<Key, Probability>> next_;
  std::map<Choice, Number> known_;  // expected rewards of one time
  Number low_;
  Number high_;
  std::uint64_t masses_ = 0;
};

// Words what was found of a mean.
class MeanReport {
 public:
  explicit MeanReport(const CheckCase& task, const EndsPair& ends)
      : task_(task), mean_(*task.claim.mean), tolerance_(mean_tolerance(task, ends.low)) {}

  // False, with nothing said, if the bounds leave room for another mean than the claimed one.
  bool confirm(const Bounds& mean) {
    if (!task_.claim.is_mean_bound && mean.high - mean.low > tolerance_) return false;
    const Verdict verdict = task_.claim.is_mean_bound ? reached_by(mean) : equals(mean);
    return verdict != Verdict::open && report(mean, true);
  }
  // False, with nothing said, if sharper bounds may say more.
  bool report(const Bounds& mean, bool at_last) {
    const Verdict verdict = task_.claim.is_mean_bound ? reached_by(mean) : equals(mean);
    const std::string claimed = mean_text(mean_);
    switch (verdict) {
      case Verdict::yes:
        task_.findings.say(
            (task_.claim.is_mean_bound ? "Its mean is at least " : "Its mean is ") + claimed +
            (is_near(mean) ? " up to rounding, as claimed: it " + shown(mean) : ", as claimed") +
            ".");
        return true;
      case Verdict::no:
        task_.findings.refute("Its mean is not " +
                              std::string(task_.claim.is_mean_bound ? "at least " : "") + claimed +
                              ", as claimed: it " + shown(mean) + ".");
        return true;
      case Verdict::open:
        if (!at_last) return false;
        task_.findings.leave_out("Its mean may be " + claimed + ", as claimed: it " + shown(mean) +
                                 ".");
        return true;
    }
    return true;
  }
  [[nodiscard]] bool needs_rationals() const { return mean_.exact.has_value(); }

 private:
  [[nodiscard]] Rational claimed_value() const {
    return mean_.exact ? *mean_.exact : Rational(mean_.nearest);
  }
  [[nodiscard]] Verdict reached_by(const Bounds& mean) const {
    const Rational claimed = claimed_value();
    return claimed <= mean.low ? Verdict::yes : claimed <= mean.high ? Verdict::open : Verdict::no;
  }
  [[nodiscard]] Verdict equals(const Bounds& mean) const {
    const Rational claimed = claimed_value();
    if (!mean_.exact)
      return claimed >= mean.low - tolerance_ && claimed <= mean.high + tolerance_ ? Verdict::yes
                                                                                   : Verdict::no;
    if (claimed < mean.low || claimed > mean.high) return Verdict::no;
    return mean.is_exact() ? Verdict::yes : Verdict::open;
  }

  // What was claimed is a double near the mean, not the mean itself.
  [[nodiscard]] bool is_near(const Bounds& mean) const {
    return !task_.claim.is_mean_bound && !mean_.exact &&
           !(mean.is_exact() && mean.low == Rational(mean_.nearest));
  }
  // "is 0.5", "lies in [0.4, 0.6]".
  static std::string shown(const Bounds& mean) {
    if (mean.is_exact()) return "is " + level_text(mean.low);
    return "lies in [" + level_text(mean.low) + ", " + level_text(mean.high) + "]";
  }

  const CheckCase& task_;
  const Value& mean_;
  Rational tolerance_;
};

// Few places are listed; the levels of many are taken by arrays.
bool confirm_by_levels(const CheckCase& task, const EndsPair& ends, IntegerLedger& ledger) {
  using Course = WealthCourse<IntegerLedger>;
  MeanReport report(task, ends);
  if (report.needs_rationals() || ends.low.is_cut()) return false;
  Course course(task.model, task.policy, ledger);
  if (const auto few = MeanPass<Course, IntervalProbabilities>(task, ends, course, 20'000).run())
    return report.report(*few, false);
  const auto many = mean_by_levels(task, ends.low, ledger);
  return many && report.confirm(*many);
}

// `known` are bounds that leave it open.
template <class Course>
void confirm_by(const CheckCase& task,
                const EndsPair& ends,
                Course& course,
                std::optional<Bounds> known = std::nullopt) {
  MeanReport report(task, ends);
  const auto take_rough = [&] {
    auto rough =
        MeanPass<Course, IntervalProbabilities>(task, ends, course, kMostMassesOfMeans).run();
    if (rough) known = rough;
    return rough.has_value();
  };
  if (!report.needs_rationals() && take_rough() && report.report(*known, false)) return;
  auto exact = MeanPass<Course, RationalProbabilities>(task, ends, course, kMostExactMasses).run();
  // What is too long for rationals may be refuted all the same.
  if (!exact && report.needs_rationals()) take_rough();
  if (exact || known)
    report.report(exact ? *exact : *known, true);
  else
    task.findings.leave_out("Its mean was not recomputed: too many places can be reached.");
}

// By one recursion over the index, where a policy pays nothing, or next to it, once its target is
// decided: E W is F_0(s0) less what it pays before. Exactly as many places as for the best policy.
class MeanByPrices {
 public:
  // By its own target, and without what follows a cut, which is added at last: so does whoever made
  // the policy.
  MeanByPrices(const CheckCase& task, const EndsPair& ends)
      : task_(task),
        ends_(ends),
        steps_(task.model,
               ends.low.setting(),
               Event(ends.low.setting(), Total(*task.policy.target), /*strictly=*/false)),
        problem_(IndexProblem::make(task.model,
                                    steps_,
                                    {*task.policy.grid, Rounding::down, *task.policy.target},
                                    task.limits)) {}

  std::optional<Bounds> run() {
    const auto potential = Potential::make(task_.model, steps_, false, task_.limits);
    if (!potential || !problem_) return std::nullopt;
    IndexWindows windows(*problem_, task_.limits);
    AllChoices anything(task_.model);
    if (windows.find(anything) != Extent::fits) return std::nullopt;
    const auto paid = paid_while_open(windows, *potential);
    if (!paid) return std::nullopt;
    const Rational decided = paid_when_decided(windows, *potential);
    return Bounds{potential->first() - paid->high - decided - potential->slack() + least_tail_,
                  potential->first() - paid->low + greatest_tail_};
  }

 private:
  std::optional<Bounds> paid_while_open(const IndexWindows& windows, const Potential& potential) {
    if (!windows.is_open_at_start()) return Bounds::of(0);
    IndexCourse course(task_.policy, *problem_);
    IndexRecursion<IndexCourse, OwnPriceMix> recursion(
        *problem_,
        windows,
        course,
        OwnPriceMix(task_.model, Tariff{potential, std::nullopt}),
        {kMostPricesOfMeans, kMostValuesOfMeans},
        task_.limits);
    long double value = 0;
    if (recursion.run(value) != Extent::fits || course.is_unclear()) return std::nullopt;
    return sum_of_prices(value, steps_.sums() + 1, steps_.most_terms(task_.model));
  }

  // At most: the greatest price of each time, of all that may be met.
  Rational paid_when_decided(const IndexWindows& windows, const Potential& potential) {
    IndexCourse course(task_.policy, *problem_);
    const PolicyReach reach(task_, ends_.low, course);
    Rational sum = 0;
    for (std::uint64_t time = 0; time < reach.times(); ++time) {
      Rational greatest = 0;
      if (time < problem_->horizon()) course.move_to(time);
      for (const auto& met : reach.layer(time)) {
        task_.limits.require();
        if (ends_.low.is_end(met.state) || time == problem_->horizon()) {
          add_tail(met.state);
          continue;
        }
        const NeedWindow& window = windows.at(time, met.state);
        course.for_each_run(
            time, met.state, met.low, met.high, [&](Choice c, std::int64_t from, std::int64_t to) {
              if (from > window.sure && to <= window.possible) return;
              if (potential.price(time, c) > greatest) greatest = potential.price(time, c);
            });
      }
      sum += greatest;
    }
    return sum;
  }

  void add_tail(State s) {
    const Rational& least = ends_.low.tail(s);
    const Rational& greatest = ends_.high.tail(s);
    if (!has_tail_ || least < least_tail_) least_tail_ = least;
    if (!has_tail_ || greatest > greatest_tail_) greatest_tail_ = greatest;
    has_tail_ = true;
  }

  const CheckCase& task_;
  const EndsPair& ends_;
  Ends steps_;
  std::optional<IndexProblem> problem_;
  bool has_tail_ = false;
  Rational least_tail_ = 0;
  Rational greatest_tail_ = 0;
};

void confirm_on_grid(const CheckCase& task, const EndsPair& ends) {
  auto problem = IndexProblem::make(
      task.model, ends.low, {*task.policy.grid, Rounding::down, *task.policy.target}, task.limits);
  if (!problem)
    return task.findings.leave_out("Its mean was not recomputed: too many places can be reached.");
  MeanReport report(task, ends);
  const auto mean = MeanByPrices(task, ends).run();
  if (mean && !report.needs_rationals() && report.confirm(*mean)) return;
  // Where it pays between what is possible and what is sure.
  auto sharper = mean_by_index(task, ends);
  if (sharper && report.confirm(*sharper)) return;
  if (!task.claim.is_mean_bound) sharper.reset();
  IndexCourse course(task.policy, *problem);
  confirm_by(task, ends, course, sharper);
}

void confirm_by_any(const CheckCase& task, const EndsPair& ends) {
  if (task.policy.grid) return confirm_on_grid(task, ends);
  if (auto ledger = IntegerLedger::make(task.model, ends.low.setting())) {
    if (confirm_by_levels(task, ends, *ledger)) return;
    WealthCourse<IntegerLedger> course(task.model, task.policy, *ledger);
    confirm_by(task, ends, course);
    return;
  }
  RationalLedger ledger(task.model, ends.low.setting());
  WealthCourse<RationalLedger> course(task.model, task.policy, ledger);
  confirm_by(task, ends, course);
}

}  // namespace

void confirm_mean(const CheckCase& task, const EndsPair& ends) {
  try {
    confirm_by_any(task, in_the_mean(task.model, task.policy, ends, task.limits));
  } catch (const LimitMet&) {
    task.findings.leave_out("Its mean was not recomputed: " + task.limits.reason());
  }
}

}  // namespace quantiplan::checking
