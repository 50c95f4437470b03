#include "infinite/infinite_problem.hpp"

#include <fmt/format.h>

#include "base/quoted.hpp"
#include "evaluate/infinite/undiscounted.hpp"
#include "infinite/entered_problem.hpp"
#include "infinite/functional_iteration.hpp"
#include "infinite/greatest_reward.hpp"
#include "infinite/infinite_optima.hpp"
#include "infinite/infinite_questions.hpp"
#include "infinite/infinite_targets.hpp"
#include "infinite/levels/arrivals.hpp"
#include "infinite/levels/whole.hpp"
#include "numbers/rounding_bound.hpp"
#include "problem/other_criteria.hpp"
#include "problem/quantile_problem.hpp"
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

// As the paper has it: no certificate, and no policy that one could rely on.
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

// Of a curve of the one who maximises -W: guaranteed at -w is 1 less the greatest chance of more
// than w, which is that of the next step.
std::vector<FrontierStep> mirrored(const std::vector<FrontierStep>& steps, LevelSeries& series) {
  std::vector<FrontierStep> out;
  for (std::size_t i = steps.size(); i-- > 0;) {
    Value beyond{0, Rational(0)};
    if (i + 1 < steps.size()) {
      beyond = steps[i + 1].probability;
    } else if (const auto chance = series.chance(steps[i].wealth, true)) {
      beyond = chance->upper;
    }
    out.push_back({steps[i].wealth.negated(), complement(beyond)});
  }
  return out;
}

// One step for each stretch of equal values: the greatest total of it. What nobody reaches is none.
std::vector<FrontierStep> stretches(std::vector<FrontierStep> steps) {
  const auto same = [&](const Value& a, const Value& b) {
    return a.exact && b.exact ? *a.exact == *b.exact : a.nearest == b.nearest;
  };
  std::vector<FrontierStep> out;
  for (FrontierStep& step : steps) {
    const Value& p = step.probability;
    if (p.nearest == 0 && (!p.exact || *p.exact == 0)) continue;
    if (!out.empty() && same(out.back().probability, p)) out.pop_back();
    out.push_back(std::move(step));
  }
  return out;
}

class InfiniteProblem : public QuantileProblem {
 public:
  InfiniteProblem(const Model& model, const ResolvedSetting& setting, const Options& options)
      : model_(model), setting_(setting), options_(options) {}

  FoundQuantiles quantiles(const std::vector<Question>& asked, const Wishes& wishes) override {
    if (setting_.goal.empty())
      refuse_best_mean(wishes, "at the infinite horizon without a discount or a goal");
    if (wishes.mixed) refuse_infinite_mean("--mixed");
    require_infinite_engine(options_, true);
    FoundQuantiles out;
    const auto layout = lay_out_infinite(model_, setting_, options_);
    if (layout && !layout->has_budget())
      refuse_best_mean(wishes, "at the infinite horizon with gains, or without any cost");
    if (!layout) {
      out.engine = no_engine_report(options_);
      for (const Question& question : asked)
        out.results.push_back({unknown_result(setting_, question, ended_status(options_))});
      return out;
    }
    if (options_.engine == Engine::paper) {
      answer_as_the_paper(layout, asked, out);
    } else {
      InfiniteQuestions questions(layout, asked);
      questions.run();
      out.results = questions.preferred_results(wishes);
      tell(questions, out);
    }
    out.work.peak_bytes = layout->limits.peak();
    return out;
  }

  FoundQuantiles optima(const CriterionQuestions& asked) override {
    if (asked.criterion.kind == Criterion::Kind::worst_case) return worst_case(*this, asked);
    refuse_adversary(asked.criterion, setting_);
    require_infinite_engine(options_);
    const auto layout = lay_out_infinite(model_, setting_, options_);
    if (!layout) refuse_unfinished("solve");
    FoundQuantiles out = is_free_to_goal(*layout, asked.criterion) ? free_optima(asked)
                         : is_sure_gain(*layout, asked.criterion)
                             ? sure_gain(*layout, asked)
                             : infinite_optima(layout, asked, [own = *this]() mutable {
                                 return own.expectation_policy();
                               });
    for (FoundQuantile& found : out.results) {
      const bool surely = asked.criterion.takes_tau() && found.result.tau == 0;
      if (!surely) continue;
      found = std::move(worst_case(*this, asked).results.front());
      found.result.tau = 0;
    }
    out.work.peak_bytes = layout->limits.peak();
    return out;
  }

  FoundChances chances(const std::vector<Total>& targets) override {
    require_infinite_engine(options_);
    FoundChances out;
    const auto layout = lay_out_infinite(model_, setting_, options_);
    if (!layout) {
      out.engine = no_engine_report(options_);
      out.chances.assign(targets.size(), unknown_chance(ended_status(options_)));
      return out;
    }
    InfiniteTargets all(layout);
    for (const Total& target : targets) out.chances.push_back(all.find(target));
    out.engine = all.report();
    all.add_work(out.work);
    out.work.peak_bytes = layout->limits.peak();
    return out;
  }

  Frontier curve(const std::vector<Question>& asked) override {
    require_infinite_engine(options_);
    Frontier out;
    out.status = Status::solved;
    const auto layout = lay_out_infinite(model_, setting_, options_);
    if (!layout) {
      out.engine = no_engine_report(options_);
      for (const Question& question : asked)
        add_quantile(unknown_result(setting_, question, ended_status(options_)), out);
      return out;
    }
    InfiniteQuestions questions(layout, asked);
    questions.run();
    tell(questions, out);
    for (const FoundQuantile& found : questions.results()) add_quantile(found.result, out);
    out.work.peak_bytes = layout->limits.peak();
    if (questions.exact() == nullptr) {
      out.epsilon.reset();
      return out;
    }
    std::vector<FrontierStep> steps = questions.exact()->curve();
    if (setting_.adversarial) steps = mirrored(steps, *questions.exact());
    out.steps = stretches(std::move(steps));
    if (!out.steps.empty()) {
      const bool at_top = layout->event.gains != setting_.adversarial;
      out.upto = at_top ? out.steps.back().wealth : out.steps.front().wealth;
    }
    return out;
  }

  Distribution law(const Policy& policy) override {
    Limits limits(options_);
    if (auto found = undiscounted_distribution(model_, policy, options_, limits))
      return *std::move(found);
    refuse_unfinished("evaluation");
  }

  // With a goal: the one that reaches it most probably, and then has the best expected total of the
  // episodes that do (arrivals.hpp).
  Policy expectation_policy() override {
    if (setting_.adversarial) refuse_adversary_expectation();
    const auto layout = lay_out_infinite(model_, setting_, options_);
    if (!layout) refuse_unfinished("expectation policy");
    const auto best = best_arrivals(
        layout->moves, !setting_.goal.empty(), layout->event.gains, Whence::start, layout->limits);
    if (!best && layout->limits.ended()) refuse_unfinished("expectation policy");
    if (!best) {
      throw Error(
          ErrorCode::refused,
          "expectation policy",
          "too many states for rationals, expected fewer, or a way that ends almost surely");
    }
    if (!best->has_bound) {
      throw Error(ErrorCode::refused,
                  "expectation policy",
                  "the expected total at the goal has no bound, and no policy attains it; expected "
                  "costs, or a finite --horizon");
    }
    return stationary(layout->moves, best->choice);
  }

 private:
  // A goal, and nothing that costs or pays: all that counts is whether it is reached.
  [[nodiscard]] bool is_free_to_goal(const InfiniteLayout& layout,
                                     const Criterion& criterion) const {
    const bool is_offered =
        criterion.kind == Criterion::Kind::cvar || criterion.kind == Criterion::Kind::expectation;
    if (!is_offered || setting_.goal.empty()) return false;
    const Signs signs = signs_of(layout.moves);
    return !signs.gain && !signs.loss;
  }
  // Rewards on the way to a goal that every policy reaches.
  [[nodiscard]] bool is_sure_gain(const InfiniteLayout& layout, const Criterion& criterion) const {
    return criterion.kind == Criterion::Kind::expectation && !setting_.goal.empty() &&
           layout.event.gains && !can_miss_goal(layout.moves);
  }
  FoundQuantiles sure_gain(const InfiniteLayout& layout, const CriterionQuestions& asked) const {
    const auto found = greatest_reward(layout.moves, layout.limits);
    if (!found) refuse_unfinished("solve");
    Result result;
    result.optimum = {asked.criterion, Total(found->value), Total(found->value)};
    result.status = Status::solved;
    result.certificate = Certificate::exact;
    result.policy = [policy = stationary(layout.moves, found->choice)] { return policy; };
    FoundQuantiles out;
    out.results.push_back({std::move(result)});
    out.engine = no_engine_report(options_);
    out.engine.used = "epochs (exact)";
    out.engine.why = "every policy reaches the goal, so policy iteration in rationals finds it";
    return out;
  }
  FoundQuantiles free_optima(const CriterionQuestions& asked) {
    FoundChances arrivals = chances({Total::minus_infinity()});
    const FoundChance& chance = arrivals.chances.front();
    if (chance.status != Status::solved) refuse_unfinished("solve");
    const bool arrives = chance.low.least() == 1;
    const bool is_open = !arrives && chance.high.greatest() >= 1;
    if (is_open && options_.arithmetic == Arithmetic::automatic) {
      Options in_rationals = options_;
      in_rationals.arithmetic = Arithmetic::exact;
      return InfiniteProblem(model_, setting_, in_rationals).free_optima(asked);
    }
    if (is_open)
      refuse_criterion(asked.criterion,
                       "where doubles cannot tell whether the goal is reached surely, expected "
                       "--exact");
    FoundQuantiles out;
    for (std::size_t i = 0; i < std::max<std::size_t>(1, asked.taus.size()); ++i) {
      Result result;
      if (i < asked.taus.size()) result.tau = asked.taus[i];
      const Total value = arrives ? Total(Rational(0)) : Total::miss();
      result.optimum = {asked.criterion, value, value};
      result.status = Status::solved;
      result.certificate = Certificate::exact;
      result.policy = chance.policy;
      out.results.push_back({std::move(result), std::nullopt, Claims::optimum});
    }
    out.engine = std::move(arrivals.engine);
    out.work = arrivals.work;
    out.is_complete = asked.is_whole;
    return out;
  }

  // Rules of the states that it meets.
  [[nodiscard]] Policy stationary(const Moves& moves,
                                  const std::vector<std::uint32_t>& choice) const {
    std::vector<std::uint32_t> open{0};
    std::vector<bool> met(moves.slots(), false);
    met[0] = true;
    Policy out;
    out.setting = setting_;
    while (!open.empty()) {
      const std::uint32_t v = open.back();
      open.pop_back();
      if (moves.end[v] != End::none) continue;
      out.rules.push_back({0, moves.state[v], {{std::nullopt, moves.choice[choice[v]]}}});
      const MoveGraph& graph = moves.graph;
      for (std::uint64_t i = graph.arc_begin[choice[v]]; i < graph.arc_begin[choice[v] + 1]; ++i) {
        if (met[graph.next[i]]) continue;
        met[graph.next[i]] = true;
        open.push_back(graph.next[i]);
      }
    }
    std::ranges::sort(out.rules, {}, &PolicyRule::state);
    return out;
  }

  // `out`: what both kinds of answer report.
  static void tell(const InfiniteQuestions& questions, auto& out) {
    out.engine = questions.report();
    if (questions.was_rounded()) out.epsilon = questions.epsilon();
    questions.add_work(out.work);
  }

  static void add_quantile(const Result& result, Frontier& out) {
    if (result.status != Status::solved) out.status = result.status;
    out.quantiles.push_back(
        {result.tau, result.side, result.certificate, *result.quantile, *result.upper});
  }

  Model model_;
  ResolvedSetting setting_;
  Options options_;
};

}  // namespace

std::unique_ptr<QuantileProblem> infinite_problem(const Model& model,
                                                  const ResolvedSetting& setting,
                                                  const Options& options) {
  if (setting.initial.is_certain())
    return std::make_unique<InfiniteProblem>(model, setting, options);
  return entered_problem(
      model, setting, [&options](const Model& entered, const ResolvedSetting& from_entry) {
        return std::make_unique<InfiniteProblem>(entered, from_entry, options);
      });
}

}  // namespace quantiplan
