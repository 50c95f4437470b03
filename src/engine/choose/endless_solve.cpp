#include "endless_solve.hpp"

#include <fmt/format.h>

#include "endless_questions.hpp"
#include "functional_iteration.hpp"
#include "plan.hpp"
#include "quantiplan/error.hpp"
#include "quoted.hpp"
#include "recast.hpp"
#include "rounding_bound.hpp"
#include "whole.hpp"

namespace quantiplan {
namespace {

// The paper's stopping rule ends at a change of this much.
constexpr double kPaperChange = 1e-3;

// The state from which the functions never settle, if there is one: each V_t falls (gains) or rises
// (losses) where t rewards in a row take it, and from there the limit keeps away from 0, or from 1.
// Where misses are the best of all, or losses are to end in a goal, the functions settle at every y.
std::optional<State> never_settling(const EpochProblem& problem, Limits& limits) {
  const Moves& moves = problem.moves;
  const auto first = [&]<class A>(A, bool unsettled) -> std::optional<State> {
    const auto base = base_of<A>(problem, limits);
    const auto limit = base ? limit_of<A>(problem, *base, limits) : std::nullopt;
    if (!limit) return std::nullopt;
    for (std::uint32_t v = 0; v < moves.slots(); ++v) {
      if (static_cast<bool>(limit->value[v]) == unsettled) return moves.state[v];
    }
    return std::nullopt;
  };
  if (problem.event.miss == Miss::best) return std::nullopt;
  if (problem.event.gains) return first(Possible{}, true);
  return problem.event.miss == Miss::none ? first(Sure{}, false) : std::nullopt;
}

void refuse_if_never_settling(const EpochProblem& problem, Limits& limits) {
  const auto state = never_settling(problem, limits);
  if (!state) return;
  throw Error(
      ErrorCode::refused,
      "--engine",
      fmt::format("found 'paper', whose iteration never ends here: from state {} a total without "
                  "bound has a positive probability; expected auto or epochs",
                  in_quotes(problem.moves.model->state_name(*state))));
}

// As the paper has it: no certificate, and no policy that one could rely on.
void answer_as_the_paper(const std::shared_ptr<EndlessGround>& ground,
                         const std::vector<Question>& asked,
                         Answer& answer) {
  const auto weights = exact_weights(ground->moves);
  if (!weights) {
    throw Error(ErrorCode::refused,
                "--engine",
                "the paper's iteration needs rewards with a common unit that fits 64-bit integers; "
                "expected auto");
  }
  refuse_if_never_settling({ground->moves, *weights, ground->event}, ground->limits);
  const auto curve =
      iterate_functions(ground->moves, *weights, ground->event, kPaperChange, ground->limits);
  for (const Question& question : asked) {
    if (!curve) {
      answer.results.push_back(unknown_result(ground->setting, question, ground->limits.status()));
      continue;
    }
    const Question own = counted(question, ground->setting.adversarial);
    Total total = ground->event.miss == Miss::worst ? Total::miss()
                  : ground->event.gains             ? Total(0)
                                                    : Total::minus_infinity();
    constexpr std::int64_t kEvery = std::int64_t{1} << 60;
    double probability = 1;
    for (std::size_t k = 0; k < curve->upto.size(); ++k) {
      if (!reaches(Rational(curve->value[k]), 1 - own.tau, own.side)) break;
      probability = curve->value[k];
      total = curve->upto[k] > kEvery
                  ? Total::miss()
                  : Total(Rational(weights->unit *
                                   Rational(Integer(static_cast<long>(curve->upto[k])))));
    }
    Result result;
    result.tau = question.tau;
    result.side = question.side;
    result.status = Status::solved;
    result.certificate = Certificate::none;
    result.quantile = ground->setting.adversarial ? total.negated() : total;
    if (!ground->setting.adversarial) result.probability = Value{probability};
    answer.results.push_back(std::move(result));
  }
  answer.engine.given = answer.engine.used = "paper";
  if (curve) {
    answer.engine.used =
        fmt::format("paper (functional value iteration, {} iterations)", curve->iterations);
  }
  answer.engine.why =
      "the paper's stopping rule, as asked: UNSOUND, for comparison only; the number may be wrong "
      "by any amount, and nothing certifies it";
}

}  // namespace

Answer solve_endless(const Model& model,
                     const ResolvedSetting& setting,
                     const std::vector<Question>& asked,
                     const Options& options) {
  Answer answer;
  require_endless_engine(options, true);
  const auto ground = lay_out_endless(model, setting, options);
  if (ground && options.engine == Engine::paper) {
    answer_as_the_paper(ground, asked, answer);
    answer.work.peak_bytes = ground->limits.peak();
    return answer;
  }
  if (!ground) {
    answer.engine = no_engine_report(options);
    for (const Question& question : asked)
      answer.results.push_back(unknown_result(setting, question, ended_status(options)));
    return answer;
  }
  EndlessQuestions questions(ground, asked);
  questions.run();
  answer.results = questions.results();
  answer.engine = questions.report();
  if (questions.was_rounded()) answer.epsilon = questions.epsilon();
  questions.add_work(answer.work);
  answer.work.peak_bytes = ground->limits.peak();
  return answer;
}

Frontier frontier_endless(const Model& model,
                          const ResolvedSetting& setting,
                          const std::vector<Question>& asked,
                          const Options& options) {
  Frontier out;
  require_endless_engine(options);
  const auto ground = lay_out_endless(model, setting, options);
  std::vector<Result> results;
  std::optional<EndlessQuestions> questions;
  if (ground) {
    questions.emplace(ground, asked);
    questions->run();
    results = questions->results();
    out.engine = questions->report();
    questions->add_work(out.work);
    out.work.peak_bytes = ground->limits.peak();
  } else {
    out.engine = no_engine_report(options);
    for (const Question& question : asked)
      results.push_back(unknown_result(setting, question, ended_status(options)));
  }
  out.status = Status::solved;
  for (const Result& result : results) {
    if (result.status != Status::solved) out.status = result.status;
    out.quantiles.push_back(
        {result.tau, result.side, result.certificate, *result.quantile, *result.upper});
  }
  if (!questions || questions->exact() == nullptr) return out;
  if (questions->was_rounded()) out.epsilon = questions->epsilon();
  EndlessSeries& series = *questions->exact();
  bool exact = false;
  std::vector<FrontierStep> steps = series.curve(&exact);
  if (setting.adversarial && !steps.empty()) {
    // Guaranteed at -w: 1 less the greatest chance of more than w, which is that of the next step.
    std::vector<FrontierStep> mirrored;
    for (std::size_t i = steps.size(); i-- > 0;) {
      Value beyond{0, Rational(0)};
      if (i + 1 < steps.size()) {
        beyond = steps[i + 1].probability;
      } else if (const auto chance = series.chance(steps[i].wealth, true)) {
        beyond = chance->upper;
      }
      mirrored.push_back({steps[i].wealth.negated(), complement(beyond)});
    }
    steps = std::move(mirrored);
  }
  // One step for each stretch of equal values: the greatest total of it. What nobody reaches is
  // none.
  for (FrontierStep& step : steps) {
    if (step.probability.nearest == 0 && (!step.probability.exact || *step.probability.exact == 0))
      continue;
    const auto same = [&](const Value& a, const Value& b) {
      return a.exact && b.exact ? *a.exact == *b.exact : a.nearest == b.nearest;
    };
    if (!out.steps.empty() && same(out.steps.back().probability, step.probability))
      out.steps.pop_back();
    out.steps.push_back(std::move(step));
  }
  if (!out.steps.empty()) {
    const bool at_top = ground->event.gains != setting.adversarial;
    out.upto = at_top ? out.steps.back().wealth : out.steps.front().wealth;
  }
  return out;
}

}  // namespace quantiplan
