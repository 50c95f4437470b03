// The price of a promise, against all laws of a model and all coins between two of them.
#include <gtest/gtest.h>

#include <algorithm>

#include "harness/comparisons.hpp"
#include "harness/configurations.hpp"
#include "harness/harness.hpp"
#include "harness/random_model.hpp"
#include "quantiplan/solve.hpp"
#include "quantiplan/tradeoff.hpp"

namespace quantiplan::testing {
namespace {

struct Attained {
  Rational chance;
  Rational mean;
};

std::vector<Attained> attained(const std::vector<Law>& laws, const Total& level) {
  std::vector<Attained> out;
  out.reserve(laws.size());
  for (const Law& law : laws) out.push_back({at_least(law, level), mean(law)});
  return out;
}

// By definition: the best of those with P >= theta, alone or as a coin with one that has less.
std::optional<Rational> best_mean(const std::vector<Attained>& points, const Rational& theta) {
  std::optional<Rational> best;
  const auto offer = [&](const Rational& mean) {
    if (!best || mean > *best) best = mean;
  };
  for (const Attained& above : points) {
    if (above.chance < theta) continue;
    offer(above.mean);
    for (const Attained& below : points) {
      if (below.chance >= theta) continue;
      const Rational coin = (above.chance - theta) / (above.chance - below.chance);
      offer(coin * below.mean + (1 - coin) * above.mean);
    }
  }
  return best;
}

void require_rows(const Tradeoff& found, const std::string& where) {
  for (std::size_t i = 0; i < found.points.size(); ++i) {
    const TradeoffPoint& point = found.points[i];
    require(*point.mean.exact <= *point.mean_bound.exact, where + "a mean is beyond its bound");
    if (i == 0) continue;
    const TradeoffPoint& before = found.points[i - 1];
    require(before.level < point.level, where + "levels do not ascend");
    require(*before.mean.exact >= *point.mean.exact, where + "means rise");
    require(*before.mean_bound.exact >= *point.mean_bound.exact, where + "bounds rise");
  }
}

QUANTIPLAN_PROPERTY(EveryLevelHasItsPrice, tiny_model, 0.1) {
  const auto laws = all_laws(c.plain, kMostLaws);
  if (!laws) return;
  for (const Question& question : questions(c.query())) {
    TradeoffQuery query;
    query.tau = question.tau;
    query.side = question.side;
    const std::string where = place("tradeoff", question.tau, question.side);
    const Tradeoff found = tradeoff(c.model, query, exact_options());
    require_rows(found, where);
    require(!found.points.empty(), where + "no rows");
    for (const TradeoffPoint& point : found.points) {
      const auto best = best_mean(attained(*laws, point.level), 1 - question.tau);
      require(best && *point.mean_bound.exact >= *best, where + "the bound is too low");
      require(question.side == Side::lower || *point.mean_bound.exact == *best,
              where + "the bound is not attained");
      const Distribution law = evaluate(c.model, point.policy(), exact_options());
      require(*law.mean.exact == *point.mean.exact, where + "the mean is not the policy's");
      require(*law.at_least(point.level).exact >= point.probability.least(),
              where + "the probability is not the policy's");
    }
    // Levels without a row cost what the next row costs.
    for (const Rational& level : c.reference.levels()) {
      const auto row = std::ranges::find_if(
          found.points, [&](const TradeoffPoint& point) { return !(point.level < Total(level)); });
      if (question.side == Side::lower || Total(level) < found.points.front().level ||
          row == found.points.end())
        continue;
      require(*row->mean_bound.exact == *best_mean(attained(*laws, level), 1 - question.tau),
              where + "the price of level " + shown(level) + " is missing");
    }
    Query same{{question.tau},
               question.side == Side::lower ? Sides::lower : Sides::upper,
               {},
               true,
               Prefer::mean};
    const Result solved = solve(c.model, same, exact_options()).results.at(0);
    const TradeoffPoint& last = found.points.back();
    require(last.level == *solved.quantile, where + "the last level is not the quantile");
    require(*last.mean_bound.exact == *solved.mean_bound->exact,
            where + "another bound than solve");
    require(*last.mean.exact >= *solved.mean->exact, where + "a worse mean than solve");
  }
}

QUANTIPLAN_PROPERTY(TheHullIsThatOfAllLaws, tiny_model, 0.1) {
  const auto laws = all_laws(c.plain, kMostLaws);
  if (!laws) return;
  for (const Rational& level : c.reference.levels()) {
    TradeoffQuery query;
    query.target = level;
    const Tradeoff found = tradeoff(c.model, query, exact_options());
    const std::vector<Attained> points = attained(*laws, level);
    const std::string where = "target " + shown(level) + ": ";
    require(!found.points.empty() && *found.above->exact == 0, where + "not traced to its end");
    for (std::size_t i = 0; i < found.points.size(); ++i) {
      const TradeoffPoint& point = found.points[i];
      const auto best = best_mean(points, *point.probability.exact);
      require(best && *best == *point.mean.exact, where + "a vertex is not on the hull");
      if (i < 2) continue;
      const auto slope = [&](std::size_t k) -> Rational {
        return (*found.points[k].mean.exact - *found.points[k + 1].mean.exact) /
               (*found.points[k + 1].probability.exact - *found.points[k].probability.exact);
      };
      require(slope(i - 2) < slope(i - 1), where + "vertices are not concave");
    }
    for (const Attained& each : points)
      require(each.chance <= *found.points.back().probability.exact &&
                  each.mean <= *found.points.front().mean.exact,
              where + "an end is missing");
  }
}

QUANTIPLAN_PROPERTY(ACoinAttainsTheBound, tiny_model, 0.1) {
  Query query = c.query();
  query.prefer = Prefer::mean;
  query.mixed = true;
  for (const Result& result : solve(c.model, query, exact_options()).results) {
    const std::string where = place("mixed", result.tau, result.side);
    require(result.mixed.has_value(), where + "no coin");
    const Mixed& mixed = *result.mixed;
    const Policy policy = mixed.policy();
    const Distribution law = evaluate(c.model, policy, exact_options());
    require(*law.mean.exact == *mixed.mean.exact, where + "the mean is not the mixture's");
    require(*law.at_least(*result.quantile).exact == *mixed.probability.exact,
            where + "the probability is not the mixture's");
    const Rational theta = 1 - result.tau;
    const Rational gap = *result.mean_bound->exact - *mixed.mean.exact;
    require(gap >= 0, where + "the mean is beyond the bound");
    if (result.side == Side::upper) {
      require(gap == 0 && *mixed.probability.exact >= theta, where + "the bound is not attained");
      require(mixed.coin == 1 || *mixed.probability.exact == theta, where + "P is not theta");
    } else {
      require(*mixed.probability.exact > theta, where + "the promise is not kept");
      require(mixed.coin == 1 ||
                  gap * 1048576 <= c.outlook.at(c.plain.horizon, c.plain.initial).greatest -
                                       c.outlook.at(c.plain.horizon, c.plain.initial).least,
              where + "the bound is too far");
    }
    require(check(c.model, policy, *policy.claim, exact_options()).passed, where + "check fails");
  }
}

}  // namespace
}  // namespace quantiplan::testing
