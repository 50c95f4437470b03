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

// How often each state is met before a cost, a goal or another end, from one on and by choices that
// do not look at the budget; 0 where one goes round for ever.
std::vector<Rational> visits_from(const TinyModel& tiny,
                                  const testing::Chosen& chosen,
                                  std::size_t start) {
  const std::size_t n = tiny.states.size();
  const auto free_arcs = [&](std::size_t s, const auto& visit) {
    if (tiny.states[s].empty()) return;
    for (const TinyOutcome& o : tiny.states[s][chosen[s]])
      if (o.reward == 0 && !tiny.states[o.next].empty()) visit(o);
  };
  std::vector<bool> leaves(n, false);
  for (std::size_t round = 0; round < n; ++round) {
    for (std::size_t s = 0; s < n; ++s) {
      Rational inside = 0;
      free_arcs(s, [&](const TinyOutcome& o) {
        inside += o.probability;
        if (leaves[o.next]) leaves[s] = true;
      });
      if (inside < 1) leaves[s] = true;
    }
  }
  // x = e + x P by elimination, on the states that are left again.
  std::vector<std::vector<Rational>> rows(n, std::vector<Rational>(n + 1, 0));
  for (std::size_t s = 0; s < n; ++s) {
    rows[s][s] = 1;
    rows[s][n] = s == start ? 1 : 0;
  }
  std::vector<Rational> out;
  for (std::size_t s = 0; s < n; ++s) {
    if (leaves[s]) free_arcs(s, [&](const TinyOutcome& o) { rows[o.next][s] -= o.probability; });
  }
  for (std::size_t k = 0; k < n; ++k) {
    std::size_t pivot = k;
    while (rows[pivot][k] == 0) ++pivot;
    std::swap(rows[pivot], rows[k]);
    for (std::size_t i = 0; i < n; ++i) {
      if (i == k || rows[i][k] == 0) continue;
      const Rational factor = rows[i][k] / rows[k][k];
      for (std::size_t m = k; m <= n; ++m) rows[i][m] -= factor * rows[k][m];
    }
  }
  for (std::size_t s = 0; s < n; ++s) {
    out.push_back(leaves[s] ? Rational(rows[s][n] / rows[s][s]) : Rational(0));
  }
  return out;
}

// Level by level: all choices that do not look at the budget until it changes, and then whatever is
// best for it.
class Budgets {
 public:
  explicit Budgets(const TinyModel& tiny) : tiny_(tiny) {
    for (std::size_t s = 0; s < tiny.states.size(); ++s) lost_.push_back(best_from(s));
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
    testing::for_each_policy(tiny_, [&](const testing::Chosen& chosen) {
      Triple sum{0, 0, 0};
      for_exits(chosen, s, [&](const TinyOutcome& o, const Rational& p) {
        const Triple next = surest(o.next, budget + o.reward);
        sum.p += p * next.p;
        sum.goal += p * next.goal;
        sum.mean += p * (o.reward * next.goal + next.mean);
      });
      if (!best || *best < sum) best = sum;
    });
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
  // Outcomes that cost something or end the episode, each with its probability.
  template <class Visit>
  void for_exits(const testing::Chosen& chosen, std::size_t s, const Visit& visit) const {
    const std::vector<Rational> visits = visits_from(tiny_, chosen, s);
    for (std::size_t v = 0; v < tiny_.states.size(); ++v) {
      if (visits[v] == 0) continue;
      for (const TinyOutcome& o : tiny_.states[v][chosen[v]])
        if (o.reward != 0 || tiny_.states[o.next].empty())
          visit(o, Rational(visits[v] * o.probability));
    }
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
    testing::for_each_policy(tiny_, [&](const testing::Chosen& chosen) {
      Hull sum{{0, 0}};
      Rational chance = 0;
      for_exits(chosen, s, [&](const TinyOutcome& o, const Rational& p) {
        chance += p * lost_[o.next].chance;
        const Hull next = hull(arriving, o.next, budget + o.reward);
        const Rational paid = arriving ? Rational(o.reward * lost_[o.next].chance) : Rational(0);
        std::vector<Point> sums;
        for (const Point& a : sum)
          for (const Point& b : next)
            sums.push_back({Rational(a.p + p * b.p), Rational(a.x + p * (paid + b.x))});
        sum = hull_of(std::move(sums));
      });
      // Who goes round for ever where the goal could be reached loses some of it.
      if (arriving && chance != lost_[s].chance) return;
      all.insert(all.end(), sum.begin(), sum.end());
    });
    return hulls_[key] = hull_of(std::move(all));
  }

  const TinyModel& tiny_;
  std::vector<ArrivalPair> lost_;
  std::map<std::tuple<bool, std::size_t, int>, Hull> hulls_;
  std::map<std::pair<std::size_t, int>, Triple> surest_;
};

// Costs of 1 to 3, or for some seeds 0 to 2: then moves without a cost may lead round.
TinyModel costly_model(std::uint64_t seed) {
  TinyModel tiny = testing::tiny_model(seed, 3, true, -1);
  if (seed % 2 == 0) return tiny;
  for (auto& state : tiny.states)
    for (auto& choice : state)
      for (TinyOutcome& o : choice) --o.reward;
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
    Law law = law_of(model_, result.policy(), result.quantile->value());
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
  for (std::uint64_t seed = 1; seed <= 80; ++seed) {
    SCOPED_TRACE(seed);
    const TinyModel tiny = costly_model(seed);
    Budgets budgets(tiny);
    if (!costs_something(tiny)) continue;
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
