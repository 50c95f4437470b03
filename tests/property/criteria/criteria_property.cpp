// Every criterion against all history-dependent policies: exactly, in doubles and on grids, of rewards and
// costs. The value is the best of all laws, the policy has it, and the order among criteria holds.
#include <gtest/gtest.h>

#include "criteria/criteria_judge.hpp"
#include "harness/harness.hpp"
#include "harness/random_model.hpp"
#include "oracles/follow.hpp"
#include "quantiplan/criteria.hpp"
#include "quantiplan/solve.hpp"

namespace quantiplan::testing {
namespace {

using Kind = Criterion::Kind;

Criterion of(Kind kind, const Rational& parameter = 0) { return {kind, parameter, std::nullopt}; }

Criterion stepped_utility() {
  return {Kind::utility,
          0,
          Utility::table({{-3, -10}, {0, 0}, {0, 1}, {2, Rational(3, 2)}}, 4, Rational(1, 3))};
}
Criterion bent_utility() {
  return {Kind::utility, 0, Utility::table({{-2, 1}, {1, -1}, {3, 5}}, -1, -2)};
}
Criterion target_utility() { return {Kind::utility, 0, Utility::target(1, Rational(7, 2))}; }

Query asking(const Case& c, const Criterion& criterion, const Setting& setting) {
  Query query;
  query.criterion = criterion;
  query.setting = setting;
  query.compare = false;
  if (!criterion.takes_tau()) return query;
  for (const Rational& tau : c.taus)
    if (tau > 0 || criterion.kind == Kind::cvar) query.taus.push_back(tau);
  query.taus.emplace_back(1);
  return query;
}

struct Judge {
  const Case& c;
  const PlainModel& plain;
  const std::vector<Law>& laws;
  Setting setting;
  Options options;
  std::string name;

  void require_best(const Criterion& criterion) const {
    const Query query = asking(c, criterion, setting);
    const Answer answer = solve(c.model, query, options);
    require(answer.results.size() == std::max<std::size_t>(1, query.taus.size()),
            name + "number of results");
    for (const Result& result : answer.results) require_result(criterion, result, answer.epsilon);
  }

  void require_result(const Criterion& criterion,
                      const Result& result,
                      const std::optional<Rational>& epsilon) const {
    const std::string where =
        name + ", " + to_text(criterion) + ", tau " + shown(result.tau) + ": ";
    require(result.optimum.has_value(), where + "no optimum");
    const Rational best = best_worth(laws, criterion, result.tau);
    const CriterionOptimum& found = *result.optimum;
    require(found.lower <= Total(best) && found.upper >= Total(best),
            where + "found [" + shown(found.lower) + ", " + shown(found.upper) + "], the best is " +
                shown(best));
    if (options.arithmetic == Arithmetic::exact)
      require(found.lower == found.upper, where + "not exact");
    if (epsilon && result.status == Status::solved)
      require(found.upper.value() - found.lower.value() <= *epsilon,
              where + "[" + shown(found.lower) + ", " + shown(found.upper) + "] is wider than " +
                  shown(*epsilon));
    require(result.status == Status::solved || epsilon.has_value(), where + "not solved");
    require(static_cast<bool>(result.policy), where + "no policy");
    const Law own = follow(plain, c.model, result.policy());
    const Rational value = worth(own, criterion, result.tau);
    require(Total(value) >= found.lower && Total(value) <= found.upper,
            where + "the policy has " + shown(value) + ", found [" + shown(found.lower) + ", " +
                shown(found.upper) + "]");
  }

  // Each point is the best of its lambda; between two of them, and beyond the last, the policy before stays the best.
  void require_variance_curve() const {
    Query query;
    query.criterion = of(Kind::mean_variance);
    query.setting = setting;
    const Answer curve = criterion_curve(c.model, query, options);
    const auto best_at = [&](const Rational& lambda) {
      return best_worth(laws, of(Kind::mean_variance, lambda), 0);
    };
    const bool is_exact = options.arithmetic == Arithmetic::exact;
    require(!is_exact || curve.is_complete, name + ": the curve is not complete");
    require(curve.results.front().optimum->criterion.parameter == 0, name + ": no lambda of 0");
    for (std::size_t i = 0; i < curve.results.size(); ++i) {
      const Result& result = curve.results[i];
      const CriterionOptimum& found = *result.optimum;
      const Rational& lambda = found.criterion.parameter;
      const std::string where = name + ", curve at lambda " + shown(lambda) + ": ";
      const Rational best = best_at(lambda);
      require(found.lower <= Total(best) && Total(best) <= found.upper,
              where + "[" + shown(found.lower) + ", " + shown(found.upper) + "], the best is " +
                  shown(best));
      const Law own = follow(plain, c.model, result.policy());
      require(Total(worth(own, of(Kind::mean_variance, lambda), 0)) >= found.lower,
              where + "the policy has less");
      if (!is_exact) continue;
      const bool is_last = i + 1 == curve.results.size();
      const Rational next =
          is_last ? Rational(2 * lambda + 7) : curve.results[i + 1].optimum->criterion.parameter;
      for (const Rational& at : {lambda, Rational((lambda + next) / 2), next})
        require(*result.mean->exact - at * *found.variance->exact == best_at(at),
                where + "its policy is not the best at " + shown(at));
    }
  }

  // worst case <= EVaR* <= CVaR* <= lower quantile*, and CVaR*_1 = E*.
  void require_order() const {
    const auto value = [&](const Criterion& criterion, const Rational& tau) {
      Query query = asking(c, criterion, setting);
      if (criterion.takes_tau()) query.taus = {tau};
      return *solve(c.model, query, options).results.front().optimum;
    };
    const CriterionOptimum worst = value(of(Kind::worst_case), 0);
    const CriterionOptimum whole = value(of(Kind::cvar), 1);
    const CriterionOptimum mean = value(of(Kind::expectation), 0);
    require(whole.lower <= mean.upper && mean.lower <= whole.upper, name + "CVaR_1 is no mean");
    for (const Rational& tau : c.taus) {
      if (tau == 0) continue;
      const CriterionOptimum tail = value(of(Kind::cvar), tau);
      Query query;
      query.taus = {tau};
      query.setting = setting;
      const Result quantile = solve(c.model, query, options).results.front();
      require(worst.lower <= tail.upper, name + "worst case above CVaR at " + shown(tau));
      const CriterionOptimum tilted = value(of(Kind::evar), tau);
      require(worst.lower <= tilted.upper, name + "worst case above EVaR at " + shown(tau));
      require(tilted.lower <= tail.upper, name + "EVaR above CVaR at " + shown(tau));
      require(tail.lower <= *quantile.upper, name + "CVaR above the quantile at " + shown(tau));
    }
  }
};

void require_criteria(const Case& c,
                      const std::vector<Criterion>& criteria,
                      const Options& options,
                      bool costs) {
  PlainModel plain = c.plain;
  plain.cost = costs;
  const auto laws = all_laws(plain, kMostLaws);
  if (!laws) return;
  Judge judge{c, plain, *laws, {}, options, costs ? "costs" : "rewards"};
  judge.setting.cost = costs;
  judge.name += options.arithmetic == Arithmetic::exact      ? ", exact"
                : options.arithmetic == Arithmetic::floating ? ", doubles"
                                                             : "";
  if (options.engine == Engine::lattice) judge.name += ", on a grid";
  for (const Criterion& criterion : criteria) judge.require_best(criterion);
  judge.require_order();
  if (options.engine != Engine::lattice && options.arithmetic != Arithmetic::automatic)
    judge.require_variance_curve();
}

const std::vector<Criterion>& all_criteria() {
  static const std::vector<Criterion> criteria{of(Kind::cvar),
                                               of(Kind::mean_cvar, Rational(1, 3)),
                                               of(Kind::mean_cvar, 1),
                                               of(Kind::worst_case),
                                               of(Kind::expectation),
                                               stepped_utility(),
                                               bent_utility(),
                                               target_utility(),
                                               of(Kind::mean_variance, Rational(1, 2)),
                                               of(Kind::mean_variance, Rational(1, 50)),
                                               of(Kind::mean_variance, 20)};
  return criteria;
}

QUANTIPLAN_PROPERTY(CriteriaAreBest, tiny_model, 0.2) {
  Options exact;
  exact.arithmetic = Arithmetic::exact;
  Options doubles;
  doubles.arithmetic = Arithmetic::floating;
  for (const bool costs : {false, true}) {
    require_criteria(c, all_criteria(), exact, costs);
    require_criteria(c, all_criteria(), doubles, costs);
  }
}

// Threads and kernels change no bit of an answer.
QUANTIPLAN_PROPERTY(CriteriaAreTheSameWithEveryKernel, larger_model, 0.02) {
  for (const Criterion& criterion : {of(Kind::cvar), of(Kind::mean_cvar, Rational(1, 3))}) {
    std::vector<CriterionOptimum> first;
    for (const char* kernel : {"reference", "vector", "auto"}) {
      for (const std::uint32_t threads : {1U, 3U}) {
        Options options;
        options.arithmetic = Arithmetic::floating;
        options.kernel = kernel;
        options.threads = threads;
        const Answer answer = solve(c.model, asking(c, criterion, {}), options);
        if (first.empty())
          for (const Result& result : answer.results) first.push_back(*result.optimum);
        for (std::size_t i = 0; i < first.size(); ++i)
          require(answer.results[i].optimum->lower == first[i].lower &&
                      answer.results[i].optimum->upper == first[i].upper,
                  std::string("other bits with ") + kernel);
      }
    }
  }
}

// Of a discounted problem of infinite horizon: T steps bound it, with all that can follow.
QUANTIPLAN_PROPERTY(CriteriaWithoutEndLieNearLongHorizons, tiny_model, 0.03) {
  constexpr std::uint64_t kFirstSteps = 7;
  const Rational discount(1, 2);
  Rational most = 0;
  for (const PlainState& state : c.plain.states)
    for (const PlainChoice& choice : state.choices)
      for (const PlainOutcome& o : choice.outcomes) most = std::max<Rational>(most, abs(o.reward));
  const Rational tail = 2 * most / (1U << kFirstSteps);
  for (const Criterion& criterion :
       {of(Kind::cvar), of(Kind::mean_cvar, Rational(1, 3)), of(Kind::expectation)}) {
    Setting infinite;
    infinite.discount = discount;
    infinite.horizon = kInfiniteHorizon;
    Setting steps = infinite;
    steps.horizon = kFirstSteps;
    const Answer whole = solve(c.model, asking(c, criterion, infinite));
    const Answer part = solve(c.model, asking(c, criterion, steps));
    for (std::size_t i = 0; i < whole.results.size(); ++i) {
      const CriterionOptimum& found = *whole.results[i].optimum;
      const CriterionOptimum& near = *part.results[i].optimum;
      require(found.lower.value() <= near.upper.value() + tail &&
                  found.upper.value() >= near.lower.value() - tail,
              to_text(criterion) + " at an infinite horizon is not near that of a long horizon");
      require(static_cast<bool>(whole.results[i].policy), "no policy");
      require(!whole.results[i].policy().rules.empty() || c.plain.ends_at(c.plain.initial),
              "a policy without rules");
    }
  }
}

QUANTIPLAN_PROPERTY(CriteriaOfAwkwardModelsAreBest, awkward_model, 0.01) {
  std::vector<Criterion> monotone = all_criteria();
  std::erase_if(monotone, [&](const Criterion& each) {
    return (each.utility && !each.utility->is_monotone()) || each.kind == Kind::mean_variance;
  });
  Options lattice;
  lattice.engine = Engine::lattice;
  require_criteria(c, monotone, lattice, false);
  require_criteria(c, monotone, {}, true);
}

// It takes many passes, so the grids are coarse here; a bracket holds whatever its width.
QUANTIPLAN_PROPERTY(MeanMinusVarianceIsBracketed, awkward_model, 0.1) {
  const auto laws = all_laws(c.plain, kMostLaws);
  if (!laws) return;
  Total least = laws->front().begin()->first;
  Total most = least;
  for (const Law& law : *laws) {
    least = std::min(least, law.begin()->first);
    most = std::max(most, law.rbegin()->first);
  }
  const Rational range = most.value() - least.value();
  if (range == 0) return;
  for (const Rational& lambda : {Rational(1, 50), Rational(1, 2), Rational(3)}) {
    Options options;
    options.engine = Engine::lattice;
    options.memory_limit_bytes = std::uint64_t{1} << 28U;
    options.epsilon = Rational((1 + lambda * range) * range / 8);
    const Judge judge{c, c.plain, *laws, {}, options, "on a coarse grid"};
    judge.require_best(of(Kind::mean_variance, lambda));
    judge.require_variance_curve();
  }
}

}  // namespace
}  // namespace quantiplan::testing
