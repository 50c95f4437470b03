// The best mean that keeps a promise at the infinite discounted horizon, against its first T steps.
//
//     W = W_T + tail,   tail in [low, high]  with  high - low -> 0
//
// Whoever has P(W_T + low >= q) >= theta keeps the promise, and has a mean of E W_T + low at least;
// whoever keeps it has P(W_T + high >= q) >= theta, and a mean of E W_T + high at most. So the best
// means of the first T steps at q - low and q - high, with the tails added, enclose the true bound.
#include <gtest/gtest.h>

#include "harness/comparisons.hpp"
#include "harness/harness.hpp"
#include "harness/random_model.hpp"
#include "oracles/discounted_play.hpp"
#include "oracles/unfolding.hpp"
#include "promises/promise_reference.hpp"
#include "quantiplan/solve.hpp"

namespace quantiplan::testing {
namespace {

constexpr std::uint64_t kSteps = 5;

class CutOffCase {
 public:
  CutOffCase(std::uint64_t case_seed, PlainModel plain_model)
      : seed(case_seed), plain(std::move(plain_model)), model(build(plain)), first_(plain_first()) {
    const Tails tails = tails_of(plain);
    Rational factor = 1;
    for (std::uint64_t t = 0; t < kSteps; ++t) factor *= plain.discount;
    low = factor * tails.least;
    high = factor * tails.most;
  }
  static bool fits(const PlainModel& plain) {
    return plain.is_infinite() && plain.discount != 1 && plain.goal.empty();
  }

  std::uint64_t seed;
  PlainModel plain;
  Model model;
  Rational low, high;  // of the tail

  // No more than the true bound, and no less; absent if the first steps do not tell.
  std::optional<Rational> bound_below(const Rational& level, const Rational& theta, Side side) {
    const auto bound = first_.mean_bound(level - low, theta, side);
    return bound ? std::optional<Rational>(*bound + low) : std::nullopt;
  }
  std::optional<Rational> bound_above(const Rational& level, const Rational& theta, Side side) {
    const auto bound = first_.mean_bound(level - high, theta, side);
    return bound ? std::optional<Rational>(*bound + high) : std::nullopt;
  }

 private:
  [[nodiscard]] PlainModel plain_first() const {
    PlainModel first = plain;
    first.horizon = kSteps;
    return first;
  }
  PromiseReference first_;
};

// Without a goal.
PlainModel discounted_sums(std::uint64_t seed) {
  PlainModel model = discounted_model(seed);
  model.goal.clear();
  return model;
}

QUANTIPLAN_PROPERTY_OF(CutOffCase, PromisesWithoutEndAreKept, discounted_sums, 0.1) {
  Dice dice(c.seed ^ 0x6375746F6666U);
  Setting setting;
  setting.cost = c.plain.cost;
  Query query{{Rational(static_cast<unsigned long>(dice.between(1, 96)), 97)},
              Sides::both,
              setting,
              true,
              Prefer::mean};
  query.mixed = dice.one_in(2);
  Options options;
  if (dice.one_in(3)) options.epsilon = Rational(1, 20);
  const Answer answer = solve(c.model, query, options);
  for (const Result& result : answer.results) {
    const std::string where = place("infinite horizon", result.tau, result.side);
    if (result.prefer != Prefer::mean) {
      require(!answer.engine.left_out.empty(), where + "the mean was left out without a word");
      continue;
    }
    const Rational theta = 1 - result.tau;
    const Rational level = result.quantile->value();
    require(result.mean && result.mean_bound, where + "no numbers");
    const Rational mean = result.mean->exact.value_or(Rational(result.mean->nearest));
    const Rational bound = result.mean_bound->greatest();
    const auto least = c.bound_below(level, theta, result.side);
    if (least)
      require(result.mean_bound->nearest >= to_nearest_double(*least),
              where + "bound " + shown(bound) + ", but some policy has " + shown(*least));
    const auto most = c.bound_above(level, theta, result.side);
    require(most && mean <= *most, where + "mean " + shown(mean) + " is more than any policy has");
    const auto require_kept = [&](const Policy& policy, const std::string& which) {
      const ProbabilityBracket reached = play_discounted(c.plain, c.model, policy, level);
      require(reached.upper >= theta, where + which + " breaks the promise");
    };
    require_kept(result.policy(), "the policy");
    if (!result.mixed) continue;
    const Policy mixture = result.mixed->policy();
    Rational reached = 0;
    for (const MixturePart& part : mixture.mixture)
      reached += part.weight * play_discounted(c.plain, c.model, part.policy, level).upper;
    require(reached >= theta, where + "the coin breaks the promise");
    require(!most || Rational(result.mixed->mean.nearest) <= *most,
            where + "the coin has more than any policy");
  }
}

}  // namespace
}  // namespace quantiplan::testing
