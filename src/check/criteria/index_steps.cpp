#include "check/criteria/index_steps.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "check/common/rule_book.hpp"
#include "check/criteria/criterion_law.hpp"

namespace quantiplan::checking {
namespace {

constexpr std::size_t kMostMoves = 5'000'000;
constexpr std::size_t kIndexBits = 50;

// The grid that a policy has, or that of all totals of so many steps.
std::optional<PolicyGrid> grid_of(const Model& model, const Policy& policy, std::uint64_t count) {
  if (policy.grid) return policy.grid;
  Integer unit = policy.target ? Integer(policy.target->get_den()) : Integer(1);
  for (std::uint32_t i = 0; i < model.state_count(); ++i) {
    for (const Choice c : model.choices(State{i})) {
      for (const Outcome& o : model.outcomes(c)) {
        const Rational r = model.reward(o);
        mpz_lcm(unit.get_mpz_t(), unit.get_mpz_t(), r.get_den_mpz_t());
        if (mpz_sizeinbase(unit.get_mpz_t(), 2) > kIndexBits) return std::nullopt;
      }
    }
  }
  const Integer denominator(policy.setting.discount.get_den());
  for (std::uint64_t t = 1; t < count && denominator > 1; ++t) {
    unit *= denominator;
    if (mpz_sizeinbase(unit.get_mpz_t(), 2) > kIndexBits) return std::nullopt;
  }
  return PolicyGrid{Rational(Integer(1), unit), {}};
}

// Nullopt: none, or too many.
std::optional<std::uint64_t> steps_of(const Model& model, const Policy& policy) {
  if (policy.setting.is_infinite() && !policy.truncated_at) return std::nullopt;
  const std::uint64_t count =
      policy.setting.is_infinite() ? *policy.truncated_at : policy.setting.horizon;
  if (count > kMostMoves / model.state_count()) return std::nullopt;
  return count;
}

std::optional<std::int64_t> whole(const Rational& value, bool up) {
  Integer out;
  if (up)
    mpz_cdiv_q(out.get_mpz_t(), value.get_num_mpz_t(), value.get_den_mpz_t());
  else
    mpz_fdiv_q(out.get_mpz_t(), value.get_num_mpz_t(), value.get_den_mpz_t());
  if (mpz_sizeinbase(out.get_mpz_t(), 2) > kIndexBits) return std::nullopt;
  return out.get_si();
}

// Of one state at the last time on, in units of that time.
std::vector<double> rests(const Model& model,
                          const Policy& policy,
                          const RuleBook* rules,
                          std::uint64_t time,
                          CheckLimits& limits) {
  const ResolvedSetting& setting = policy.setting;
  const bool up = rules == nullptr;
  const double discount = to_nearest_double(setting.discount);
  const auto outward = [&](double value, double size) {
    return up ? value + size * 0x1p-50 : value - size * 0x1p-50;
  };
  const auto further = [&](double a, double b) { return up ? std::max(a, b) : std::min(a, b); };
  double extreme = 0;
  for (std::uint32_t i = 0; i < model.state_count(); ++i)
    for (const Choice c : model.choices(State{i}))
      for (const Outcome& o : model.outcomes(c))
        extreme = further(extreme, to_nearest_double(counted_reward(model, setting, o)));
  const double all = extreme / to_nearest_double(1 - setting.discount);
  std::vector<double> out(model.state_count(), outward(all, 4 * std::abs(all)));
  const int rounds = static_cast<int>(std::min(5000.0, 30 / -std::log(discount)));
  for (int round = 0; round < rounds; ++round) {
    std::vector<double> now(out.size());
    for (std::uint32_t i = 0; i < out.size(); ++i) {
      const State s{i};
      if (is_end_of_episode(model, setting, s)) continue;
      const PolicyRule* rule = up ? nullptr : rules->find(time, s);
      bool is_first = true;
      const auto look = [&](Choice c) {
        for (const Outcome& o : model.outcomes(c)) {
          limits.require(300);
          const double r = to_nearest_double(counted_reward(model, setting, o));
          const double more = discount * out[index(o.next)];
          const double value = outward(r + more, std::abs(r) + std::abs(more));
          now[i] = is_first ? value : further(now[i], value);
          is_first = false;
        }
      };
      if (rule != nullptr) {
        for (const PolicyRun& run : rule->runs) look(run.choice);
      } else {
        for (const Choice c : model.choices(s)) look(c);
      }
      // What was known before still holds.
      now[i] = up ? std::min(now[i], out[i]) : std::max(now[i], out[i]);
    }
    out = std::move(now);
  }
  return out;
}

// The options of one state at one time, in steps of one size.
class OptionCounter {
 public:
  OptionCounter(const Model& model, const Policy& policy, bool is_policy, CheckLimits& limits)
      : model_(model), policy_(policy), is_policy_(is_policy), limits_(limits) {}

  void at(const Rational& power, const Rational& size) {
    power_ = power;
    size_ = size;
  }
  // False if the steps are no whole numbers that fit, or there are too many moves.
  bool add(Choice c, const std::optional<Rational>& upto, std::vector<IndexOption>& options) {
    IndexOption option;
    if (upto) {
      const auto at = whole(policy_.grid ? *upto : Rational(*upto * power_ / size_), false);
      if (!at) return false;
      option.upto = *at;
    }
    for (const Outcome& o : model_.outcomes(c)) {
      limits_.require(nanoseconds_of(power_));
      const Rational gain = power_ * counted_reward(model_, policy_.setting, o);
      const auto steps = whole(gain / size_, !is_policy_);
      if (!steps || ++moves_ > kMostMoves) return false;
      option.moves.push_back({static_cast<std::uint32_t>(o.next),
                              to_nearest_double(model_.probability(o)),
                              *steps,
                              to_nearest_double(gain)});
    }
    options.push_back(std::move(option));
    return true;
  }
  // Of the policy those of its rule, else all.
  bool add_all(State s, const PolicyRule* rule, std::vector<IndexOption>& options) {
    if (is_policy_) {
      return rule == nullptr || std::ranges::all_of(rule->runs, [&](const PolicyRun& run) {
               return add(run.choice, run.upto, options);
             });
    }
    return std::ranges::all_of(model_.choices(s),
                               [&](Choice c) { return add(c, std::nullopt, options); });
  }

 private:
  const Model& model_;
  const Policy& policy_;
  bool is_policy_;
  CheckLimits& limits_;
  Rational power_ = 1;
  Rational size_ = 1;
  std::size_t moves_ = 0;
};

// gamma^T m(s), rounded away from what it bounds.
std::vector<double> shrunk_rests(const std::vector<double>& later, double power, bool is_policy) {
  std::vector<double> out;
  out.reserve(later.size());
  for (const double rest : later) {
    const double value = power * rest;
    const double error = std::abs(value) * 0x1p-50;
    out.push_back(is_policy ? value - error : value + error);
  }
  return out;
}

}  // namespace

std::optional<IndexSteps> IndexSteps::of_policy(const Model& model,
                                                const Policy& policy,
                                                CheckLimits& limits) {
  const auto count = steps_of(model, policy);
  if (!count) return std::nullopt;
  auto grid = grid_of(model, policy, *count);
  if (!grid && !policy.target) grid = PolicyGrid{1, {}};
  if (!grid) return std::nullopt;
  return counted(model, policy, *grid, *count, true, limits);
}

std::optional<IndexSteps> IndexSteps::of_all(const Model& model,
                                             const Policy& policy,
                                             const Rational& open,
                                             int halvings,
                                             CheckLimits& limits) {
  const auto count = steps_of(model, policy);
  if (!count) return std::nullopt;
  const bool is_free = !policy.grid && policy.setting.discount < 1 && open > 0;
  auto grid = is_free ? std::optional(PolicyGrid{open / Rational(4 * (*count + 1)), {}})
                      : grid_of(model, policy, *count);
  if (!grid) return std::nullopt;
  for (int n = 0; n < halvings; ++n) grid->unit /= 2;
  return counted(model, policy, *grid, *count, false, limits);
}

std::optional<IndexSteps> IndexSteps::counted(const Model& model,
                                              const Policy& policy,
                                              const PolicyGrid& grid,
                                              std::uint64_t count,
                                              bool is_policy,
                                              CheckLimits& limits) {
  const ResolvedSetting& setting = policy.setting;
  const RuleBook rules(policy);
  IndexSteps out;
  out.setting_ = &setting;
  out.has_runs_ = is_policy;
  Rational size = grid.unit;
  if (is_policy && policy.target) {
    out.target_ = *policy.target;
    const auto at = whole(out.target_ / size, false);
    if (!at) return std::nullopt;
    out.target_index_ = *at;
  }
  for (std::uint32_t i = 0; i < model.state_count(); ++i)
    out.is_end_.push_back(is_end_of_episode(model, setting, State{i}) ? 1 : 0);
  Rational power = 1;
  OptionCounter counter(model, policy, is_policy, limits);
  auto halved = grid.halved_at.begin();
  for (std::uint64_t t = 0; t < count; ++t) {
    out.sizes_.push_back(to_nearest_double(size));
    auto& layer = out.options_.emplace_back(model.state_count());
    counter.at(power, size);
    for (std::uint32_t i = 0; i < model.state_count(); ++i) {
      if (out.is_end_[i] != 0) continue;
      const PolicyRule* rule = is_policy ? rules.find(t, State{i}) : nullptr;
      if (!counter.add_all(State{i}, rule, layer[i])) return std::nullopt;
    }
    std::int64_t ratio = 1;
    for (; halved != grid.halved_at.end() && *halved <= t + 1; ++halved) {
      if (ratio > 1'000'000) return std::nullopt;
      ratio *= 2;
      size /= 2;
    }
    out.ratios_.push_back(ratio);
    power *= setting.discount;
  }
  out.sizes_.push_back(to_nearest_double(size));
  out.rest_.assign(model.state_count(), 0);
  if (setting.is_infinite()) {
    const auto later = rests(model, policy, is_policy ? &rules : nullptr, count, limits);
    out.rest_ = shrunk_rests(later, to_nearest_double(power), is_policy);
  }
  return out;
}

}  // namespace quantiplan::checking
