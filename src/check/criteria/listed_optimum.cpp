#include "check/criteria/listed_optimum.hpp"

#include <set>

#include "check/criteria/criterion_law.hpp"

namespace quantiplan::checking {
namespace {

constexpr std::size_t kMostTotals = 2'000;

}  // namespace

std::optional<ValueBounds> greatest_utility(BestWorth& best, const Utility& utility) {
  bool is_finite = true;
  const auto bound = [&](bool upper) {
    return best.best([&](const Rational& total) {
      const auto at = utility_bounds(utility, total);
      is_finite = is_finite && at;
      return !at ? Rational(0) : upper ? at->upper : at->lower;
    });
  };
  const Rational upper = bound(true);
  if (!is_finite) return std::nullopt;
  return ValueBounds{utility.is_exact() ? upper : bound(false), upper};
}

Rational greatest_share(BestWorth& best, const ShareWorth& worth) {
  const Rational loss = (1 - worth.weight) / worth.tau;
  const std::set<Rational> totals = best.totals();
  if (totals.size() > kMostTotals || totals.size() * best.places() > 20 * kMostPlacesOfBest)
    throw TooLarge{};
  std::optional<Rational> greatest;
  for (const Rational& y : totals) {
    const Rational value = y + best.best([&](const Rational& total) {
      const Rational x = total - y;
      return x < 0 ? Rational((worth.weight + loss) * x) : Rational(worth.weight * x);
    });
    if (!greatest || value > *greatest) greatest = value;
  }
  return *greatest;
}

}  // namespace quantiplan::checking
