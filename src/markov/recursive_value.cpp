#include "markov/recursive_value.hpp"

#include <algorithm>
#include <cmath>

#include "numbers/directed.hpp"

namespace quantiplan {
namespace {

// The numbers of a model in one arithmetic.
template <class Number>
struct NumbersOf {
  explicit NumbersOf(const ReachableStates& g) : reachable(g) {}
  const ReachableStates& reachable;
  [[nodiscard]] Number probability(const Outcome& o) const {
    if constexpr (std::is_same_v<Number, double>) {
      return reachable.model().probabilities().nearest(o.probability);
    } else {
      return reachable.model().probability(o);
    }
  }
  [[nodiscard]] Number reward(const Outcome& o) const {
    if constexpr (std::is_same_v<Number, double>) {
      return reachable.model().rewards().nearest(o.reward);
    } else {
      return reachable.model().reward(o);
    }
  }
  static Number of(const Rational& value) {
    if constexpr (std::is_same_v<Number, double>) {
      return to_nearest_double(value);
    } else {
      return value;
    }
  }
};

template <class Number>
class StepBack {
 public:
  StepBack(const ReachableStates& reachable, const StepMeasure& measure)
      : numbers_(reachable),
        measure_(measure),
        tau_(numbers_.of(measure.tau)),
        gamma_(numbers_.of(reachable.setting().discount)) {}

  void operator()(MarkovLayer<Number>& layer, std::vector<Choice>* decisions, bool least) const {
    const auto back_up = [this](Choice c, const MarkovLayer<Number>& next) {
      return measured(c, next);
    };
    if (least) {
      step_back(numbers_.reachable, layer, back_up, std::less<Number>(), decisions);
    } else {
      step_back(numbers_.reachable, layer, back_up, std::greater<Number>(), decisions);
    }
  }

  // Of the initial states: a draw is no step, but what comes of it is measured like one.
  [[nodiscard]] Number start(const MarkovLayer<Number>& layer) const {
    const ReachableStates& reachable = numbers_.reachable;
    if (reachable.starts() == 1) return layer.value[0];
    parts_.clear();
    for (std::size_t i = 0; i < reachable.starts(); ++i)
      parts_.push_back({layer.value[i], numbers_.of(reachable.start_probability(i))});
    return of_parts();
  }

 private:
  struct Part {
    Number value;
    Number probability;
  };

  [[nodiscard]] Number measured(Choice c, const MarkovLayer<Number>& next) const {
    const ReachableStates& reachable = numbers_.reachable;
    parts_.clear();
    for (const Outcome& o : reachable.model().outcomes(c)) {
      parts_.push_back({numbers_.reward(o) + gamma_ * next.value[reachable.position(o.next)],
                        numbers_.probability(o)});
    }
    return of_parts();
  }

  [[nodiscard]] Number of_parts() const {
    if (measure_.kind == StepMeasure::Kind::worst)
      return std::ranges::min_element(parts_, {}, &Part::value)->value;
    if (measure_.kind == StepMeasure::Kind::tail) return tail();
    Number sum = 0;
    for (const Part& part : parts_) sum += part.probability * part.value;
    return sum;
  }

  [[nodiscard]] Number tail() const {
    std::ranges::sort(parts_, {}, &Part::value);
    Number share = tau_;
    Number sum = 0;
    for (const Part& part : parts_) {
      const Number taken = std::min(share, part.probability);
      sum += taken * part.value;
      share -= taken;
      if (share <= 0) break;
    }
    return sum / tau_;
  }

  NumbersOf<Number> numbers_;
  const StepMeasure& measure_;
  Number tau_;
  Number gamma_;
  mutable std::vector<Part> parts_;
};

template <class Number>
MarkovLayer<Number> last_layer(const ReachableStates& reachable) {
  MarkovLayer<Number> layer{std::vector<Number>(reachable.size(), Number(0)),
                            std::vector<char>(reachable.size(), 0)};
  for (std::size_t i = 0; i < reachable.size(); ++i)
    layer.is_missed[i] = reachable.is_missed(i) ? 1 : 0;
  return layer;
}

// What one step in doubles may be off by, `size` being the greatest |r| + |V|. With u = 2^-53 and b outcomes:
// numbers, sums and products are rounded at most b + 6 times; a share that is left over has an error of 2 u for
// each outcome before it, so that all shares together are off by (b + 2)^2 u, of tau.
double step_error(const ReachableStates& reachable, const StepMeasure& measure, double size) {
  const auto b = static_cast<double>(reachable.most_outcomes());
  double roundings = b + 6;
  if (measure.kind == StepMeasure::Kind::tail)
    roundings += 2 * (b + 3) * (b + 3) / to_nearest_double(measure.tau);
  return roundings * 0x1p-53 * size * (1 + 0x1p-20);
}

double greatest_size(const std::vector<double>& values) {
  double size = 0;
  for (const double value : values) size = std::max(size, std::abs(value));
  return size;
}

double reward_size(const ReachableStates& reachable) {
  return round_up(std::max(Rational(abs(reachable.least_reward())),
                           Rational(abs(reachable.greatest_reward()))));
}

void look(const Limits& limits) {
  if (limits.ended()) throw MarkovPassEnded{};
}

RecursiveValue finite_value(const ReachableStates& reachable,
                            const StepMeasure& measure,
                            const Limits& limits) {
  const StepBack<double> back(reachable, measure);
  const std::uint64_t horizon = reachable.setting().horizon;
  MarkovLayer<double> layer = last_layer<double>(reachable);
  RecursiveValue found;
  found.decisions.resize(horizon);
  const double gamma = round_up(reachable.setting().discount);
  const double rewards = reward_size(reachable);
  for (std::uint64_t t = horizon; t-- > 0;) {
    look(limits);
    const double size = rewards + greatest_size(layer.value) + found.error;
    back(layer, &found.decisions[t], reachable.setting().adversarial);
    found.error = (gamma * found.error + step_error(reachable, measure, size)) * (1 + 0x1p-50);
  }
  found.start = back.start(layer);
  if (reachable.starts() > 1)
    found.error += step_error(reachable, measure, greatest_size(layer.value) + found.error);
  found.is_missed = layer.is_missed_from_start(reachable);
  found.values = std::move(layer.value);
  return found;
}

RecursiveValue exact_value(const ReachableStates& reachable,
                           const StepMeasure& measure,
                           const Limits& limits) {
  const StepBack<Rational> back(reachable, measure);
  MarkovLayer<Rational> layer = last_layer<Rational>(reachable);
  RecursiveValue found;
  found.decisions.resize(reachable.setting().horizon);
  for (std::uint64_t t = reachable.setting().horizon; t-- > 0;) {
    look(limits);
    back(layer, &found.decisions[t], reachable.setting().adversarial);
  }
  found.exact = back.start(layer);
  found.start = to_nearest_double(*found.exact);
  for (const Rational& value : layer.value) found.values.push_back(to_nearest_double(value));
  found.is_missed = layer.is_missed_from_start(reachable);
  return found;
}

// Until a step changes so little that the fixed point is near enough, or nothing any more.
RecursiveValue fixed_point(const ReachableStates& reachable,
                           const StepMeasure& measure,
                           double wanted,
                           const Limits& limits) {
  const StepBack<double> back(reachable, measure);
  const double for_ever = round_up(Rational(1 / (1 - reachable.setting().discount)));
  const double rewards = reward_size(reachable);
  MarkovLayer<double> layer = last_layer<double>(reachable);
  RecursiveValue found;
  found.is_missed = layer.is_missed_from_start(reachable);
  found.decisions.resize(1);
  found.error = HUGE_VAL;
  for (int without_gain = 0; found.error > wanted && without_gain < 20;) {
    look(limits);
    MarkovLayer<double> next = layer;
    std::vector<Choice> decisions;
    back(next, &decisions, reachable.setting().adversarial);
    double change = 0;
    for (std::size_t i = 0; i < reachable.size(); ++i)
      change = std::max(change, std::abs(next.value[i] - layer.value[i]));
    const double size = rewards + greatest_size(layer.value);
    const double error = (change + step_error(reachable, measure, size)) * for_ever * (1 + 0x1p-40);
    ++without_gain;
    if (error < found.error) {
      without_gain = 0;
      found.error = error;
      found.start = back.start(layer);
      found.values = layer.value;
      found.decisions[0] = std::move(decisions);
    }
    layer = std::move(next);
  }
  if (reachable.starts() > 1 && std::isfinite(found.error))
    found.error += step_error(reachable, measure, greatest_size(found.values) + found.error);
  return found;
}

}  // namespace

StepMeasure StepMeasure::cvar(const Rational& tau) {
  if (tau == 0) return {Kind::worst, tau};
  if (tau == 1) return {Kind::mean, tau};
  return {Kind::tail, tau};
}

Rational RecursiveValue::lower() const {
  return exact ? *exact : Rational(Rational(start) - Rational(error));
}

Rational RecursiveValue::upper() const {
  return exact ? *exact : Rational(Rational(start) + Rational(error));
}

RecursiveValue recursive_value(const ReachableStates& reachable,
                               const StepMeasure& measure,
                               const Rational& wanted,
                               bool exact,
                               const Limits& limits) {
  if (reachable.setting().is_infinite())
    return fixed_point(reachable, measure, round_down(wanted), limits);
  return exact ? exact_value(reachable, measure, limits) : finite_value(reachable, measure, limits);
}

Rational least_total(const ReachableStates& reachable, const Limits& limits) {
  if (reachable.setting().is_infinite())
    return std::min(reachable.least_reward(), Rational(0)) * reachable.steps_worth();
  const StepMeasure worst{StepMeasure::Kind::worst, 0};
  const StepBack<double> back(reachable, worst);
  MarkovLayer<double> layer{std::vector<double>(reachable.size(), 0.0),
                            std::vector<char>(reachable.size(), 0)};
  double error = 0;
  for (std::uint64_t t = reachable.setting().horizon; t-- > 0;) {
    look(limits);
    const double size = reward_size(reachable) + greatest_size(layer.value) + error;
    back(layer, nullptr, true);
    error = (error + step_error(reachable, worst, size)) * (1 + 0x1p-50);
  }
  return Rational(back.start(layer)) - Rational(error);
}

}  // namespace quantiplan
