#include "check/common/counted_claim.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

namespace quantiplan::checking {
namespace {

Side other(Side side) { return side == Side::lower ? Side::upper : Side::lower; }

Demand demand_of(const PolicyClaim& claim, bool adversarial) {
  if (adversarial) return {claim.tau, other(claim.side)};
  return {Rational(1 - claim.tau), claim.side};
}

bool is_threshold(const PolicyClaim& claim) { return claim.kind == PolicyClaim::Kind::threshold; }

Total own_total(const Policy& policy, const PolicyClaim& claim) {
  const bool shows_upper = policy.setting.adversarial && !is_threshold(claim);
  return shows_upper ? claim.upper.value_or(claim.quantile) : claim.quantile;
}

Total beyond_total(const Policy& policy, const PolicyClaim& claim) {
  const bool holds_upper = !policy.setting.adversarial && !is_threshold(claim);
  return holds_upper ? claim.upper.value_or(claim.quantile) : claim.quantile;
}

// What is no number promises nothing: it is refuted as the policy's own probability.
Rational rational(double value) { return std::isfinite(value) ? Rational(value) : Rational(1); }
// What a double says as it is stored, and as its shortest text: 0.2 is one fifth.
std::optional<std::pair<Rational, Rational>> meanings_of(double value) {
  if (!std::isfinite(value)) return std::nullopt;
  return std::minmax(Rational(value), Number::from_double(value).rational());
}
std::optional<Rational> lower_bound_of(double value) {
  const auto meanings = meanings_of(value);
  return meanings ? std::optional(meanings->first) : std::nullopt;
}

}  // namespace

CountedClaim::CountedClaim(const Policy& policy, const PolicyClaim& claim)
    : own(policy.setting,
          own_total(policy, claim),
          /*strictly=*/policy.setting.adversarial && checking::is_threshold(claim)),
      beyond(policy.setting,
             beyond_total(policy, claim),
             /*strictly=*/policy.setting.adversarial || !checking::is_threshold(claim)),
      is_threshold(checking::is_threshold(claim)),
      is_adversarial(policy.setting.adversarial),
      demand(demand_of(claim, policy.setting.adversarial)),
      beyond_demand(demand),
      nearest(claim.probability),
      exact(claim.exact_probability),
      least(lower_bound_of(claim.probability)),
      text(shown(claim.probability)),
      mean(claim.mean),
      is_mean_bound(policy.setting.is_infinite()),
      mean_bound(claim.mean_bound),
      weight(claim.weight) {
  if (is_threshold) {
    count_threshold(claim, policy.grid.has_value());
  } else {
    is_bound = claim.upper.has_value() || policy.grid.has_value();
    is_nearest = !claim.upper.has_value();
  }
}

CountedClaim::CountedClaim(const std::string& class_name, const PolicyClaim& claim)
    : own(class_name, /*strictly=*/false),
      beyond(class_name, /*strictly=*/!checking::is_threshold(claim)),
      is_threshold(checking::is_threshold(claim)),
      demand(demand_of(claim, /*adversarial=*/false)),
      beyond_demand(demand),
      is_nearest(true),
      nearest(claim.probability),
      exact(claim.exact_probability),
      least(lower_bound_of(claim.probability)),
      text(shown(claim.probability)),
      mean(claim.mean),
      mean_bound(claim.mean_bound),
      weight(claim.weight) {
  if (is_threshold) count_threshold(claim, /*by_grid=*/false);
}

void CountedClaim::count_threshold(const PolicyClaim& claim, bool by_grid) {
  is_bound = claim.most_probability.has_value() || by_grid;
  is_nearest = !claim.most_probability.has_value();
  const bool is_exact = exact && !claim.most_probability;
  const double upper = claim.most_probability.value_or(claim.probability);
  // A double may stand for 1 less another, which rounds once more.
  constexpr double kRounding = 0x1p-50;
  Rational most = is_exact ? *exact : rational(upper);
  most_text = shown(upper);
  if (is_adversarial) {
    nearest = 1 - upper;
    least.reset();
    // The nearest double, if it is no end of a bracket.
    if (const auto meanings = meanings_of(upper))
      least = Rational(1 - meanings->second - (is_nearest ? Rational(kRounding) : Rational(0)));
    rounding = kRounding;
    text = "1 - " + shown(upper);
    most = 1 - (is_exact ? *exact : rational(claim.probability));
    most_text = "1 - " + shown(claim.probability);
    if (is_exact) {
      exact = Rational(1 - *exact);
    } else {
      exact.reset();
    }
  }
  demand = {claimed().value_or(2), Side::upper};
  // The upper end of a bracket holds as it is written.
  if (is_nearest && !is_exact) most += Rational(kRounding);
  beyond_demand = {most, Side::lower};
}

std::optional<Rational> CountedClaim::claimed() const {
  if (exact) return exact;
  return least;
}

bool CountedClaim::is_reached_by(const Rational& probability) const {
  const std::optional<Rational> bound = claimed();
  return bound && *bound <= probability;
}

namespace {

// A number that is exactly claimed, and the double beside it.
bool is_consistent(const Value& value) {
  if (!std::isfinite(value.nearest)) return false;
  return !value.exact || to_nearest_double(*value.exact) == value.nearest;
}

}  // namespace

std::string wrong_means(const Policy& policy, const PolicyClaim& claim) {
  if (!claim.mean && !claim.mean_bound) return {};
  const ResolvedSetting& setting = policy.setting;
  const bool is_bound_of_threshold =
      claim.kind == PolicyClaim::Kind::threshold && claim.mean_bound.has_value();
  if (is_bound_of_threshold || !setting.goal.empty() || setting.adversarial ||
      (setting.is_infinite() && setting.discount == 1))
    return "The claim speaks of a mean where none is promised.";
  if (!claim.mean) return "The claim bounds the mean without a mean.";
  if (!is_consistent(*claim.mean) || (claim.mean_bound && !is_consistent(*claim.mean_bound)))
    return "A claimed mean is not the nearest double to the exactly claimed one.";
  if (!claim.mean_bound) return {};
  const Value& bound = *claim.mean_bound;
  if (bound.nearest < claim.mean->nearest ||
      (bound.exact && claim.mean->exact && *bound.exact < *claim.mean->exact))
    return "The claimed bound of the mean, " + shown(bound.nearest) + ", is below the mean " +
           shown(claim.mean->nearest) + ".";
  if (claim.weight && *claim.weight < 0) return "The claimed weight is below 0.";
  if (!claim.weight && claim.tau != 0)
    return "The claim bounds the mean without a weight to prove it by.";
  return {};
}

std::string wrong_probability(const PolicyClaim& claim) {
  if (!claim.exact_probability || is_consistent({claim.probability, claim.exact_probability}))
    return {};
  const bool is_bound = !is_threshold(claim) && claim.upper.has_value();
  if (!is_bound)
    return "The claimed probability is not the nearest double to the exactly claimed one.";
  if (rational(claim.probability) <= *claim.exact_probability) return {};
  return "The claimed probability " + shown(claim.probability) +
         " is above the exactly claimed one.";
}

std::string wrong_claim(const Policy& policy, const PolicyClaim& claim) {
  if (std::string wrong = wrong_means(policy, claim); !wrong.empty()) return wrong;
  if (std::string wrong = wrong_probability(claim); !wrong.empty()) return wrong;
  const bool has_goal = !policy.setting.goal.empty();
  if (!has_goal && (claim.quantile.is_miss() || (claim.upper && claim.upper->is_miss())))
    return "The claim speaks of a miss, but there is no goal.";
  if (is_threshold(claim)) return wrong_threshold(claim);
  if (claim.upper && *claim.upper < claim.quantile)
    return "The claimed bracket ends at " + to_text(*claim.upper) + ", below its quantile " +
           to_text(claim.quantile) + ".";
  return wrong_tau(claim);
}

std::string wrong_threshold(const PolicyClaim& claim) {
  if (!claim.most_probability || *claim.most_probability >= claim.probability) return {};
  return "The claimed bracket ends at " + shown(*claim.most_probability) +
         ", below its probability " + shown(claim.probability) + ".";
}

std::string wrong_tau(const PolicyClaim& claim) {
  const bool lower = claim.side == Side::lower;
  const bool known = lower ? claim.tau > 0 && claim.tau <= 1 : claim.tau >= 0 && claim.tau < 1;
  if (known) return {};
  return "The claimed tau is " + to_text(claim.tau) + ": " +
         (lower ? "a lower quantile needs it in (0, 1]." : "an upper quantile needs it in [0, 1).");
}

}  // namespace quantiplan::checking
