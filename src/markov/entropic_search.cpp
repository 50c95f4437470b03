#include "markov/entropic_search.hpp"

#include <algorithm>
#include <cmath>

#include "numbers/enclosure.hpp"
#include "quantiplan/error.hpp"

namespace quantiplan {
namespace {

// beta R^2 / 8.
Rational hoeffding(const Rational& beta, const Rational& range) { return beta * range * range / 8; }

struct Cut {
  std::uint64_t steps;
  Rational discount;  // gamma^steps, rounded up
};

// The least T, as doubles tell it, with gamma^{2T} cost <= most, and a discount that proves what it is.
Cut cut_at(const Rational& gamma, const Rational& cost, const Rational& most) {
  const double ratio = to_nearest_double(cost / most);
  double steps = 0;
  if (ratio > 1) steps = std::ceil(std::log(ratio) / (-2 * std::log(to_nearest_double(gamma))));
  const auto count = static_cast<std::uint64_t>(steps);
  Enclosure power(Rational(1));
  const Enclosure factor(gamma);
  for (std::uint64_t t = 0; t < count; ++t) power = power * factor;
  return {count, power.upper_exactly()};
}

}  // namespace

EntropicSearch::EntropicSearch(const ReachableStates& reachable,
                               const Rational& epsilon,
                               bool exact,
                               const Limits& limits)
    : reachable_(reachable),
      epsilon_(epsilon),
      limits_(limits),
      mean_(recursive_value(reachable, {}, epsilon / 8, exact, limits)) {}

Rational EntropicSearch::greatest_beta() const {
  const Rational size = std::max(Rational(abs(reachable_.least_reward())),
                                 Rational(abs(reachable_.greatest_reward())));
  const Rational total =
      reachable_.setting().is_infinite() ? size * reachable_.steps_worth() : size;
  static const Rational kMost(Integer(1) << 60);
  return kMost / std::max(total, Rational(1));
}

EntropicValue EntropicSearch::at(const Rational& beta, MarkovDecisions* decisions) {
  if (beta > greatest_beta()) {
    throw Error(ErrorCode::refused,
                "beta",
                "found " + to_text(beta) + ", expected at most " + to_text(greatest_beta()) +
                    ": exp(beta r) would be beyond what is computed");
  }
  const bool is_mean = hoeffding(beta, reachable_.range()) <= epsilon_ / 2;
  if (mean_.is_missed) return {0, 0, true};
  if (is_mean) {
    if (decisions != nullptr) *decisions = mean_.decisions;
    return {mean_.lower() - hoeffding(beta, reachable_.range()), mean_.upper()};
  }
  ++passes_;
  return reachable_.setting().is_infinite() ? infinite(beta, decisions) : finite(beta, decisions);
}

EntropicValue EntropicSearch::finite(const Rational& beta, MarkovDecisions* decisions) {
  const std::uint64_t steps = reachable_.setting().horizon;
  if (decisions != nullptr) decisions->assign(steps, {});
  EntropicValue found = exponential_pass(reachable_, beta, steps, {}, decisions, limits_);
  found.upper = std::min(found.upper, mean_.upper());
  return found;
}

EntropicValue EntropicSearch::infinite(const Rational& beta, MarkovDecisions* decisions) {
  const Rational cost = hoeffding(beta, reachable_.range());
  const Cut cut = cut_at(reachable_.setting().discount, cost, epsilon_ / 4);
  if (decisions != nullptr) decisions->assign(cut.steps + 1, {});
  EntropicValue found =
      exponential_pass(reachable_, beta, cut.steps, mean_.values, decisions, limits_);
  if (decisions != nullptr) decisions->back() = mean_.decisions[0];
  const Rational tail = cut.discount * Rational(mean_.error);
  found.lower -= tail + cut.discount * cut.discount * cost;
  found.upper = std::min(Rational(found.upper + tail), mean_.upper());
  return found;
}

}  // namespace quantiplan
