#include "infinite/paper_iteration.hpp"

#include <fmt/format.h>

#include "base/quoted.hpp"
#include "infinite/functional_iteration.hpp"
#include "infinite/infinite_questions.hpp"
#include "infinite/levels/whole.hpp"
#include "numbers/rounding_bound.hpp"
#include "quantiplan/error.hpp"

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
                  in_quotes(problem.moves.model.state_name(*state))));
}

}  // namespace

void answer_as_the_paper(const std::shared_ptr<InfiniteLayout>& layout,
                         const std::vector<Question>& asked,
                         FoundQuantiles& answer) {
  const auto weights = exact_weights(layout->moves);
  if (!weights) {
    throw Error(ErrorCode::refused,
                "--engine",
                "the paper's iteration needs rewards with a common unit that fits 64-bit integers; "
                "expected auto");
  }
  refuse_if_never_settling({layout->moves, *weights, layout->event}, layout->limits);
  const auto curve =
      iterate_functions(layout->moves, *weights, layout->event, kPaperChange, layout->limits);
  for (const Question& question : asked) {
    if (!curve) {
      answer.results.push_back(
          {unknown_result(layout->setting, question, layout->limits.status())});
      continue;
    }
    const Question own = counted(question, layout->setting.adversarial);
    Total total = layout->event.miss == Miss::worst ? Total::miss()
                  : layout->event.gains             ? Total(0)
                                                    : Total::minus_infinity();
    constexpr std::int64_t kBeyondAll = std::int64_t{1} << 60;
    double probability = 1;
    for (std::size_t k = 0; k < curve->upto.size(); ++k) {
      if (!reaches(Rational(curve->value[k]), 1 - own.tau, own.side)) break;
      probability = curve->value[k];
      total = curve->upto[k] > kBeyondAll
                  ? Total::miss()
                  : Total(Rational(weights->unit *
                                   Rational(Integer(static_cast<long>(curve->upto[k])))));
    }
    Result result;
    result.tau = question.tau;
    result.side = question.side;
    result.status = Status::solved;
    result.certificate = Certificate::none;
    result.quantile = layout->setting.adversarial ? total.negated() : total;
    if (!layout->setting.adversarial) result.probability = Value{probability};
    answer.results.push_back({std::move(result)});
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

}  // namespace quantiplan
