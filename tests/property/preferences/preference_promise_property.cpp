// Which policy keeps the promise of a class, against all deterministic history-dependent ones and the
// coins between two of them.
#include <gtest/gtest.h>

#include <algorithm>

#include "harness/comparisons.hpp"
#include "preferences/preference_case.hpp"
#include "preferences/preference_random.hpp"
#include "quantiplan/formats.hpp"
#include "quantiplan/solve.hpp"

namespace quantiplan::testing {
namespace {

Options checked_options() {
  Options options;
  options.threads = 1;
  options.check = true;
  return options;
}

// Of one policy: the chance of its promise, and what else it is worth.
struct Kept {
  Rational promise;
  Rational worth;
};

std::size_t whole(const Total& position) { return position.value().get_num().get_ui(); }

std::optional<Rational> mean_of_law(const PreferenceCase& c, const Law& law) {
  Rational mean = 0;
  for (const auto& [level, p] : law) {
    const auto number = c.oracle.number(whole(level));
    if (!number) return std::nullopt;
    mean += *number * p;
  }
  return mean;
}

bool is_numeric(const PreferenceCase& c) {
  for (std::size_t k = 1; k <= c.oracle.class_count(); ++k)
    if (!c.oracle.number(k)) return false;
  return true;
}

// The supremum of the worth over all mixtures of two policies that keep the promise. On the lower side
// somebody keeps it with more than theta, so that the supremum is that of P >= theta; of theta = 1 there
// is no lower side.
Rational bound_of(const std::vector<Kept>& all, const Rational& theta) {
  std::optional<Rational> best;
  const auto offer = [&](const Rational& worth) {
    if (!best || worth > *best) best = worth;
  };
  for (const Kept& a : all) {
    if (a.promise >= theta) offer(a.worth);
    for (const Kept& b : all) {
      if (!(a.promise < theta && b.promise > theta)) continue;
      const Rational coin = (theta - a.promise) / (b.promise - a.promise);
      offer((1 - coin) * a.worth + coin * b.worth);
    }
  }
  return best.value();
}

// Of the best policy that has the greatest chance of the promise.
Kept surest_of(const std::vector<Kept>& all) {
  return *std::ranges::max_element(all, [](const Kept& a, const Kept& b) {
    return a.promise != b.promise ? a.promise < b.promise : a.worth < b.worth;
  });
}

// `shown`: of the policy; `bound`: of all.
void require_worth(const std::vector<Kept>& all,
                   const Result& result,
                   const Rational& shown_worth,
                   const Rational& bound,
                   const std::string& where) {
  const Rational theta = 1 - result.tau;
  require(bound == bound_of(all, theta),
          where + "the bound is " + shown(bound) + ", must be " + shown(bound_of(all, theta)));
  require(shown_worth <= bound, where + "better than the bound");
  const Kept surest = surest_of(all);
  require(shown_worth >= surest.worth, where + "worse than the surest policy");
  std::optional<Rational> best;
  for (const Kept& each : all)
    if (suffices(each.promise, result.tau, result.side) && (!best || each.worth > *best))
      best = each.worth;
  require(shown_worth <= best.value(), where + "better than every policy without a coin");
  // Where the best of all keeps the promise, it is the answer.
  const Rational most = std::ranges::max(all, {}, &Kept::worth).worth;
  if (*best == most) require(shown_worth == most, where + "the best policy of all was missed");
}

Query preferring(const PreferenceCase& c, Prefer prefer) {
  Query query = c.query();
  query.prefer = prefer;
  return query;
}

QUANTIPLAN_PREFERENCE(ClassPromisesHaveTheBestMeans, tiny_preference, 0.3) {
  const auto laws = c.oracle.laws(kMostLaws);
  if (!laws || !is_numeric(c)) return;
  const Answer answer = solve(c.model, preferring(c, Prefer::mean), checked_options());
  for (const Result& result : answer.results) {
    const std::string where = place("mean", result.tau, result.side);
    const Total level = Rational(position_of(c, *answer.classes, *result.quantile));
    require(level == c.expected(result.tau, result.side).quantile, where + "another quantile");
    std::vector<Kept> all;
    for (const Law& law : *laws) all.push_back({at_least(law, level), mean_of_law(c, law).value()});
    require(result.prefer == Prefer::mean && result.mean && result.mean_bound,
            where + "the mean was left out");
    const Policy policy = result.policy();
    const Law law = c.played(policy);
    require(at_least(law, level) == result.probability->exact, where + "another probability");
    require(suffices(at_least(law, level), result.tau, result.side), where + "a broken promise");
    require(mean_of_law(c, law) == result.mean->exact, where + "another mean");
    require_worth(all, result, result.mean->exact.value(), result.mean_bound->exact.value(), where);
    require(result.check && result.check->passed && result.check->optimality_checked,
            where + "not confirmed: " + verdict(result.check.value()));
    // As read, and with another mean, another bound.
    const Policy read = parse_policy(format_policy(policy, c.model), c.model, "policy");
    require(check(c.model, read, read.claim.value()).passed, where + "not confirmed once read");
    PolicyClaim wrong = *policy.claim;
    wrong.mean = Value::exactly(*wrong.mean->exact - Rational(1, 1000));
    require(!check(c.model, policy, wrong).passed, where + "a false mean was not noticed");
    if (*result.mean_bound->exact == *result.mean->exact) continue;
    wrong = *policy.claim;
    wrong.mean_bound = wrong.mean;
    require(!check(c.model, policy, wrong).passed, where + "a false bound was not noticed");
  }
}

QUANTIPLAN_PREFERENCE(TheSurestClassPolicyHasTheBestMean, tiny_preference, 0.2) {
  const auto laws = c.oracle.laws(kMostLaws);
  if (!laws || !is_numeric(c)) return;
  const Answer answer = solve(c.model, preferring(c, Prefer::probability), checked_options());
  for (const Result& result : answer.results) {
    const std::string where = place("probability", result.tau, result.side);
    const Total level = Rational(position_of(c, *answer.classes, *result.quantile));
    std::vector<Kept> all;
    for (const Law& law : *laws) all.push_back({at_least(law, level), mean_of_law(c, law).value()});
    const Law law = c.played(result.policy());
    require(result.prefer == Prefer::probability && !result.mean_bound, where + "another wish");
    require(at_least(law, level) == surest_of(all).promise, where + "not the surest");
    require(mean_of_law(c, law) == surest_of(all).worth, where + "not the best mean of these");
  }
}

// The order of preference among laws: P(next), ..., P(best), P(promised), P(below), ..., P(second).
std::vector<Rational> in_order(const Law& law, std::size_t promised, std::size_t classes) {
  std::vector<Rational> out;
  for (std::size_t j = promised + 1; j <= classes; ++j) out.push_back(at_least(law, Rational(j)));
  // The best class has none above it: the one below comes first.
  const bool is_best = promised == classes;
  if (!is_best) out.push_back(at_least(law, Rational(promised)));
  for (std::size_t j = promised; j-- > 2;) {
    out.push_back(at_least(law, Rational(j)));
    if (is_best && j + 1 == promised) out.push_back(at_least(law, Rational(promised)));
  }
  return out;
}

QUANTIPLAN_PREFERENCE(ClassPromisesHaveTheBestNextClass, tiny_preference, 0.3) {
  const auto laws = c.oracle.laws(kMostLaws);
  if (!laws) return;
  const std::size_t classes = c.oracle.class_count();
  const Answer answer = solve(c.model, preferring(c, Prefer::classes), checked_options());
  for (const Result& result : answer.results) {
    const std::string where = place("classes", result.tau, result.side);
    const std::size_t promised = position_of(c, *answer.classes, *result.quantile);
    const Total level = Rational(promised);
    require(level == c.expected(result.tau, result.side).quantile, where + "another quantile");
    require(result.prefer == Prefer::classes && !result.mean_bound, where + "another wish");
    const Law law = c.played(result.policy());
    require(suffices(at_least(law, level), result.tau, result.side), where + "a broken promise");
    require(result.check && result.check->passed, where + "not confirmed");
    const std::size_t next = promised < classes ? promised + 1 : promised - 1;
    require(result.next_class.has_value() == (next > 1), where + "another next class");
    if (!result.next_class) continue;
    require(position_of(c, *answer.classes, result.next_class->level) == next,
            where + "another next class");
    require(at_least(law, level) == result.probability->exact, where + "another probability");
    const Rational reached = at_least(law, Rational(next));
    require(reached == result.next_class->probability.exact, where + "another chance of it");
    std::vector<Kept> all;
    for (const Law& each : *laws)
      all.push_back({at_least(each, level), at_least(each, Rational(next))});
    require_worth(all, result, reached, result.next_class->bound.exact.value(), where);
    // The whole order, where the promise asks for nothing.
    const Law& best = *std::ranges::max_element(
        *laws, {}, [&](const Law& each) { return in_order(each, promised, classes); });
    if (suffices(at_least(best, level), result.tau, result.side))
      require(in_order(law, promised, classes) == in_order(best, promised, classes),
              where + "not the best by the whole order");
  }
}

std::string told_of_promises(const Answer& answer) {
  std::string text;
  const auto add = [&](const std::optional<Value>& value) {
    text += value && value->exact ? " " + to_text(*value->exact) : " -";
  };
  for (const Result& result : answer.results) {
    text += to_text(result.tau) + " " + result.quantile->class_text();
    add(result.probability);
    add(result.mean);
    add(result.mean_bound);
    if (result.next_class) {
      add(result.next_class->probability);
      add(result.next_class->bound);
    }
    text += "\n";
  }
  return text;
}

QUANTIPLAN_PREFERENCE(ClassPromisesDoNotDependOnTheOrderOfRows, tiny_preference, 0.2) {
  PreferenceModel turned = c.preference;
  for (auto& state : turned.plain.states) std::ranges::reverse(state.choices);
  const Model other = build(turned);
  for (const Prefer prefer : {Prefer::mean, Prefer::probability, Prefer::classes}) {
    if (prefer != Prefer::classes && !is_numeric(c)) continue;
    for (const PreferenceRun& run : preference_runs(c)) {
      const std::string told = told_of_promises(solve(c.model, preferring(c, prefer), run.options));
      const std::string again = told_of_promises(solve(other, preferring(c, prefer), run.options));
      require(told == again,
              std::string(run.name).append(": another answer in another order\n") + told + again);
    }
  }
}

}  // namespace
}  // namespace quantiplan::testing
