#include "brackets.hpp"
#include "instance.hpp"
#include "plain.hpp"
#include "plan.hpp"
#include "rough_bracket.hpp"
#include "solver.hpp"
#include "stopwatch.hpp"

namespace quantiplan {
namespace {

void add_rough_brackets(const Instance& instance,
                        const std::vector<Question>& asked,
                        Answer& answer) {
  const PossibleRange range(instance.model, instance.setting);
  for (const Question& question : asked)
    answer.results.push_back(rough_bracket(range, question, instance.limits.status()));
}

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
  add_rough_brackets(*instance, asked, answer);
}

}  // namespace

Answer solve_plain(const Model& model,
                   const ResolvedSetting& setting,
                   const std::vector<Question>& asked,
                   bool compare,
                   const Options& options) {
  const Stopwatch watch;
  const auto instance = std::make_shared<Instance>(model, setting, options);
  Answer answer;
  answer.model = facts_of(model, instance->setting);
  if (instance->lay_out()) {
    const Plan plan = choose_plan(*instance, asked.size());
    if (plan.bracket) {
      bracket_all(instance, plan, compare, asked, answer);
    } else if (plan.exact) {
      answer_all<Rational>(instance, plan, compare, asked, answer);
    } else {
      answer_all<double>(instance, plan, compare, asked, answer);
    }
  } else {
    answer.engine = no_engine_report(options);
    add_rough_brackets(*instance, asked, answer);
  }
  answer.work.peak_bytes = instance->limits.peak();
  answer.work.seconds = watch.seconds();
  return answer;
}

}  // namespace quantiplan
