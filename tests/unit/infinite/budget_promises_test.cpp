// The best chance of the goal that keeps a budget, at the infinite horizon: against all policies of
// (state, budget left), their hulls summed up in rationals.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>
#include <tuple>
#include <vector>

#include "quantiplan/solve.hpp"
#include "stationary_brute_force.hpp"

namespace quantiplan {
namespace {

using testing::ArrivalPair;
using testing::TinyModel;
using testing::TinyOutcome;

struct Point {
  Rational p;  // P(goal, C <= budget)
  Rational x;  // what is wanted besides
  friend bool operator==(const Point&, const Point&) = default;
};
// Vertices from the greatest x to the greatest p.
using Hull = std::vector<Point>;

// Ascending in p, falling in x, concave.
Hull hull_of(std::vector<Point> points) {
  std::ranges::sort(
      points, [](const Point& a, const Point& b) { return a.x != b.x ? a.x > b.x : a.p > b.p; });
  Hull out;
  for (const Point& point : points) {
    if (!out.empty() && point.p <= out.back().p) continue;
    const auto is_below = [&](const Point& a, const Point& b) {
      return (b.x - a.x) * (point.p - a.p) <= (point.x - a.x) * (b.p - a.p);
    };
    while (out.size() >= 2 && is_below(out[out.size() - 2], out.back())) out.pop_back();
    out.push_back(point);
  }
  return out;
}

bool is_kept(const Rational& p, const Rational& theta, Side side) {
  return side == Side::lower ? p > theta : p >= theta;
}

// The least over l >= 0 of max { x + l p } - l theta; nobody keeps it: nullopt.
std::optional<Rational> bound_of(const Hull& hull, const Rational& theta, Side side) {
  if (!is_kept(hull.back().p, theta, side)) return std::nullopt;
  if (hull.front().p >= theta) return hull.front().x;
  for (std::size_t i = 1; i < hull.size(); ++i) {
    if (hull[i].p < theta) continue;
    const Point& a = hull[i - 1];
    const Point& b = hull[i];
    return Rational(a.x + (b.x - a.x) * (theta - a.p) / (b.p - a.p));
  }
  return std::nullopt;
}

struct Triple {
  Rational p;
  Rational goal;
  Rational mean;  // E[W; goal]
  friend bool operator<(const Triple& a, const Triple& b) {
    if (a.p != b.p) return a.p < b.p;
    return a.goal != b.goal ? a.goal < b.goal : a.mean < b.mean;
  }
};

class Budgets {
 public:
  explicit Budgets(const TinyModel& tiny) : tiny_(tiny) {
    for (std::size_t s = 0; s < tiny.states.size(); ++s) lost_.push_back(best_from(s));
  }

  // All nodes come to an end: costs of 0 lead to no circle.
  [[nodiscard]] bool end() const {
    std::vector<int> mark(tiny_.states.size(), 0);
    const auto visit = [&](const auto& self, std::size_t s) -> bool {
      if (mark[s] == 1) return false;
      if (mark[s] == 2) return true;
      mark[s] = 1;
      for (const auto& choice : tiny_.states[s])
        for (const TinyOutcome& o : choice)
          if (o.reward == 0 && !self(self, o.next)) return false;
      mark[s] = 2;
      return true;
    };
    for (std::size_t s = 0; s < mark.size(); ++s)
      if (!visit(visit, s)) return false;
    return true;
  }

  // x = P(goal), of all policies.
  Hull goal(std::size_t s, int budget) { return hull(false, s, budget); }
  // x = E[W; goal], of those with the greatest P(goal).
  Hull mean(std::size_t s, int budget) { return hull(true, s, budget); }
  [[nodiscard]] const ArrivalPair& lost(std::size_t s) const { return lost_[s]; }

  Triple surest(std::size_t s, int budget) {
    if (budget < 0 || tiny_.states[s].empty())
      return {at_end(s, budget).p, lost_[s].chance, lost_[s].mean};
    const auto known = surest_.find({s, budget});
    if (known != surest_.end()) return known->second;
    std::optional<Triple> best;
    for (const auto& choice : tiny_.states[s]) {
      Triple sum{0, 0, 0};
      for (const TinyOutcome& o : choice) {
        const Triple next = surest(o.next, budget + o.reward);
        sum.p += o.probability * next.p;
        sum.goal += o.probability * next.goal;
        sum.mean += o.probability * (o.reward * next.goal + next.mean);
      }
      if (!best || *best < sum) best = sum;
    }
    return surest_[{s, budget}] = *best;
  }

 private:
  ArrivalPair best_from(std::size_t s) const {
    if (s == tiny_.goal()) return {1, 0};
    if (tiny_.states[s].empty()) return {0, 0};
    TinyModel other = tiny_;
    std::swap(other.states[0], other.states[s]);
    for (auto& state : other.states)
      for (auto& choice : state)
        for (TinyOutcome& o : choice) o.next = o.next == s ? 0 : o.next == 0 ? s : o.next;
    return testing::best_of_all(other);
  }
  [[nodiscard]] Point at_end(std::size_t s, int budget) const {
    return {s == tiny_.goal() && budget >= 0 ? 1 : 0, 0};
  }

  Hull hull(bool arriving, std::size_t s, int budget) {
    if (budget < 0 || tiny_.states[s].empty()) {
      Point point = at_end(s, budget);
      point.x = arriving ? lost_[s].mean : lost_[s].chance;
      return {point};
    }
    const auto key = std::tuple(arriving, s, budget);
    if (const auto known = hulls_.find(key); known != hulls_.end()) return known->second;
    std::vector<Point> all;
    for (const auto& choice : tiny_.states[s]) {
      Hull sum{{0, 0}};
      Rational chance = 0;
      for (const TinyOutcome& o : choice) {
        const Rational& p = o.probability;
        chance += p * lost_[o.next].chance;
        const Hull next = hull(arriving, o.next, budget + o.reward);
        const Rational paid = arriving ? Rational(o.reward * lost_[o.next].chance) : Rational(0);
        std::vector<Point> sums;
        for (const Point& a : sum)
          for (const Point& b : next)
            sums.push_back({Rational(a.p + p * b.p), Rational(a.x + p * (paid + b.x))});
        sum = hull_of(std::move(sums));
      }
      if (arriving && chance != lost_[s].chance) continue;
      all.insert(all.end(), sum.begin(), sum.end());
    }
    return hulls_[key] = hull_of(std::move(all));
  }

  const TinyModel& tiny_;
  std::vector<ArrivalPair> lost_;
  std::map<std::tuple<bool, std::size_t, int>, Hull> hulls_;
  std::map<std::pair<std::size_t, int>, Triple> surest_;
};

// Costs of 1 to 3, or for some seeds 0 to 2, the way to smaller states never for nothing.
TinyModel costly_model(std::uint64_t seed) {
  TinyModel tiny = testing::tiny_model(seed, 3, true, -1);
  for (std::size_t s = 0; s < tiny.states.size(); ++s)
    for (auto& choice : tiny.states[s])
      for (TinyOutcome& o : choice)
        if (seed % 3 != 0 || o.next <= s) --o.reward;
  return tiny;
}

// Where nothing costs anything there is no budget to keep.
bool costs_something(const TinyModel& tiny) {
  std::vector<std::size_t> open{0};
  for (std::size_t k = 0; k < open.size(); ++k) {
    for (const auto& choice : tiny.states[open[k]]) {
      for (const TinyOutcome& o : choice) {
        if (o.reward != 0) return true;
        if (std::ranges::find(open, o.next) == open.end()) open.push_back(o.next);
      }
    }
  }
  return false;
}

// Of the law of a policy.
struct Law {
  Rational p;
  Rational goal;
  double mean;
};
Law law_of(const Model& model, const Policy& policy, const Rational& level) {
  const Distribution law = evaluate(model, policy);
  Law out{0, 0, 0};
  for (const Atom& atom : law.atoms) {
    if (!atom.wealth.is_finite()) continue;
    out.mean += to_nearest_double(atom.wealth.value()) * atom.probability.nearest;
    if (!atom.probability.exact) continue;
    if (atom.wealth.value() >= level) out.p += *atom.probability.exact;
  }
  const ProbabilityBracket reached = law.at_least_bracket(Total::minus_infinity());
  EXPECT_LE(reached.upper - reached.lower, Rational(1, 1'000'000));
  out.goal = reached.lower;
  return out;
}

void expect_close(double found, const Rational& expected) {
  EXPECT_NEAR(found, to_nearest_double(expected), 1e-6 * (1 + std::abs(found)));
}

std::vector<Result> solved(const Model& model, const Rational& tau, Prefer prefer) {
  Query query;
  query.taus = {tau};
  query.sides = Sides::both;
  query.prefer = prefer;
  Options options;
  options.check = true;
  return solve(model, query, options).results;
}

class Compared {
 public:
  Compared(const Model& model, Budgets& budgets)
      : model_(model), budgets_(budgets), goal_(budgets.lost(0).chance) {}

  // True if there was a promise to be kept.
  bool surest(const Result& result) {
    if (!result.quantile->is_finite()) return false;
    const int budget = budget_of(result);
    const Triple best = budgets_.surest(0, budget);
    EXPECT_EQ(result.prefer, Prefer::probability);
    EXPECT_EQ(result.probability.value().exact, best.p);
    EXPECT_FALSE(result.goal_probability_bound);
    const Law law = expect_own(result);
    expect_close(to_nearest_double(law.goal), best.goal);
    expect_close(law.mean, best.mean);
    return true;
  }

  void best(const Result& result) {
    if (!result.quantile->is_finite()) return;
    const int budget = budget_of(result);
    const Rational theta = 1 - result.tau;
    const Hull hull = budgets_.goal(0, budget);
    EXPECT_EQ(result.prefer, Prefer::mean);
    ASSERT_TRUE(result.goal_probability && result.goal_probability_bound);
    const auto bound = bound_of(hull, theta, result.side);
    EXPECT_EQ(result.goal_probability_bound->exact, bound);
    EXPECT_TRUE(is_kept(result.probability.value().exact.value(), theta, result.side));
    const Law law = expect_own(result);
    const auto vertex = std::ranges::find_if(
        hull, [&](const Point& point) { return is_kept(point.p, theta, result.side); });
    ASSERT_NE(vertex, hull.end());
    EXPECT_GE(to_nearest_double(law.goal), to_nearest_double(vertex->x) - 1e-6);
    EXPECT_LE(law.goal, *bound);
    expect_close(result.goal_probability->nearest, law.goal);
    if (vertex->x != goal_) return;
    const Hull means = budgets_.mean(0, budget);
    const auto cheapest = std::ranges::find_if(
        means, [&](const Point& point) { return is_kept(point.p, theta, result.side); });
    ASSERT_NE(cheapest, means.end());
    EXPECT_GE(law.mean, to_nearest_double(cheapest->x) - 1e-6);
    EXPECT_LE(law.mean, to_nearest_double(*bound_of(means, theta, result.side)) + 1e-6);
  }

 private:
  static int budget_of(const Result& result) {
    return static_cast<int>(-result.quantile->value().get_num().get_si());
  }
  // What the policy says of itself is what it does.
  Law expect_own(const Result& result) {
    EXPECT_TRUE(result.check && result.check->passed);
    const Law law = law_of(model_, result.policy(), result.quantile->value());
    EXPECT_EQ(result.probability->exact, law.p);
    return law;
  }

  const Model& model_;
  Budgets& budgets_;
  Rational goal_;
};

TEST(BudgetPromises, AreTheBestOfAllPolicies) {
  int promises = 0;
  int hurt = 0;
  for (std::uint64_t seed = 1; seed <= 100; ++seed) {
    SCOPED_TRACE(seed);
    const TinyModel tiny = costly_model(seed);
    Budgets budgets(tiny);
    if (!budgets.end() || !costs_something(tiny)) continue;
    const Model model = testing::built(tiny);
    Compared compared(model, budgets);
    for (const Rational& tau : {Rational(1, 4), Rational(7, 10), Rational(19, 20)}) {
      for (const Result& result : solved(model, tau, Prefer::probability))
        promises += compared.surest(result) ? 1 : 0;
      for (const Result& result : solved(model, tau, Prefer::automatic)) {
        compared.best(result);
        const auto& bound = result.goal_probability_bound;
        if (bound && *bound->exact < budgets.lost(0).chance) ++hurt;
      }
    }
    if (::testing::Test::HasFailure()) break;
  }
  EXPECT_GT(promises, 50);
  EXPECT_GT(hurt, 0);
}

}  // namespace
}  // namespace quantiplan
