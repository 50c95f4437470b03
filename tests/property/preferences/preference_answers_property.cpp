// Quantiles and curves of every wealth structure, by every engine, against the oracle.
#include <gtest/gtest.h>

#include "harness/comparisons.hpp"
#include "harness/random_model.hpp"
#include "preferences/preference_case.hpp"
#include "preferences/preference_random.hpp"
#include "quantiplan/formats.hpp"
#include "quantiplan/solve.hpp"

namespace quantiplan::testing {
namespace {

void require_result(PreferenceCase& c,
                    const WealthClasses& classes,
                    const Result& result,
                    const std::string& where) {
  const Optimum expected = c.expected(result.tau, result.side);
  const std::size_t best = expected.quantile.value().get_num().get_ui();
  require(result.status == Status::solved && result.certificate == Certificate::exact &&
              result.attained,
          where + "not solved exactly");
  require(result.quantile.has_value(), where + "no quantile");
  const std::size_t at = result.quantile->position();
  require(position_of(c, classes, *result.quantile) == best,
          where + "quantile " + classes.text(at) + ", must be " + c.oracle.text(best));
  require(classes.rank(at) == c.oracle.rank(best),
          where + "rank " + std::to_string(classes.rank(at)) + ", must be " +
              std::to_string(c.oracle.rank(best)));
  require(result.upper == result.quantile, where + "another upper end");
  require_label(result.probability.value(), expected.probability, where + "the probability");
  require_chance(result.probability.value(), expected.probability, where + "the probability");
}

void require_classes(const PreferenceCase& c, const WealthClasses& classes, const std::string& by) {
  require(classes.size() == c.oracle.class_count(),
          by + ": " + std::to_string(classes.size()) + " classes, must be " +
              std::to_string(c.oracle.class_count()));
  for (std::size_t i = 1; i <= classes.size(); ++i) {
    require(classes.text(i) == c.oracle.text(i),
            by + ": class " + classes.text(i) + ", must be " + c.oracle.text(i));
    require(classes.rank(i) == c.oracle.rank(i), by + ": another rank of " + classes.text(i));
    const auto number = classes.number(i);
    require((number && number->is_finite() ? std::optional(number->value()) : std::nullopt) ==
                c.oracle.number(i),
            by + ": another number of " + classes.text(i));
  }
  const std::size_t declared = c.preference.wealth.classes.size();
  require(classes.count() == (declared == 0 ? classes.size() : declared),
          by + ": another count of classes");
}

QUANTIPLAN_PREFERENCE(PreferenceQuantilesAreTheOracles, tiny_preference, 0.5) {
  for (const PreferenceRun& run : preference_runs(c)) {
    const Answer answer = solve(c.model, c.query(), run.options);
    require(answer.classes != nullptr, run.name + ": no classes");
    require_classes(c, *answer.classes, run.name);
    require(answer.results.size() == questions(c.query()).size(), run.name + ": not every answer");
    for (const Result& result : answer.results)
      require_result(c, *answer.classes, result, place(run, result.tau, result.side));
  }
}

QUANTIPLAN_PREFERENCE(LargerPreferenceQuantilesAreTheOracles, larger_preference, 0.02) {
  for (const PreferenceRun& run : preference_runs(c)) {
    const Answer answer = solve(c.model, c.query(), run.options);
    require_classes(c, *answer.classes, run.name);
    for (const Result& result : answer.results)
      require_result(c, *answer.classes, result, place(run, result.tau, result.side));
  }
}

QUANTIPLAN_PREFERENCE(PreferenceFrontiersAreTheOracles, tiny_preference, 0.25) {
  const std::vector<CurveStep> expected = c.oracle.steps();
  for (const PreferenceRun& run : preference_runs(c)) {
    const Frontier found = frontier(c.model, c.query(), run.options);
    require(found.classes != nullptr && found.status == Status::solved && !found.upto,
            run.name + ": the curve is not solved");
    require(found.upper_steps.empty(), run.name + ": the curve is not exact");
    // Steps closer than rounding can tell may be shown as one.
    const bool may_join = found.relative_error > 0;
    std::size_t i = 0;
    for (const CurveStep& step : expected) {
      const std::string where =
          run.name + ": the curve at " + c.oracle.text(step.wealth.get_num().get_ui());
      require(i < found.steps.size(), where + " is missing");
      if (position_of(c, *found.classes, found.steps[i].wealth) != step.wealth.get_num().get_ui()) {
        require(may_join && abs(Rational(found.steps[i].probability.nearest) - step.probability) <=
                                Rational(1, 1'000'000'000'000),
                where + " has another level");
        continue;
      }
      require_chance(found.steps[i].probability, step.probability, where);
      ++i;
    }
    require(i == found.steps.size(), run.name + ": the curve has further steps");
    for (const FrontierQuantile& q : found.quantiles) {
      require(q.certificate == Certificate::exact && q.quantile == q.upper,
              place(run, q.tau, q.side) + "not exact on the curve");
      require(Total(Rational(position_of(c, *found.classes, q.quantile))) ==
                  c.expected(q.tau, q.side).quantile,
              place(run, q.tau, q.side) + "another quantile on the curve");
    }
  }
}

QUANTIPLAN_PREFERENCE(PreferenceThresholdsAreTheOracles, tiny_preference, 0.25) {
  ThresholdQuery query;
  for (std::size_t k = 1; k <= c.oracle.class_count(); ++k)
    query.levels.push_back(c.oracle.text(k));
  for (PreferenceRun run : preference_runs(c)) {
    run.options.check = true;
    const ThresholdAnswer answer = threshold(c.model, query, run.options);
    require(answer.results.size() == query.levels.size(), run.name + ": not every target");
    for (std::size_t k = 1; k <= query.levels.size(); ++k) {
      const ThresholdResult& result = answer.results[k - 1];
      const std::string where = run.name + ": P(at least " + query.levels[k - 1] + ") ";
      const Rational expected = c.oracle.at_least(k);
      require(result.status == Status::solved && result.target.position() == k,
              where + "is not solved");
      require(result.probability->least() <= expected &&
                  result.upper.value_or(*result.probability).greatest() >= expected,
              where + "must be " + shown(expected));
      require_chance(*result.probability, expected, where);
      require(result.check && result.check->passed && result.check->optimality_checked,
              where + "is not confirmed");
      const Policy policy = result.policy();
      const Rational attained = at_least(c.played(policy), Total(Rational(k)));
      require(attained >= result.probability->least(), where + "is not attained");
      const Policy read = parse_policy(format_policy(policy, c.model), c.model, "policy");
      require(check(c.model, read, *read.claim).passed, where + "is not confirmed once read");
    }
  }
}

// All that an answer says but the time it took.
std::string told(const PreferenceCase& c, const Answer& answer) {
  std::string text;
  for (const Result& result : answer.results) {
    text += to_text(result.tau) + to_text(*result.quantile) +
            std::string(to_text(result.certificate)) + shown(result.probability->nearest) +
            (result.probability->exact ? to_text(*result.probability->exact) : "") + "\n";
    text += format_policy(result.policy(), c.model);
  }
  return text;
}

QUANTIPLAN_PREFERENCE(PreferenceAnswersDoNotDependOnThreads, larger_preference, 0.01) {
  for (PreferenceRun run : preference_runs(c)) {
    const std::string alone = told(c, solve(c.model, c.query(), run.options));
    require(alone == told(c, solve(c.model, c.query(), run.options)),
            run.name + ": another answer the second time");
    run.options.threads = 3;
    require(alone == told(c, solve(c.model, c.query(), run.options)),
            run.name + ": another answer with 3 threads");
  }
}

QUANTIPLAN_PREFERENCE(PreferenceModelsAreReadAsTheyAreBuilt, tiny_preference, 0.1) {
  const Model read = parse_model(json_text(c.preference), Format::json, "random").model;
  const Model again =
      parse_model(format_model(c.model, Format::json), Format::json, "written").model;
  const std::string built = told(c, solve(c.model, c.query()));
  require(told(c, solve(read, c.query())) == built, "the model as read has another answer");
  require(told(c, solve(again, c.query())) == built, "the model as written has another answer");
}

QUANTIPLAN_PREFERENCE(RankedRefusesWhatHasNoResiduals, tiny_preference, 0.05) {
  if (c.has_residuals()) return;
  Options options;
  options.engine = Engine::ranked;
  try {
    static_cast<void>(solve(c.model, c.query(), options));
  } catch (const Error& e) {
    require(e.code() == ErrorCode::bad_request || e.code() == ErrorCode::refused,
            std::string("refused as something else: ") + e.what());
    return;
  }
  throw Violation("an automaton was solved by residuals");
}

}  // namespace
}  // namespace quantiplan::testing
