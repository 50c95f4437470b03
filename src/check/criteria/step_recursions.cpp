#include "check/criteria/step_recursions.hpp"

#include <algorithm>

#include "check/common/rule_book.hpp"
#include "numbers/directed.hpp"
#include "numbers/enclosure.hpp"

namespace quantiplan::checking {
namespace {

Enclosure least_of(const Enclosure& a, const Enclosure& b) { return -max(-a, -b); }

Rational rounded(Rational value, RoundedTo to) {
  if (to == RoundedTo::exactly) return value;
  return Rational(to == RoundedTo::down ? round_down(value) : round_up(value));
}

// Which states are met, time after time.
class Met {
 public:
  Met(const Course& course, const Policy& policy) : rules_(policy) {
    const Model& model = course.model;
    met_.assign(course.steps + 1, std::vector<char>(model.state_count(), 0));
    for (const auto& [state, mu] : course.setting.initial) met_[0][index(state)] = 1;
    for (std::uint64_t t = 0; t < course.steps; ++t) {
      for (std::uint32_t i = 0; i < model.state_count(); ++i) {
        const State s{i};
        if (met_[t][i] == 0 || course.is_end(s)) continue;
        course.limits.require();
        const PolicyRule* rule = rules_.find(t, s);
        if (rule == nullptr) {
          if (lost_.empty()) lost_ = describe_place(model, policy, t, s);
          continue;
        }
        for (const Outcome& o : model.outcomes(rule->runs.front().choice))
          met_[t + 1][index(o.next)] = 1;
      }
    }
  }

  [[nodiscard]] bool at(std::uint64_t t, std::uint32_t state) const { return met_[t][state] != 0; }
  [[nodiscard]] Choice choice(std::uint64_t t, State s) const {
    return rules_.find(t, s)->runs.front().choice;
  }
  [[nodiscard]] const std::string& lost() const { return lost_; }

 private:
  RuleBook rules_;
  std::vector<std::vector<char>> met_;
  std::string lost_;
};

// One layer after the other. `end(s)` is what a state has that is an end, or at the last time; `of(t, choice, later)` what a
// choice has; `keep(kept, value)` keeps the better one. Absent values are misses, which nobody takes who need not.
template <class V, class End, class Of, class Keep>
std::vector<std::optional<V>> first_layer(const Course& course,
                                          const std::optional<Met>& met,
                                          const End& end,
                                          const Of& of,
                                          const Keep& keep) {
  const auto states = static_cast<std::uint32_t>(course.model.state_count());
  std::vector<std::optional<V>> later(states);
  for (std::uint32_t i = 0; i < states; ++i) later[i] = end(State{i});
  for (std::uint64_t t = course.steps; t-- > 0;) {
    std::vector<std::optional<V>> now(states);
    for (std::uint32_t i = 0; i < states; ++i) {
      const State s{i};
      if (met && !met->at(t, i)) continue;
      if (course.is_end(s)) {
        now[i] = end(s);
      } else if (met) {
        now[i] = of(t, met->choice(t, s), later);
      } else {
        for (const Choice c : course.model.choices(s)) {
          std::optional<V> value = of(t, c, later);
          if (!value) continue;
          if (now[i])
            keep(*now[i], *std::move(value));
          else
            now[i] = std::move(value);
        }
      }
    }
    later = std::move(now);
  }
  return later;
}

}  // namespace

Rational MeanOfStep::operator()(const StepParts& parts) const {
  Rational sum = 0;
  for (const auto& [value, p] : parts) sum += p * value;
  return sum;
}

Rational LeastOfStep::operator()(const StepParts& parts) const {
  return std::ranges::min_element(parts)->first;
}

Rational WorstShareOfStep::operator()(StepParts& parts) const {
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

std::string place_without_rule(const Course& course, const Policy& policy) {
  return Met(course, policy).lost();
}

template <class Worth>
std::optional<Rational> step_value(
    const Course& course, const Policy& policy, Whose whose, RoundedTo to, const Worth& worth) {
  std::optional<Met> met;
  if (whose == Whose::policy) met.emplace(course, policy);
  const auto end = [&](State s) -> std::optional<Rational> {
    if (!course.is_end(s) && course.is_cut())
      return to == RoundedTo::up ? course.greatest : course.least;
    if (course.is_miss(s)) return std::nullopt;
    return Rational(0);
  };
  StepParts parts;
  const auto of = [&](std::uint64_t, Choice c, const std::vector<std::optional<Rational>>& later)
      -> std::optional<Rational> {
    parts.clear();
    for (const Outcome& o : course.model.outcomes(c)) {
      const auto& rest = later[index(o.next)];
      if (!rest) return std::nullopt;
      course.limits.require(nanoseconds_of(*rest));
      parts.emplace_back(course.reward(o) + course.setting.discount * *rest,
                         course.model.probability(o));
    }
    return rounded(worth(parts), to);
  };
  const auto keep = [&](Rational& kept, Rational value) {
    if (whose == Whose::worst ? value < kept : value > kept) kept = std::move(value);
  };
  const auto first = first_layer<Rational>(course, met, end, of, keep);
  parts.clear();
  for (const auto& [state, mu] : course.setting.initial) {
    const auto& value = first[index(state)];
    if (!value) return std::nullopt;
    parts.emplace_back(*value, mu);
  }
  return rounded(worth(parts), to);
}

template std::optional<Rational> step_value(
    const Course&, const Policy&, Whose, RoundedTo, const MeanOfStep&);
template std::optional<Rational> step_value(
    const Course&, const Policy&, Whose, RoundedTo, const LeastOfStep&);
template std::optional<Rational> step_value(
    const Course&, const Policy&, Whose, RoundedTo, const WorstShareOfStep&);

std::optional<ValueBounds> entropic_value(const Course& course,
                                          const Policy& policy,
                                          bool best,
                                          const Rational& beta) {
  std::optional<Met> met;
  if (!best) met.emplace(course, policy);
  std::vector<Enclosure> powers(1, Enclosure(Rational(-beta)));  // -beta gamma^t
  const Enclosure discount(course.setting.discount);
  for (std::uint64_t t = 1; t <= course.steps; ++t) powers.push_back(powers.back() * discount);
  const Enclosure rest = exp(powers.back() * Enclosure::between(course.least, course.greatest));
  const auto end = [&](State s) -> std::optional<Enclosure> {
    if (!course.is_end(s) && course.is_cut()) return rest;
    if (course.is_miss(s)) return std::nullopt;
    return Enclosure(Rational(1));
  };
  const auto of = [&](std::uint64_t t, Choice c, const std::vector<std::optional<Enclosure>>& later)
      -> std::optional<Enclosure> {
    Enclosure sum{Rational(0)};
    for (const Outcome& o : course.model.outcomes(c)) {
      course.limits.require(10 * CheckLimits::kPlace);
      const auto& after = later[index(o.next)];
      if (!after) return std::nullopt;
      sum += Enclosure(course.model.probability(o)) * exp(powers[t] * Enclosure(course.reward(o))) *
             *after;
    }
    return sum;
  };
  const auto keep = [](Enclosure& kept, const Enclosure& value) { kept = least_of(kept, value); };
  const auto first = first_layer<Enclosure>(course, met, end, of, keep);
  Enclosure start{Rational(0)};
  for (const auto& [state, mu] : course.setting.initial) {
    const auto& value = first[index(state)];
    if (!value) return std::nullopt;
    start += Enclosure(mu) * *value;
  }
  const Enclosure found = -(log(start) / Enclosure(beta));
  if (!found.is_finite()) return std::nullopt;
  return ValueBounds{found.lower_exactly(), found.upper_exactly()};
}

}  // namespace quantiplan::checking
