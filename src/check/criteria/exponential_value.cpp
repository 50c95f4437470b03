#include "check/criteria/exponential_value.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

#include "numbers/enclosure.hpp"

namespace quantiplan::checking {
namespace {

class ExponentialMoments {
 public:
  explicit ExponentialMoments(const TotalsLaw& law) : least_(law.begin()->first) {
    for (const auto& [total, p] : law) {
      const Rational distance = total - least_;
      exact_.emplace_back(p, distance);
      rough_.emplace_back(to_nearest_double(p), to_nearest_double(distance));
      mean_ += p * distance;
    }
  }

  [[nodiscard]] const Rational& least() const { return least_; }
  [[nodiscard]] const Rational& mean() const { return mean_; }  // of X

  struct At {
    Enclosure mass;      // M
    Enclosure distance;  // A
  };
  [[nodiscard]] At at(const Enclosure& beta) const {
    At out{Enclosure(Rational(0)), Enclosure(Rational(0))};
    for (const auto& [p, distance] : exact_) {
      const Enclosure part = p * exp(-(beta * distance));
      out.mass += part;
      out.distance += part * distance;
    }
    return out;
  }

  struct Tangent {
    Enclosure value;
    Enclosure slope;
  };
  [[nodiscard]] Tangent tangent(double l, const Enclosure& log_tau) const {
    const Enclosure scale{Rational(l)};
    const At moments = at(Enclosure(Rational(1)) / scale);
    const Enclosure ratio = log_tau - log(moments.mass);
    return {scale * ratio, ratio - moments.distance / (scale * moments.mass)};
  }

  // Where f' changes its sign, as doubles see it.
  [[nodiscard]] double top(double log_tau) const {
    double low = 0x1p-900;
    double high = 0x1p900;
    for (int i = 0; i < 1200 && high > low * (1 + 0x1p-45); ++i) {
      const double middle = std::sqrt(low) * std::sqrt(high);
      (rough_slope(middle, log_tau) > 0 ? low : high) = middle;
    }
    return low;
  }

 private:
  [[nodiscard]] double rough_slope(double l, double log_tau) const {
    double mass = 0;
    double distance = 0;
    for (const auto& [p, x] : rough_) {
      const double part = p * std::exp(-x / l);
      mass += part;
      distance += part * x;
    }
    return log_tau - std::log(mass) - distance / l / mass;
  }

  Rational least_;
  Rational mean_ = 0;
  std::vector<std::pair<Enclosure, Enclosure>> exact_;
  std::vector<std::pair<double, double>> rough_;
};

}  // namespace

ValueBounds entropic_of_law(const TotalsLaw& law, const Rational& beta) {
  const ExponentialMoments moments(law);
  const Enclosure power(beta);
  const Enclosure found = -(log(moments.at(power).mass) / power);
  // By Jensen's inequality no more than the mean, and X >= 0.
  return {moments.least() + std::max(Rational(0), found.lower_exactly()),
          moments.least() + std::min(moments.mean(), found.upper_exactly())};
}

ValueBounds evar_of_law(const TotalsLaw& law, const Rational& tau) {
  const ExponentialMoments moments(law);
  if (law.begin()->second >= tau) return ValueBounds::exactly(moments.least());
  const Enclosure log_tau = log(Enclosure(tau));
  const double top = moments.top(log_tau.upper());
  ValueBounds out{0, moments.mean()};
  for (double spread = 0x1p-30; spread < 1; spread *= 8) {
    const double low = top * (1 - spread);
    const double high = top * (1 + spread);
    const auto rising = moments.tangent(low, log_tau);
    const auto falling = moments.tangent(high, log_tau);
    for (const auto* each : {&rising, &falling})
      out.lower = std::max(out.lower, each->value.lower_exactly());
    if (rising.slope.sign() <= 0 || falling.slope.sign() >= 0) continue;
    const Enclosure width = Enclosure(Rational(high)) - Enclosure(Rational(low));
    out.upper = std::min({out.upper,
                          (rising.value + rising.slope * width).upper_exactly(),
                          (falling.value - falling.slope * width).upper_exactly()});
    break;
  }
  return {moments.least() + out.lower, moments.least() + out.upper};
}

}  // namespace quantiplan::checking
