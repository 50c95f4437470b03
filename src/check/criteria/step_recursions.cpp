#include "check/criteria/step_recursions.hpp"

#include <algorithm>
#include <utility>
#include <vector>

#include "check/common/rule_book.hpp"
#include "check/criteria/criterion_law.hpp"
#include "numbers/enclosure.hpp"

namespace quantiplan::checking {
namespace {

constexpr std::uint64_t kMostPairs = 200'000;

Rational worst_part(std::vector<std::pair<Rational, Rational>>& parts, const Rational& tau) {
  std::ranges::sort(parts);
  if (tau == 0) return parts.front().first;
  Rational left = tau;
  Rational sum = 0;
  for (const auto& [value, p] : parts) {
    const Rational part = std::min(p, left);
    sum += part * value;
    left -= part;
  }
  return sum / tau;
}

Enclosure least_of(const Enclosure& a, const Enclosure& b) { return -max(-a, -b); }

// Which states the policy meets, time after time; false if one of them has no rule.
bool follow(const Model& model,
            const Policy& policy,
            const RuleBook& rules,
            CheckLimits& limits,
            std::vector<std::vector<char>>& met,
            std::string& lost) {
  const ResolvedSetting& setting = policy.setting;
  met.assign(setting.horizon + 1, std::vector<char>(model.state_count(), 0));
  for (const auto& [state, mu] : setting.initial) met[0][index(state)] = 1;
  for (std::uint64_t t = 0; t < setting.horizon; ++t) {
    for (std::uint32_t i = 0; i < model.state_count(); ++i) {
      const State s{i};
      if (met[t][i] == 0 || is_end_of_episode(model, setting, s)) continue;
      limits.require();
      const PolicyRule* rule = rules.find(t, s);
      if (rule == nullptr) {
        lost = describe_place(model, policy, t, s);
        return false;
      }
      for (const Outcome& o : model.outcomes(rule->runs.front().choice))
        met[t + 1][index(o.next)] = 1;
    }
  }
  return true;
}

}  // namespace

bool has_too_many_pairs(const Model& model, const ResolvedSetting& setting) {
  return setting.horizon > kMostPairs || model.state_count() * setting.horizon > kMostPairs;
}

std::optional<ValueBounds> nested_value(const Model& model,
                                        const Policy& policy,
                                        bool best,
                                        const Rational& tau,
                                        CheckLimits& limits,
                                        std::string& lost) {
  const ResolvedSetting& setting = policy.setting;
  if (has_too_many_pairs(model, setting)) return std::nullopt;
  const RuleBook rules(policy);
  std::vector<std::vector<char>> met;
  if (!best && !follow(model, policy, rules, limits, met, lost)) return std::nullopt;
  std::vector<Rational> later(model.state_count(), Rational(0));
  std::vector<std::pair<Rational, Rational>> parts;
  for (std::uint64_t t = setting.horizon; t-- > 0;) {
    std::vector<Rational> now(model.state_count(), Rational(0));
    for (std::uint32_t i = 0; i < model.state_count(); ++i) {
      const State s{i};
      if (is_end_of_episode(model, setting, s) || (!best && met[t][i] == 0)) continue;
      const auto value_of = [&](Choice c) {
        parts.clear();
        for (const Outcome& o : model.outcomes(c)) {
          limits.require(nanoseconds_of(later[index(o.next)]));
          parts.emplace_back(
              counted_reward(model, setting, o) + setting.discount * later[index(o.next)],
              model.probability(o));
        }
        return worst_part(parts, tau);
      };
      if (!best) {
        now[i] = value_of(rules.find(t, s)->runs.front().choice);
        continue;
      }
      bool is_first = true;
      for (const Choice c : model.choices(s)) {
        Rational value = value_of(c);
        if (is_first || value > now[i]) now[i] = std::move(value);
        is_first = false;
      }
    }
    later = std::move(now);
  }
  parts.clear();
  for (const auto& [state, mu] : setting.initial) parts.emplace_back(later[index(state)], mu);
  return ValueBounds::exactly(worst_part(parts, tau));
}

std::optional<ValueBounds> best_entropic(const Model& model,
                                         const ResolvedSetting& setting,
                                         const Rational& beta,
                                         CheckLimits& limits) {
  if (has_too_many_pairs(model, setting)) return std::nullopt;
  std::vector<Enclosure> powers(1, Enclosure(Rational(-beta)));  // -beta gamma^t
  const Enclosure discount(setting.discount);
  for (std::uint64_t t = 1; t < setting.horizon; ++t) powers.push_back(powers.back() * discount);
  const Enclosure one{Rational(1)};
  std::vector<Enclosure> later(model.state_count(), one);
  for (std::uint64_t t = setting.horizon; t-- > 0;) {
    std::vector<Enclosure> now(model.state_count(), one);
    for (std::uint32_t i = 0; i < model.state_count(); ++i) {
      const State s{i};
      if (is_end_of_episode(model, setting, s)) continue;
      bool is_first = true;
      for (const Choice c : model.choices(s)) {
        Enclosure sum{Rational(0)};
        for (const Outcome& o : model.outcomes(c)) {
          limits.require(10 * CheckLimits::kPlace);
          sum += Enclosure(model.probability(o)) *
                 exp(powers[t] * Enclosure(counted_reward(model, setting, o))) *
                 later[index(o.next)];
        }
        now[i] = is_first ? sum : least_of(now[i], sum);
        is_first = false;
      }
    }
    later = std::move(now);
  }
  Enclosure start{Rational(0)};
  for (const auto& [state, mu] : setting.initial) start += Enclosure(mu) * later[index(state)];
  const Enclosure found = -(log(start) / Enclosure(beta));
  if (!found.is_finite()) return std::nullopt;
  return ValueBounds{found.lower_exactly(), found.upper_exactly()};
}

}  // namespace quantiplan::checking
