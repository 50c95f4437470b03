#include "markov/recursive_value.hpp"

#include <algorithm>
#include <cmath>

#include "numbers/directed.hpp"

namespace quantiplan {
namespace {

// The numbers of a model in one arithmetic.
template <class Number>
struct NumbersOf {
  explicit NumbersOf(const MarkovGround& g) : ground(g) {}
  const MarkovGround& ground;
  [[nodiscard]] Number probability(const Outcome& o) const {
    if constexpr (std::is_same_v<Number, double>) {
      return ground.model().probabilities().nearest(o.probability);
    } else {
      return ground.model().probability(o);
    }
  }
  [[nodiscard]] Number reward(const Outcome& o) const {
    if constexpr (std::is_same_v<Number, double>) {
      return ground.model().rewards().nearest(o.reward);
    } else {
      return ground.model().reward(o);
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
  StepBack(const MarkovGround& ground, const StepMeasure& measure)
      : numbers_(ground),
        measure_(measure),
        tau_(numbers_.of(measure.tau)),
        gamma_(numbers_.of(ground.setting().discount)) {}

  void operator()(MarkovLayer<Number>& layer, std::vector<Choice>* decisions, bool least) const {
    const auto back_up = [this](Choice c, const MarkovLayer<Number>& next) {
      return measured(c, next);
    };
    if (least) {
      step_back(numbers_.ground, layer, back_up, std::less<Number>(), decisions);
    } else {
      step_back(numbers_.ground, layer, back_up, std::greater<Number>(), decisions);
    }
  }

  // Of the initial states: a draw is no step, but what comes of it is measured like one.
  [[nodiscard]] Number start(const MarkovLayer<Number>& layer) const {
    const MarkovGround& ground = numbers_.ground;
    if (ground.starts() == 1) return layer.value[0];
    parts_.clear();
    for (std::size_t i = 0; i < ground.starts(); ++i)
      parts_.push_back({layer.value[i], numbers_.of(ground.start_probability(i))});
    return of_parts();
  }

 private:
  struct Part {
    Number value;
    Number probability;
  };

  [[nodiscard]] Number measured(Choice c, const MarkovLayer<Number>& next) const {
    const MarkovGround& ground = numbers_.ground;
    parts_.clear();
    for (const Outcome& o : ground.model().outcomes(c)) {
      parts_.push_back({numbers_.reward(o) + gamma_ * next.value[ground.position(o.next)],
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
MarkovLayer<Number> last_layer(const MarkovGround& ground) {
  MarkovLayer<Number> layer{std::vector<Number>(ground.size(), Number(0)),
                            std::vector<char>(ground.size(), 0)};
  for (std::size_t i = 0; i < ground.size(); ++i) layer.is_missed[i] = ground.is_missed(i) ? 1 : 0;
  return layer;
}

// What one step in doubles may be off by, `size` being the greatest |r| + |V|. With u = 2^-53 and b outcomes:
// numbers, sums and products are rounded at most b + 6 times; a share that is left over has an error of 2 u for
// each outcome before it, so that all shares together are off by (b + 2)^2 u, of tau.
double step_error(const MarkovGround& ground, const StepMeasure& measure, double size) {
  const auto b = static_cast<double>(ground.most_outcomes());
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

double reward_size(const MarkovGround& ground) {
  return round_up(
      std::max(Rational(abs(ground.least_reward())), Rational(abs(ground.greatest_reward()))));
}

void look(const Limits& limits) {
  if (limits.ended()) throw MarkovPassEnded{};
}

RecursiveValue finite_value(const MarkovGround& ground,
                            const StepMeasure& measure,
                            const Limits& limits) {
  const StepBack<double> back(ground, measure);
  const std::uint64_t horizon = ground.setting().horizon;
  MarkovLayer<double> layer = last_layer<double>(ground);
  RecursiveValue found;
  found.decisions.resize(horizon);
  const double gamma = round_up(ground.setting().discount);
  const double rewards = reward_size(ground);
  for (std::uint64_t t = horizon; t-- > 0;) {
    look(limits);
    const double size = rewards + greatest_size(layer.value) + found.error;
    back(layer, &found.decisions[t], ground.setting().adversarial);
    found.error = (gamma * found.error + step_error(ground, measure, size)) * (1 + 0x1p-50);
  }
  found.start = back.start(layer);
  if (ground.starts() > 1)
    found.error += step_error(ground, measure, greatest_size(layer.value) + found.error);
  found.is_missed = layer.is_missed_from_start(ground);
  found.values = std::move(layer.value);
  return found;
}

RecursiveValue exact_value(const MarkovGround& ground,
                           const StepMeasure& measure,
                           const Limits& limits) {
  const StepBack<Rational> back(ground, measure);
  MarkovLayer<Rational> layer = last_layer<Rational>(ground);
  RecursiveValue found;
  found.decisions.resize(ground.setting().horizon);
  for (std::uint64_t t = ground.setting().horizon; t-- > 0;) {
    look(limits);
    back(layer, &found.decisions[t], ground.setting().adversarial);
  }
  found.exact = back.start(layer);
  found.start = to_nearest_double(*found.exact);
  for (const Rational& value : layer.value) found.values.push_back(to_nearest_double(value));
  found.is_missed = layer.is_missed_from_start(ground);
  return found;
}

// Until a step changes so little that the fixed point is near enough, or nothing any more.
RecursiveValue fixed_point(const MarkovGround& ground,
                           const StepMeasure& measure,
                           double wanted,
                           const Limits& limits) {
  const StepBack<double> back(ground, measure);
  const double for_ever = round_up(Rational(1 / (1 - ground.setting().discount)));
  const double rewards = reward_size(ground);
  MarkovLayer<double> layer = last_layer<double>(ground);
  RecursiveValue found;
  found.is_missed = layer.is_missed_from_start(ground);
  found.decisions.resize(1);
  found.error = HUGE_VAL;
  for (int without_gain = 0; found.error > wanted && without_gain < 20;) {
    look(limits);
    MarkovLayer<double> next = layer;
    std::vector<Choice> decisions;
    back(next, &decisions, ground.setting().adversarial);
    double change = 0;
    for (std::size_t i = 0; i < ground.size(); ++i)
      change = std::max(change, std::abs(next.value[i] - layer.value[i]));
    const double size = rewards + greatest_size(layer.value);
    const double error = (change + step_error(ground, measure, size)) * for_ever * (1 + 0x1p-40);
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
  if (ground.starts() > 1 && std::isfinite(found.error))
    found.error += step_error(ground, measure, greatest_size(found.values) + found.error);
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

RecursiveValue recursive_value(const MarkovGround& ground,
                               const StepMeasure& measure,
                               const Rational& wanted,
                               bool exact,
                               const Limits& limits) {
  if (ground.setting().is_infinite())
    return fixed_point(ground, measure, round_down(wanted), limits);
  return exact ? exact_value(ground, measure, limits) : finite_value(ground, measure, limits);
}

Rational least_total(const MarkovGround& ground, const Limits& limits) {
  if (ground.setting().is_infinite())
    return std::min(ground.least_reward(), Rational(0)) * ground.steps_worth();
  const StepMeasure worst{StepMeasure::Kind::worst, 0};
  const StepBack<double> back(ground, worst);
  MarkovLayer<double> layer{std::vector<double>(ground.size(), 0.0),
                            std::vector<char>(ground.size(), 0)};
  double error = 0;
  for (std::uint64_t t = ground.setting().horizon; t-- > 0;) {
    look(limits);
    const double size = reward_size(ground) + greatest_size(layer.value) + error;
    back(layer, nullptr, true);
    error = (error + step_error(ground, worst, size)) * (1 + 0x1p-50);
  }
  return Rational(back.start(layer)) - Rational(error);
}

}  // namespace quantiplan
