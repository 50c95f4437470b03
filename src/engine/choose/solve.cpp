#include "quantiplan/solve.hpp"

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

// Within what is left of the time limit.
void check_all(const Model& model, Options options, const Stopwatch& watch, Answer& answer) {
  const double limit = options.time_limit_seconds;
  for (Result& result : answer.results) {
    if (limit > 0 && watch.seconds() >= limit) return;
    if (limit > 0) options.time_limit_seconds = limit - watch.seconds();
    // The checker confirms optima; a bracket or a tie claims none.
    if (result.certificate != Certificate::exact) continue;
    const Policy policy = result.policy();
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
    const Plan plan = choose_plan(*instance->stages, *instance->windows, options);
    if (plan.exact) {
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
