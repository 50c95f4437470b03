#include "measures/tilted.hpp"

#include <algorithm>
#include <cmath>

namespace quantiplan {
namespace {

Enclosure of_double(double value) { return Enclosure(Rational(value)); }

// What two bounds leave.
Enclosure within(const Enclosure& a, const Rational& lower, const Rational& upper) {
  return Enclosure::between(std::max(a.lower_exactly(), lower), std::min(a.upper_exactly(), upper));
}

}  // namespace

TiltedLaw::TiltedLaw(const Law& law, const Limits& limits)
    : limits_(limits),
      least_(law.front().wealth.value()),
      least_probability_(law.front().probability),
      is_bounded_(law.back().wealth.is_finite()) {
  for (const LawAtom& atom : law) {
    if (!atom.wealth.is_finite()) continue;
    range_ = atom.wealth.value() - least_;
    sum_ += atom.probability * range_;
    atoms_.push_back({Enclosure(atom.probability), Enclosure(range_)});
    probabilities_.push_back(to_nearest_double(atom.probability));
    distances_.push_back(to_nearest_double(range_));
  }
}

TiltedLaw::Moments TiltedLaw::moments(const Enclosure& beta) const {
  Moments sums{Enclosure(Rational(0)), Enclosure(Rational(0))};
  for (std::size_t i = 0; i < atoms_.size(); ++i) {
    if (i % 1024 == 0) look_at_measures(limits_);
    const Atom& atom = atoms_[i];
    const Enclosure part = atom.probability * exp(-(beta * atom.distance));
    sums.mass += part;
    sums.distance += part * atom.distance;
  }
  return sums;
}

// Between the mean less beta range^2 / 8 (Hoeffding) and the mean, whatever cancels in the logarithm.
Enclosure TiltedLaw::entropic(const Rational& beta) const {
  const Enclosure power(beta);
  Enclosure found = -(log(moments(power).mass) / power);
  if (is_bounded_) found = within(found, sum_ - beta * range_ * range_ / 8, sum_);
  return Enclosure(least_) + found;
}

TiltedLaw::Tangent TiltedLaw::tangent(double scale, const Enclosure& log_tau) const {
  const Enclosure l = of_double(scale);
  const Moments sums = moments(Enclosure(Rational(1)) / l);
  const Enclosure ratio = log_tau - log(sums.mass);
  return {l * ratio, ratio - sums.distance / (l * sums.mass)};
}

double TiltedLaw::slope_in_doubles(double scale, double log_tau) const {
  look_at_measures(limits_);
  double mass = 0;
  double distance = 0;
  for (std::size_t i = 0; i < probabilities_.size(); ++i) {
    const double part = probabilities_[i] * std::exp(-distances_[i] / scale);
    mass += part;
    distance += part * distances_[i];
  }
  return log_tau - std::log(mass) - distance / (scale * mass);
}

// Where the slope changes its sign: halved between a scale where it is positive and one where it is not.
double TiltedLaw::best_scale(double log_tau) const {
  double high = distances_.back() / -log_tau;
  while (slope_in_doubles(high, log_tau) > 0 && high < 1e300) high *= 2;
  double low = high / 2;
  while (slope_in_doubles(low, log_tau) <= 0 && low > 1e-300) {
    high = low;
    low /= 2;
  }
  for (int i = 0; i < 60 && low < high; ++i) {
    const double middle = low + (high - low) / 2;
    (slope_in_doubles(middle, log_tau) > 0 ? low : high) = middle;
  }
  return low;
}

std::optional<Enclosure> TiltedLaw::greatest_near(double scale,
                                                  double spread,
                                                  const Enclosure& log_tau) const {
  const double low = scale * (1 - spread);
  const double high = scale * (1 + spread);
  const Tangent rising = tangent(low, log_tau);
  const Tangent falling = tangent(high, log_tau);
  if (rising.slope.sign() <= 0 || falling.slope.sign() >= 0) return std::nullopt;
  const Enclosure width = of_double(high) - of_double(low);
  const Rational upper = std::min((rising.value + rising.slope * width).upper_exactly(),
                                  (falling.value - falling.slope * width).upper_exactly());
  return Enclosure::between(std::max(rising.value.lower_exactly(), falling.value.lower_exactly()),
                            upper);
}

Enclosure TiltedLaw::evar(const Rational& tau) const {
  Enclosure least(least_);
  if (least_probability_ >= tau) return least;
  const Enclosure log_tau = log(Enclosure(tau));
  const double scale = best_scale(log_tau.lower());
  for (double spread = 0x1p-24; spread < 1; spread *= 16) {
    if (const auto found = greatest_near(scale, spread, log_tau)) return least + *found;
  }
  // Nothing was proved: the least lies below it, and above it the CVaR, E(X; worst share) / tau.
  return least + Enclosure::between(0, is_bounded_ ? sum_ : Rational(sum_ / tau));
}

}  // namespace quantiplan
