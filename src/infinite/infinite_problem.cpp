#include "infinite/infinite_problem.hpp"

#include <set>

#include "evaluate/infinite/undiscounted.hpp"
#include "infinite/entered_problem.hpp"
#include "infinite/greatest_reward.hpp"
#include "infinite/infinite_optima.hpp"
#include "infinite/infinite_questions.hpp"
#include "infinite/infinite_targets.hpp"
#include "infinite/levels/arrivals.hpp"
#include "infinite/paper_iteration.hpp"
#include "problem/other_criteria.hpp"
#include "problem/quantile_problem.hpp"
#include "quantiplan/error.hpp"

namespace quantiplan {
namespace {

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

// Fewer arcs than levels in rationals may have (level_series.cpp) can be met from a slot.
bool meets_little(const MoveGraph& graph, std::uint32_t from) {
  constexpr std::uint64_t kLittle = 2500;
  std::set<std::uint32_t> met{from};
  std::vector<std::uint32_t> open{from};
  std::uint64_t arcs = 0;
  while (!open.empty()) {
    const std::uint32_t v = open.back();
    open.pop_back();
    const std::uint64_t begin = graph.arc_begin[graph.choice_begin[v]];
    const std::uint64_t end = graph.arc_begin[graph.choice_begin[v + 1]];
    arcs += end - begin;
    if (arcs > kLittle) return false;
    for (std::uint64_t i = begin; i < end; ++i)
      if (met.insert(graph.next[i]).second) open.push_back(graph.next[i]);
  }
  return true;
}

class InfiniteProblem : public QuantileProblem {
 public:
  InfiniteProblem(const Model& model, const ResolvedSetting& setting, const Options& options)
      : model_(model), setting_(setting), options_(options) {}

  // Chances are shared: every level is solved for all states. From where little can be met a state is asked by
  // itself, as rationals may do there.
  std::unique_ptr<QuantileProblem> from_start(State start) override {
    require_infinite_engine(options_);
    if (!all_starts_) {
      all_layout_ = lay_out_infinite(model_, setting_, options_);
      if (!all_layout_) return nullptr;
      all_starts_ = std::make_shared<InfiniteTargets>(all_layout_);
    }
    ResolvedSetting own = setting_;
    own.initial = start;
    auto out = std::make_unique<InfiniteProblem>(model_, own, options_);
    const std::uint32_t slot = all_layout_->moves.slot_of[index(start)];
    if (meets_little(all_layout_->moves.graph, slot)) return out;
    out->all_starts_ = all_starts_;
    out->slot_ = slot;
    return out;
  }

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
    if (slot_) {
      for (const Total& target : targets) out.chances.push_back(shared_chance(target));
      out.engine = all_starts_->report();
      all_starts_->add_work(out.work);
      return out;
    }
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
  // Its policy is found when it is asked for, from this state alone.
  [[nodiscard]] FoundChance shared_chance(const Total& target) const {
    FoundChance out = all_starts_->find(target, *slot_);
    if (!out.policy) return out;
    out.policy = [model = model_, setting = setting_, target, kept = for_later(options_)] {
      const LaterWork later(kept);
      InfiniteProblem alone(model, setting, later.options());
      return alone.chances({target}).chances.front().policy();
    };
    return out;
  }

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
    result.optimum = CriterionOptimum{asked.criterion, Total(found->value), Total(found->value)};
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
      result.optimum = CriterionOptimum{asked.criterion, value, value};
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
  std::shared_ptr<InfiniteLayout> all_layout_;
  std::shared_ptr<InfiniteTargets> all_starts_;  // once one of several was asked for
  std::optional<std::size_t> slot_;              // this is one of them
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
