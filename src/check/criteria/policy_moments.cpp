#include "check/criteria/policy_moments.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <utility>
#include <vector>

#include "check/common/rule_book.hpp"
#include "check/criteria/course.hpp"
#include "check/criteria/criterion_law.hpp"
#include "check/criteria/index_steps.hpp"
#include "numbers/directed.hpp"

namespace quantiplan::checking {
namespace {

constexpr std::int64_t kNoLimit = std::int64_t{1} << 60;
constexpr std::int64_t kMostListed = 4'000'000;  // of one time
constexpr double kMostMoved = 1e9;               // places times moves

struct Moments {
  long double mass = 0;
  long double mean = 0;
  long double square = 0;

  void add(const Moments& from, long double p, long double gain) {
    mass += p * from.mass;
    mean += p * (from.mean + gain * from.mass);
    square += p * (from.square + gain * (2 * from.mean + gain * from.mass));
  }
};

// Where the index matters: from `low` on, up to `high`. Nowhere: low = kNoLimit.
struct Matters {
  std::int64_t low = kNoLimit;
  std::int64_t high = -kNoLimit;
  [[nodiscard]] std::int64_t size() const { return low == kNoLimit ? 0 : high - low; }
};
struct Places {
  Moments low;
  Moments high;
  std::vector<Moments> listed;  // index low + 1, ..
};

std::int64_t floor_of(std::int64_t j, std::int64_t ratio) {
  return j >= 0 ? j / ratio : -((-j + ratio - 1) / ratio);
}

class MomentWalk {
 public:
  MomentWalk(const Model& model, const Policy& policy, const IndexSteps& steps, CheckLimits& limits)
      : model_(model), policy_(policy), steps_(steps), limits_(limits), memory_(limits) {}

  std::optional<PolicyMoments> run() {
    if (!find_matters()) return std::nullopt;
    now_.assign(steps_.states(), {});
    resize(0);
    for (const auto& [state, mu] : policy_.setting.initial)
      at(0, static_cast<std::uint32_t>(state), steps_.target_index()) = {
          to_nearest_double(mu), 0, 0};
    for (std::uint64_t t = 0; t < steps_.count(); ++t)
      if (!move_on(t)) return std::nullopt;
    std::vector<Moments> last(steps_.states());
    for (std::uint32_t i = 0; i < steps_.states(); ++i) {
      last[i].add(now_[i].low, 1, 0);
      last[i].add(now_[i].high, 1, 0);
      for (const Moments& each : now_[i].listed) last[i].add(each, 1, 0);
      sums_ += static_cast<double>(now_[i].listed.size());
    }
    if (!go_on(last)) return std::nullopt;
    return bounds();
  }

 private:
  bool find_matters() {
    matters_.assign(steps_.count() + 1, std::vector<Matters>(steps_.states()));
    for (std::uint64_t t = steps_.count(); t-- > 0;) {
      for (std::uint32_t i = 0; i < steps_.states(); ++i) {
        const auto& options = steps_.options(t, i);
        if (options.empty()) continue;
        Matters& here = matters_[t][i];
        if (options.size() > 1) {
          here.low = options.front().upto;
          here.high = options[options.size() - 2].upto;
        }
        // Below, the first run leads to where the first runs decide; above, the last one to where the last do.
        for (const IndexMove& move : options.front().moves) {
          limits_.require(20);
          const Matters& next = matters_[t + 1][move.next];
          if (next.low == kNoLimit) continue;
          here.low = std::min(here.low, move.steps + floor_of(next.low, steps_.ratio(t)));
        }
        for (const IndexMove& move : options.back().moves) {
          const Matters& next = matters_[t + 1][move.next];
          if (next.low == kNoLimit) continue;
          here.high = std::max(here.high, move.steps - floor_of(-next.high, steps_.ratio(t)));
        }
        if (here.low != kNoLimit) here.high = std::max(here.high, here.low);
      }
    }
    return true;
  }

  void resize(std::uint64_t t) {
    std::uint64_t bytes = 0;
    for (std::uint32_t i = 0; i < steps_.states(); ++i) {
      const auto size = static_cast<std::size_t>(std::min(matters_[t][i].size(), kMostListed));
      bytes += size * sizeof(Moments);
    }
    memory_.set(2 * bytes);
    for (std::uint32_t i = 0; i < steps_.states(); ++i) {
      now_[i] = {};
      now_[i].listed.resize(static_cast<std::size_t>(matters_[t][i].size()));
    }
  }

  Moments& at(std::uint64_t t, std::uint32_t state, std::int64_t j) {
    const Matters& here = matters_[t][state];
    Places& places = now_[state];
    if (j <= here.low) return places.low;
    if (j > here.high) return places.high;
    return places.listed[static_cast<std::size_t>(j - here.low - 1)];
  }

  // An end keeps what it has; its moments go to the last layer as they are.
  bool move_on(std::uint64_t t) {
    std::int64_t listed = 0;
    for (const Matters& each : matters_[t + 1]) listed += std::min(each.size(), kMostListed);
    if (listed > kMostListed) return false;
    std::vector<Places> before = std::move(now_);
    now_.assign(steps_.states(), {});
    resize(t + 1);
    double greatest = 0;
    for (std::uint32_t i = 0; i < steps_.states(); ++i) {
      const Matters& here = matters_[t][i];
      const auto& options = steps_.options(t, i);
      const auto leave = [&](const Moments& from, const IndexOption& option, const auto& to) {
        for (const IndexMove& move : option.moves) {
          limits_.require(5);
          to(move).add(from, move.p, move.gain);
          greatest = std::max(greatest, std::abs(move.gain));
          ++sums_;
        }
      };
      if (steps_.is_end(i)) {
        now_[i].low.add(before[i].low, 1, 0);
        continue;
      }
      const Places& from = before[i];
      const auto is_met = [](const Moments& each) { return each.mass > 0; };
      if (options.empty()) {
        if (is_met(from.low) || is_met(from.high) || std::ranges::any_of(from.listed, is_met))
          return false;
        continue;
      }
      if (is_met(from.low))
        leave(from.low, options.front(), [&](const IndexMove& move) -> Moments& {
          return now_[move.next].low;
        });
      if (is_met(from.high))
        leave(from.high, options.back(), [&](const IndexMove& move) -> Moments& {
          const bool matters = matters_[t + 1][move.next].low != kNoLimit;
          return matters ? now_[move.next].high : now_[move.next].low;
        });
      std::size_t run = 0;
      for (std::size_t n = 0; n < from.listed.size(); ++n) {
        if (!is_met(from.listed[n])) continue;
        const std::int64_t j = here.low + 1 + static_cast<std::int64_t>(n);
        while (j > options[run].upto) ++run;
        leave(from.listed[n], options[run], [&](const IndexMove& move) -> Moments& {
          return at(t + 1, move.next, (j - move.steps) * steps_.ratio(t));
        });
      }
      if (sums_ > kMostMoved) return false;
    }
    size_ += greatest;
    return true;
  }

  // By states alone, as the rules of the last time say.
  bool go_on(std::vector<Moments> now) {
    const ResolvedSetting& setting = policy_.setting;
    if (setting.is_infinite()) {
      const RuleBook rules(policy_);
      const auto course = course_of(model_, setting, 0, limits_);
      if (!course) return false;
      double power =
          std::pow(to_nearest_double(setting.discount), static_cast<double>(steps_.count()));
      for (std::uint64_t t = steps_.count(); t < course->steps; ++t) {
        std::vector<Moments> next(now.size());
        double greatest = 0;
        for (std::uint32_t i = 0; i < now.size(); ++i) {
          if (now[i].mass <= 0) continue;
          if (steps_.is_end(i)) {
            next[i].add(now[i], 1, 0);
            continue;
          }
          const PolicyRule* rule = rules.find(steps_.count(), State{i});
          if (rule == nullptr || rule->runs.size() > 1) return false;
          for (const Outcome& o : model_.outcomes(rule->runs.front().choice)) {
            limits_.require(50);
            const double gain = power * to_nearest_double(counted_reward(model_, setting, o));
            next[index(o.next)].add(now[i], to_nearest_double(model_.probability(o)), gain);
            greatest = std::max(greatest, std::abs(gain));
            ++sums_;
          }
        }
        now = std::move(next);
        size_ += greatest;
        power *= to_nearest_double(setting.discount);
      }
      const double most = std::max(std::abs(to_nearest_double(course->least)),
                                   std::abs(to_nearest_double(course->greatest)));
      rest_ = 2 * power * most;
      // gamma^t, step by step.
      rounded_ = static_cast<double>(course->steps + 8) * 0x1p-50;
    }
    steps_followed_ = static_cast<double>(steps_.count()) + rounded_ * 0x1p50;
    for (const Moments& each : now) total_.add(each, 1, 0);
    return true;
  }

  // Every term has a few roundings a step, and one for each sum it goes into.
  [[nodiscard]] PolicyMoments bounds() const {
    const double part =
        2 * (sums_ * static_cast<double>(std::numeric_limits<long double>::epsilon()) +
             (steps_followed_ + 4) * 0x1p-49) +
        2 * rounded_;
    const double size = size_ * (1 + 0x1p-20) + rest_;
    const Rational mean(static_cast<double>(total_.mean));
    const Rational square(static_cast<double>(total_.square));
    const Rational open_mean(part * size + 2 * rest_);
    const Rational open_square(part * size * size + 4 * rest_ * size);
    return {{mean - open_mean, mean + open_mean}, {square - open_square, square + open_square}};
  }

  const Model& model_;
  const Policy& policy_;
  const IndexSteps& steps_;
  CheckLimits& limits_;
  MemoryShare memory_;
  std::vector<std::vector<Matters>> matters_;  // by time and state
  std::vector<Places> now_;                    // by state
  Moments total_;
  double sums_ = 0;
  double size_ = 0;     // no total is greater
  double rest_ = 0;     // nor what follows
  double rounded_ = 0;  // of rewards, in part
  double steps_followed_ = 0;
};

}  // namespace

std::optional<PolicyMoments> moments_of(const Model& model,
                                        const Policy& policy,
                                        CheckLimits& limits) {
  const auto steps = IndexSteps::of_policy(model, policy, limits);
  if (!steps) return std::nullopt;
  return MomentWalk(model, policy, *steps, limits).run();
}

// The least of m + lambda m^2 - lambda square over all means m within their bounds.
std::optional<double> least_mean_variance(const Model& model,
                                          const Policy& policy,
                                          const Rational& lambda,
                                          CheckLimits& limits) {
  const auto found = moments_of(model, policy, limits);
  if (!found) return std::nullopt;
  const Rational lowest = -1 / (2 * lambda);
  const Rational m = std::clamp<Rational>(lowest, found->mean.lower, found->mean.upper);
  return round_down(m + lambda * m * m - lambda * found->square.upper);
}

}  // namespace quantiplan::checking
