#include "quantiplan/solve.hpp"

#include "brackets.hpp"
#include "instance.hpp"
#include "plan.hpp"
#include "rough_bracket.hpp"
#include "solver.hpp"
#include "stopwatch.hpp"

namespace quantiplan {
namespace {

template <class N>
void answer_all(const std::shared_ptr<Instance>& instance,
                const Plan& plan,
                bool compare,
                const std::vector<Question>& asked,
                Answer& answer) {
  Solver<N> solver(instance, plan, compare, answer.work);
  if (solver.run_passes()) {
    answer.results = solver.answer(asked);
  } else {
    for (const Question& question : asked) answer.results.push_back(solver.partial(question));
  }
  answer.engine =
      engine_report(instance->options, plan, solver.dense_layers(), instance->stages->horizon());
}

// Rounded engines: the result of each question is a bracket.
void bracket_all(const std::shared_ptr<Instance>& instance,
                 const Plan& plan,
                 bool compare,
                 const std::vector<Question>& asked,
                 Answer& answer) {
  Brackets brackets(instance, plan, asked, compare, answer.work);
  brackets.run();
  if (brackets.has_begun()) {
    answer.results = brackets.results();
    answer.epsilon = brackets.epsilon();
    answer.engine = bracket_report(instance->options, plan, brackets.summary());
    return;
  }
  answer.engine = no_engine_report(instance->options);
  for (const Question& question : asked) {
    answer.results.push_back(
        rough_bracket(instance->model, instance->setting, question, instance->limits.status()));
  }
}

// Within what is left of the time limit.
void check_all(const Model& model, Options options, const Stopwatch& watch, Answer& answer) {
  const double limit = options.time_limit_seconds;
  for (Result& result : answer.results) {
    if (limit > 0 && watch.seconds() >= limit) return;
    if (limit > 0) options.time_limit_seconds = limit - watch.seconds();
    if (!result.policy) continue;
    const Policy policy = result.policy();
    // The checker confirms claims; a tie makes none.
    if (!policy.claim) continue;
    result.check = check(model, policy, *policy.claim, options);
  }
}

}  // namespace

Answer solve(const Model& model, const Query& query, const Options& options) {
  const Stopwatch watch;
  const std::vector<Question> asked = questions(query);
  const auto instance = std::make_shared<Instance>(model, query.setting, options);
  Answer answer;
  answer.model = facts_of(model, instance->setting);
  if (instance->lay_out()) {
    const Plan plan = choose_plan(*instance, asked.size());
    if (plan.bracket) {
      bracket_all(instance, plan, query.compare, asked, answer);
    } else if (plan.exact) {
      answer_all<Rational>(instance, plan, query.compare, asked, answer);
    } else {
      answer_all<double>(instance, plan, query.compare, asked, answer);
    }
    if (options.check) check_all(model, options, watch, answer);
  } else {
    answer.engine = no_engine_report(options);
    for (const Question& question : asked) {
      answer.results.push_back(
          rough_bracket(model, instance->setting, question, instance->limits.status()));
    }
  }
  answer.work.peak_bytes = instance->limits.peak();
  answer.work.seconds = watch.seconds();
  return answer;
}

}  // namespace quantiplan
