#include "check/means/level_mean.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

#include "check/common/policy_reach.hpp"

namespace quantiplan::checking {
namespace {

constexpr std::uint64_t kMostLevelsOfMeans =
    4'000'000'000;  // of all times, a nanosecond an outcome

class LevelMean {
 public:
  using Course = WealthCourse<IntegerLedger>;
  LevelMean(const CheckCase& task, const Ends& ends, IntegerLedger& ledger)
      : task_(task),
        ends_(ends),
        ledger_(ledger),
        rewards_(task.model, ends.setting()),
        course_(task.model, task.policy, ledger),
        reach_(task, ends, course_),
        share_(task.limits) {}

  std::optional<Bounds> run() {
    constexpr double kFarFromOne = 0x1p40;  // of 2^53, for what errors do to errors
    const double roundings = static_cast<double>(reach_.times() + 1) *
                             static_cast<double>(ends_.most_terms(task_.model) + 5);
    if (reach_.lacks_rules() || roundings > kFarFromOne || !is_affordable()) return std::nullopt;
    for (std::uint64_t time = reach_.times(); time-- > 0;) {
      course_.move_to(time);
      next_.swap(now_);
      now_.assign(reach_.layer(time).size(), {});
      for (std::size_t i = 0; i < now_.size(); ++i) fill(time, i);
    }
    double mean = 0;
    for (const auto& [state, mu] : ends_.initial())
      mean += to_nearest_double(mu) * now_[position(0, state)].front();
    if (!std::isfinite(mean)) return std::nullopt;
    const Rational error = bound();
    return Bounds{Rational(mean) - error, Rational(mean) + error};
  }

 private:
  using Met = PolicyReach<Course>::Met;

  static std::uint64_t levels(const Met& met) {
    return static_cast<std::uint64_t>(met.high) - static_cast<std::uint64_t>(met.low) + 1;
  }
  [[nodiscard]] std::size_t position(std::uint64_t time, State s) const {
    return reach_.position(time, s) - reach_.position(time, reach_.layer(time).front().state);
  }

  // Two layers at once.
  bool is_affordable() {
    std::uint64_t all = 0;
    std::uint64_t last = 0;
    std::uint64_t most = 0;
    for (std::uint64_t time = 0; time < reach_.times(); ++time) {
      std::uint64_t here = 0;
      for (const Met& met : reach_.layer(time)) {
        if (levels(met) > kMostLevelsOfMeans) return false;
        here += levels(met);
        if (all + here > kMostLevelsOfMeans) return false;
      }
      most = std::max(most, last + here);
      last = here;
      all += here;
    }
    share_.set(most * sizeof(double));
    return true;
  }

  void fill(std::uint64_t time, std::size_t i) {
    const Met& met = reach_.layer(time)[i];
    std::vector<double>& means = now_[i];
    means.assign(levels(met), 0.0);
    if (time == ends_.horizon() || ends_.is_end(met.state)) return;
    std::int64_t above = met.high + 1;
    course_.for_each_run(
        time, met.state, met.low, met.high, [&](Choice c, std::int64_t from, std::int64_t to) {
          // Told from the greatest wealth down, each up to where the one before begins.
          to = std::min(to, above - 1);
          if (to < from) return;
          above = from;
          double* out = means.data() + (from - met.low);
          const auto size = static_cast<std::size_t>(to - from) + 1;
          std::fill_n(out, size, expected(time, c));
          for (const Outcome& o : task_.model.outcomes(c)) {
            task_.limits.require(50 + size);
            const std::size_t next = position(time + 1, o.next);
            const std::int64_t offset =
                from + ledger_.reward(time, o.reward) - reach_.layer(time + 1)[next].low;
            const double* later = next_[next].data() + offset;
            const double p = task_.model.probabilities().nearest(o.probability);
            for (std::size_t k = 0; k < size; ++k) out[k] += p * later[k];
          }
        });
  }

  double expected(std::uint64_t time, Choice c) {
    Rational sum = 0;
    for (const Outcome& o : task_.model.outcomes(c)) {
      task_.limits.require(2 * nanoseconds_of(sum));
      const Rational reward = rewards_.reward(time, o.reward);
      sum += task_.model.probability(o) * reward;
      if (abs(reward) > largest_) largest_ = abs(reward);
    }
    return to_nearest_double(sum);
  }

  [[nodiscard]] Rational bound() const {
    const Integer times(static_cast<unsigned long>(reach_.times()));
    const Integer outcomes(static_cast<unsigned long>(ends_.most_terms(task_.model)));
    return Rational(5, 4) * Rational((times + 1) * (outcomes + 5) * times) * largest_ *
           Rational(0x1p-53);
  }

  const CheckCase& task_;
  const Ends& ends_;
  IntegerLedger& ledger_;
  RationalLedger rewards_;
  Course course_;
  PolicyReach<Course> reach_;
  MemoryShare share_;
  std::vector<std::vector<double>> now_;  // by place in the layer, from the least wealth on
  std::vector<std::vector<double>> next_;
  Rational largest_ = 0;
};

}  // namespace

std::optional<Bounds> mean_by_levels(const CheckCase& task,
                                     const Ends& ends,
                                     IntegerLedger& ledger) {
  return LevelMean(task, ends, ledger).run();
}

}  // namespace quantiplan::checking
