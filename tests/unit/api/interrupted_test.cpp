// A request to stop that comes at any look at the flag, one after the other: what is returned holds,
// and nothing that was found by then is lost. No clock decides where.
#include <gtest/gtest.h>

#include <functional>
#include <string>

#include "base/stop_at_look.hpp"
#include "quantiplan/attitude.hpp"
#include "quantiplan/error.hpp"
#include "quantiplan/report.hpp"
#include "quantiplan/solve.hpp"
#include "quantiplan/tradeoff.hpp"
#include "small_models.hpp"

namespace quantiplan {
namespace {

// Calls `run(n)` with a stop at the n-th look, until it is over before that.
void at_every_look(const std::function<void(std::int64_t)>& run) {
  constexpr std::int64_t kMost = 5000;
  std::int64_t n = 1;
  for (; n < kMost; ++n) {
    StopAtLook::flag = false;
    StopAtLook::looks_left = n;
    SCOPED_TRACE("stopped at look " + std::to_string(n));
    run(n);
    const bool is_over = !StopAtLook::flag;
    StopAtLook::looks_left = 0;
    if (is_over) break;
    if (::testing::Test::HasFailure()) return;
  }
  EXPECT_LT(n, kMost);
}

// Two games, a short way and a long one: means and quantiles part.
Model games(std::uint64_t horizon) {
  ModelBuilder b;
  b.name("games").horizon(horizon).initial("s");
  b.begin_choice("s", "safe").add_outcome("s", 1, 2);
  b.begin_choice("s", "fair").add_outcome("s", "1/2", 0).add_outcome("t", "1/2", 5);
  b.begin_choice("s", "wild").add_outcome("t", "1/5", 20).add_outcome("s", "4/5", -1);
  b.begin_choice("t", "rest").add_outcome("s", "2/3", 1).add_outcome("end", "1/3", 3);
  b.begin_choice("t", "go").add_outcome("s", 1, 0);
  return b.build();
}

// Errands with a goal.
Model errands(std::uint64_t horizon) {
  ModelBuilder b;
  b.name("errands").horizon(horizon).initial("s").goal("home");
  b.begin_choice("s", "walk").add_outcome("home", 1, 4);
  b.begin_choice("s", "ride").add_outcome("home", "3/4", 1).add_outcome("s", "1/4", 1);
  b.begin_choice("s", "hitch").add_outcome("home", "1/2", 0).add_outcome("lost", "1/2", 1);
  return b.build();
}

Rational best_of(const Value& mean) { return mean.exact ? *mean.exact : Rational(mean.nearest); }

// What was found with a stop holds beside what is found without.
void expect_holds(const Result& part, const Result& whole, bool by_mean) {
  ASSERT_TRUE(part.quantile && part.upper);
  EXPECT_TRUE(part.probability || !part.policy);
  EXPECT_LE(*part.quantile, *whole.quantile);
  EXPECT_GE(*part.upper, *whole.quantile);
  EXPECT_EQ(part.status == Status::solved || part.status == Status::interrupted, true);
  if (part.status == Status::solved) {
    EXPECT_EQ(*part.quantile, *whole.quantile);
  }
  if (part.check) {
    EXPECT_TRUE(part.check->passed || part.check->ended_early || part.check->nothing_to_check);
  }
  if (!part.policy) return;
  if (by_mean) {
    ASSERT_TRUE(part.mean_bound.has_value());
    // The promise of a lower level is kept by whoever keeps that of the quantile.
    ASSERT_TRUE(whole.mean.has_value());
    EXPECT_GE(part.mean_bound->nearest, whole.mean->nearest - 1e-9);
    if (part.mean) {
      EXPECT_LE(part.mean->nearest, part.mean_bound->nearest);
    }
  }
}

struct StoppedCase {
  const char* name;
  Model model;
  Setting setting;
  Options options;
  bool by_mean = true;
};

std::vector<StoppedCase> stopped_cases() {
  std::vector<StoppedCase> out;
  const auto add = [&](const char* name, const Model& model, const auto& change, bool by_mean) {
    StoppedCase c{name, model, {}, {}, by_mean};
    c.options.check = true;
    c.options.stop = &StopAtLook::flag;
    change(c);
    out.push_back(std::move(c));
  };
  add(
      "rationals", games(3), [](StoppedCase&) {}, true);
  add(
      "doubles",
      games(3),
      [](StoppedCase& c) { c.options.arithmetic = Arithmetic::floating; },
      true);
  add(
      "discounted", games(3), [](StoppedCase& c) { c.setting.discount = Rational(9, 10); }, true);
  add(
      "without end",
      games(3),
      [](StoppedCase& c) {
        c.setting.discount = Rational(1, 2);
        c.setting.horizon = kInfiniteHorizon;
      },
      true);
  add(
      "adversarial", games(3), [](StoppedCase& c) { c.setting.adversarial = true; }, false);
  add(
      "costs", games(3), [](StoppedCase& c) { c.setting.cost = true; }, true);
  add(
      "a goal", errands(4), [](StoppedCase& c) { c.setting.cost = true; }, false);
  add(
      "a goal without end",
      errands(4),
      [](StoppedCase& c) {
        c.setting.cost = true;
        c.setting.horizon = kInfiniteHorizon;
      },
      false);
  return out;
}

TEST(Interrupted, SolvesHoldWhereverTheyEnd) {
  for (const StoppedCase& c : stopped_cases()) {
    SCOPED_TRACE(c.name);
    const Query query{{Rational(1, 10), Rational(1, 3)}, Sides::both, c.setting};
    StopAtLook::flag = false;
    const Answer whole = solve(c.model, query, c.options);
    at_every_look([&](std::int64_t n) {
      const Answer part = solve(c.model, query, c.options);
      ASSERT_EQ(part.results.size(), whole.results.size());
      for (std::size_t i = 0; i < whole.results.size(); ++i)
        expect_holds(part.results[i], whole.results[i], c.by_mean);
      EXPECT_FALSE(answer_text(part).empty());
      EXPECT_FALSE(answer_json(part).empty());
      // What was found is followed and checked as any other policy; all of them would take long.
      StopAtLook::looks_left = 0;
      if (n % 7 != 0) return;
      for (const Result& result : part.results) {
        if (!result.policy) continue;
        const Policy policy = result.policy();
        const Distribution own = evaluate(c.model, policy, {});
        if (!c.setting.adversarial) {
          EXPECT_GE(own.at_least_bracket(*result.quantile).upper, result.probability->least());
        }
        if (policy.claim) {
          EXPECT_TRUE(check(c.model, policy, *policy.claim, {}).passed);
        }
      }
    });
  }
}

TEST(Interrupted, TradeoffsHoldWhereverTheyEnd) {
  for (const Arithmetic arithmetic : {Arithmetic::exact, Arithmetic::floating}) {
    Options options;
    options.arithmetic = arithmetic;
    options.stop = &StopAtLook::flag;
    TradeoffQuery query;
    query.tau = Rational(1, 10);
    StopAtLook::flag = false;
    const Tradeoff whole = tradeoff(games(3), query, options);
    at_every_look([&](std::int64_t) {
      const Tradeoff part = tradeoff(games(3), query, options);
      EXPECT_TRUE(part.status == Status::solved || part.status == Status::interrupted);
      for (const TradeoffPoint& point : part.points) {
        EXPECT_LE(best_of(point.mean), best_of(point.mean_bound) + Rational(1e-9));
        EXPECT_LE(point.level, whole.points.back().level);
        for (const TradeoffPoint& other : whole.points)
          if (other.level >= point.level) {
            EXPECT_LE(best_of(other.mean), best_of(point.mean_bound) + Rational(1e-9));
          }
      }
    });
  }
}

TEST(Interrupted, AttitudesHoldWhereverTheyEnd) {
  std::vector<Attitude> asked;
  for (const char* text : {"resolute", "replan", "subgame-perfect", "recursive", "within:1"})
    asked.push_back(Attitude::parse(text));
  const Query query{{Rational(1, 3)}, Sides::lower, {}};
  Options options;
  options.stop = &StopAtLook::flag;
  const AttitudeAnswer whole = attitudes(games(3), asked, query);
  at_every_look([&](std::int64_t) {
    const AttitudeAnswer part = attitudes(games(3), asked, query, options);
    ASSERT_EQ(part.results.size(), whole.results.size());
    for (std::size_t i = 0; i < whole.results.size(); ++i) {
      const AttitudeResult& now = part.results[i];
      const AttitudeResult& then = whole.results[i];
      if (now.quantile) {
        EXPECT_EQ(now.quantile->lower, then.quantile->lower);
      }
      if (now.regret) {
        EXPECT_EQ(now.regret->least, then.regret->least);
      }
      if (now.status == Status::solved) {
        EXPECT_TRUE(now.quantile.has_value());
      } else {
        EXPECT_EQ(now.status, Status::interrupted);
      }
    }
    EXPECT_FALSE(attitudes_text(part).empty());
  });
}

TEST(Interrupted, WhatMeansNothingHalfDoneIsRefused) {
  const Model model = games(6);
  const Policy policy = solve(model, {{Rational(1, 3)}, Sides::lower, {}}).results[0].policy();
  const Distribution whole = evaluate(model, policy);
  Options options;
  options.stop = &StopAtLook::flag;
  int refusals = 0;
  at_every_look([&](std::int64_t) {
    try {
      EXPECT_EQ(evaluate(model, policy, options).atoms.size(), whole.atoms.size());
    } catch (const Error& error) {
      EXPECT_EQ(error.code(), ErrorCode::refused);
      ++refusals;
    }
  });
  EXPECT_GT(refusals, 0);
  at_every_look([&](std::int64_t) {
    const CheckReport report = check(model, policy, *policy.claim, options);
    EXPECT_TRUE(report.passed || report.ended_early);
  });
}

}  // namespace
}  // namespace quantiplan
