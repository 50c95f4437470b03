#include "check/criteria/rounded_worth.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <functional>
#include <limits>
#include <set>
#include <vector>

#include "check/criteria/index_steps.hpp"
#include "check/criteria/outward_sum.hpp"
#include "check/criteria/rounded_pass.hpp"
#include "numbers/directed.hpp"

namespace quantiplan::checking {
namespace {

FinalWorth slopes(const ShareWorth& worth, bool up) {
  const Rational loss = worth.weight + (1 - worth.weight) / worth.tau;
  // Gains are rounded to their side, losses to the other.
  return {up ? round_up(worth.weight) : round_down(worth.weight),
          up ? round_down(loss) : round_up(loss)};
}

// The greatest of y + U(y) over all y, of which U is known at the indices from `first` on. Between two of them y + U rises by
// no more than 1 - weight, and falls by no more than the slope below less 1.
double greatest_between(
    const std::vector<double>& worth, std::int64_t first, double size, double rise, double fall) {
  const auto value = [&](std::size_t n) {
    return difference(
        worth[n], -static_cast<double>(first + static_cast<std::int64_t>(n)) * size, true);
  };
  double best = value(0);
  for (std::size_t n = 0; n + 1 < worth.size(); ++n) {
    const double left = value(n);
    const double right = value(n + 1);
    // left + rise d = right + fall (size - d)
    const double d = rise + fall > 0 ? (right + fall * size - left) / (rise + fall) : 0;
    best = std::max({best, right, outward(left + rise * std::clamp(d, 0.0, size), true)});
  }
  return best;
}

// The greatest of y + U(y), with u(x) = weight x + (1 - weight) / tau min(x, 0).
std::optional<double> most_share(const IndexSteps& steps,
                                 const ShareWorth& share,
                                 CheckLimits& limits) {
  const FinalWorth worth = slopes(share, true);
  RoundedPass pass(steps, worth, true, limits);
  const auto [low, high] = pass.start();
  if (static_cast<double>(high) - static_cast<double>(low) > kMostWork) return std::nullopt;
  const auto found = pass.run(low, high);
  if (!found) return std::nullopt;
  return greatest_between(
      *found, low, steps.size(0), round_up(1 - share.weight), std::max(0.0, worth.below - 1));
}

// Finer and finer grids, until the bound is low enough or there are too many places.
std::optional<double> refined(
    const Model& model,
    const Policy& policy,
    const ValueBounds& claimed,
    CheckLimits& limits,
    const std::function<std::optional<double>(const IndexSteps&)>& bound) {
  std::optional<double> best;
  for (int halvings = 0; halvings <= 6; halvings += 2) {
    const auto steps =
        IndexSteps::of_all(model, policy, claimed.upper - claimed.lower, halvings, limits);
    if (!steps) return best;
    const auto found = bound(*steps);
    if (!found) return best;
    if (!best || *found < *best) best = found;
    if (Rational(*best) <= claimed.upper) return best;
  }
  return best;
}

}  // namespace

std::optional<double> least_worth(const Model& model,
                                  const Policy& policy,
                                  const ShareWorth& worth,
                                  CheckLimits& limits) {
  const auto steps = IndexSteps::of_policy(model, policy, limits);
  if (!steps) return std::nullopt;
  const FinalWorth slope = slopes(worth, false);
  // CVaR is no less than what any level shows: the target, or what follows it.
  std::set<double> levels{0};
  for (std::uint32_t i = 0; i < steps->states() && levels.size() < 5; ++i)
    if (!steps->is_end(i)) levels.insert(steps->rest(i));
  std::optional<double> best;
  for (const double level : levels) {
    RoundedPass pass(*steps, slope, false, limits, level);
    const auto found = pass.run(steps->target_index(), steps->target_index());
    if (!found || !std::isfinite(found->front())) continue;
    const double value = round_down(steps->target() + Rational(level) + Rational(found->front()));
    best = std::max(best.value_or(value), value);
  }
  return best;
}

std::optional<double> least_worth(const Model& model,
                                  const Policy& policy,
                                  const Utility& worth,
                                  CheckLimits& limits) {
  if (!worth.is_monotone()) return std::nullopt;
  const auto steps = IndexSteps::of_policy(model, policy, limits);
  if (!steps) return std::nullopt;
  const FinalWorth final{0, 0, &worth};
  const auto found =
      RoundedPass(*steps, final, false, limits).run(steps->target_index(), steps->target_index());
  if (!found || !std::isfinite(found->front())) return std::nullopt;
  return found->front();
}

std::optional<double> most_worth(const Model& model,
                                 const Policy& policy,
                                 const ShareWorth& worth,
                                 const ValueBounds& claimed,
                                 CheckLimits& limits) {
  return refined(model, policy, claimed, limits, [&](const IndexSteps& steps) {
    return most_share(steps, worth, limits);
  });
}

std::optional<double> most_worth(const Model& model,
                                 const Policy& policy,
                                 const Utility& worth,
                                 const ValueBounds& claimed,
                                 CheckLimits& limits) {
  if (!worth.is_monotone()) return std::nullopt;
  return refined(
      model, policy, claimed, limits, [&](const IndexSteps& steps) -> std::optional<double> {
        const FinalWorth final{0, 0, &worth};
        const auto found = RoundedPass(steps, final, true, limits).run(0, 0);
        if (!found || !std::isfinite(found->front())) return std::nullopt;
        return found->front();
      });
}

}  // namespace quantiplan::checking
