#include "criteria/criteria_judge.hpp"

#include <stdexcept>

namespace quantiplan::testing {
namespace {

using Kind = Criterion::Kind;

Rational worst(const Law& law) { return law.begin()->first.value(); }

// The mean of the worst share tau: atom by atom until the share is full.
Rational worst_share(const Law& law, const Rational& tau) {
  if (tau == 0) return worst(law);
  Rational left = tau;
  Rational sum = 0;
  for (const auto& [wealth, probability] : law) {
    const Rational part = probability < left ? probability : left;
    sum += part * wealth.value();
    left -= part;
  }
  return sum / tau;
}

Rational square_mean(const Law& law) {
  Rational sum = 0;
  for (const auto& [wealth, probability] : law)
    sum += probability * wealth.value() * wealth.value();
  return sum;
}

Rational expected_utility(const Law& law, const Utility& utility) {
  Rational sum = 0;
  for (const auto& [wealth, probability] : law)
    sum += probability * utility.exactly(wealth.value());
  return sum;
}

}  // namespace

Rational worth(const Law& law, const Criterion& criterion, const Rational& tau) {
  const Rational& parameter = criterion.parameter;
  switch (criterion.kind) {
    case Kind::cvar:
      return worst_share(law, tau);
    case Kind::mean_cvar:
      return (1 - parameter) * worst_share(law, tau) + parameter * mean(law);
    case Kind::worst_case:
      return worst(law);
    case Kind::expectation:
      return mean(law);
    case Kind::utility:
      return expected_utility(law, *criterion.utility);
    case Kind::mean_variance:
      return mean(law) - parameter * (square_mean(law) - mean(law) * mean(law));
    default:
      throw std::logic_error("no rational criterion");
  }
}

Rational best_worth(const std::vector<Law>& laws, const Criterion& criterion, const Rational& tau) {
  Rational best = worth(laws.front(), criterion, tau);
  for (const Law& law : laws) {
    const Rational value = worth(law, criterion, tau);
    if (value > best) best = value;
  }
  return best;
}

}  // namespace quantiplan::testing
