// The entry points. Each query is one walk: the setting resolved, the problem chosen (route.hpp),
// its questions answered, and here, for all of them alike, results, claims and checks filled in.
#include "quantiplan/solve.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "api/answering.hpp"
#include "api/check_results.hpp"
#include "api/checkpoints.hpp"
#include "api/criteria.hpp"
#include "api/expectations.hpp"
#include "api/route.hpp"
#include "base/call.hpp"
#include "base/checkpoint_folder.hpp"
#include "base/limits.hpp"
#include "base/memory.hpp"
#include "base/stopwatch.hpp"
#include "check/classes/wealth_check.hpp"
#include "evaluate/classes/wealth_distribution.hpp"
#include "evaluate/mixture.hpp"
#include "model/model_facts.hpp"
#include "policy/wealth_rules.hpp"
#include "quantiplan/error.hpp"

namespace quantiplan {
namespace {

using MakePolicy = Later<Policy>;
using MakeLaw = std::function<Distribution(const Policy&, const Options&)>;
using CheckOne = std::function<CheckReport(const Policy&, const PolicyClaim&, const Options&)>;

MakePolicy with_claim(MakePolicy make, PolicyClaim claim) {
  return [make = std::move(make), claim = std::move(claim)] {
    Policy policy = make();
    policy.claim = claim;
    return policy;
  };
}

// The parts of a mixture claim what they do of the level that the whole claims; it claims a mean where
// all of them do.
MakePolicy with_claim_of_coin(const Mixed& mixed, PolicyClaim claim) {
  claim.set_probability(mixed.probability);
  if (claim.mean) claim.mean = mixed.mean;
  return [make = mixed.policy, claim = std::move(claim)] {
    Policy policy = make();
    policy.claim = claim;
    for (MixturePart& part : policy.mixture) {
      PolicyClaim& own = *part.policy.claim;
      own.quantile = claim.quantile;
      if (own.mean) continue;
      policy.claim->mean.reset();
      policy.claim->mean_bound.reset();
      policy.claim->weight.reset();
    }
    return policy;
  };
}

// Where no coin was found, or a limit ended the search for one: the policy itself, surely.
Mixed certain_coin(const Result& result) {
  PolicyClaim own;
  own.kind = PolicyClaim::Kind::threshold;
  own.quantile = *result.quantile;
  own.set_probability(*result.probability);
  own.most_probability = 1;
  const auto alone = [make = result.policy, own = std::move(own)] {
    Policy mixture;
    mixture.mixture.push_back({1, make()});
    mixture.mixture.front().policy.claim = own;
    mixture.setting = mixture.mixture.front().policy.setting;
    return mixture;
  };
  return {1, *result.probability, result.mean.value_or(Value{std::nan("")}), alone, std::nullopt};
}

PolicyClaim claim_of(const FoundQuantile& found) {
  PolicyClaim claim;
  claim.tau = found.result.tau;
  claim.side = found.result.side;
  const Level& level = *found.result.quantile;
  if (level.is_class()) {
    claim.level = level.class_text();
  } else {
    claim.quantile = level.total();
    if (found.claims == Claims::bracket && found.result.upper) claim.upper = *found.result.upper;
  }
  if (found.own) claim.set_probability(*found.own);
  if (found.result.prefer == Prefer::mean && found.result.mean && found.result.mean_bound) {
    claim.mean = found.result.mean;
    claim.mean_bound = found.result.mean_bound;
    claim.weight = found.result.mean_weight;
  }
  return claim;
}

// The policy says what it claims, which is made when it is: its parts are shared with the result.
MakePolicy with_own_claim(const FoundQuantile& found) {
  const bool claims =
      found.result.optimum ? criterion_claim(found).has_value() : found.claims != Claims::nothing;
  if (!claims) return found.result.policy;
  FoundQuantile kept = found;
  kept.result.distribution = nullptr;
  return [kept = std::move(kept)] {
    Policy policy = kept.result.policy();
    policy.claim = kept.result.optimum ? criterion_claim(kept) : claim_of(kept);
    return policy;
  };
}

struct Laws {
  MakeLaw law;
  Options kept;
  [[nodiscard]] Distribution of(const Policy& policy) const {
    const LaterWork later(kept);
    return law(policy, later.options());
  }
};

// Results of many taus are as large as a problem, with their words.
void require_room(std::size_t results, const Options& options) {
  constexpr std::size_t kFew = 1000;
  constexpr std::uint64_t kBytesPerResult = 2000;
  const Limits limits(options);
  if (results <= kFew || limits.would_fit(kBytesPerResult * results)) return;
  throw Error(ErrorCode::refused,
              "--tau",
              fmt::format("found {} questions, whose results need about {}, the limit is {}; "
                          "expected fewer of them, or a larger --memory-limit",
                          results,
                          bytes_text(kBytesPerResult * results),
                          bytes_text(limits.limit())));
}

// `law`: of a policy, for later. `mixed`: a coin was asked for.
Answer as_answer(FoundQuantiles found, const Options& options, const MakeLaw& law, bool mixed) {
  const auto laws = std::make_shared<const Laws>(Laws{law, for_later(options)});
  Answer answer;
  answer.epsilon = std::move(found.epsilon);
  answer.classes = std::move(found.classes);
  answer.engine = std::move(found.engine);
  answer.work = found.work;
  answer.results.reserve(found.results.size());
  for (FoundQuantile& each : found.results) {
    Result& result = each.result;
    if (mixed && result.policy && result.probability && !result.mixed)
      result.mixed = certain_coin(result);
    if (result.optimum) add_mean(result);
    if (result.mixed && each.claims != Claims::nothing) {
      result.mixed.change(
          [&](Mixed& coin) { coin.policy = with_claim_of_coin(coin, claim_of(each)); });
    }
    if (result.policy) result.policy = with_own_claim(each);
    if (result.policy && !result.distribution)
      result.distribution = [laws, make = result.policy] { return laws->of(make()); };
    answer.results.push_back(std::move(result));
  }
  return answer;
}

// `level`: the target's text, where wealth goes by classes.
ThresholdResult as_result(const Level& target,
                          const std::optional<std::string>& level,
                          FoundChance found) {
  ThresholdResult result;
  result.target = target;
  result.level = level;
  result.status = found.status;
  // Bounds that meet leave nothing open, as those that end at 1.
  if (found.low.least() == found.high.greatest())
    found.low = found.high = Value::exactly(found.low.least());
  const bool exact = found.low.exact && found.high.exact && *found.low.exact == *found.high.exact;
  result.certificate = exact ? Certificate::exact : Certificate::bracket;
  result.probability = found.low;
  if (!exact) {
    result.probability = Value::at_least(found.low.least());
    result.upper = Value::at_most(found.high.greatest());
  }
  if (!found.policy) return result;
  PolicyClaim claim;
  claim.kind = PolicyClaim::Kind::threshold;
  if (level)
    claim.level = level;
  else
    claim.quantile = target.total();
  claim.set_probability(*result.probability);
  if (!exact) claim.most_probability = result.upper->nearest;
  result.policy = with_claim(std::move(found.policy), std::move(claim));
  return result;
}

// One curve has one error: the greatest of its steps. Two curves are bounds by themselves.
void set_relative_error(Frontier& frontier) {
  if (!frontier.upper_steps.empty()) return;
  for (const FrontierStep& step : frontier.steps)
    frontier.relative_error = std::max(frontier.relative_error, relative_error(step.probability));
}

// The structure by which a call goes; null: sums of rewards.
std::shared_ptr<Structure> structure_for(const Model& model,
                                         const ResolvedSetting& setting,
                                         const Options& options) {
  if (setting.structure) return setting.structure;
  return goes_by_classes(model, options) ? structure_of(model) : nullptr;
}
std::shared_ptr<Structure> structure_for(const Model& model,
                                         const Policy& policy,
                                         const Options& options) {
  if (policy.setting.structure) return policy.setting.structure;
  // What carries a residual, or counts otherwise than by sums of rewards, cannot.
  const bool may = !policy.target && policy.setting.is_plain() && policy.setting.discount == 1;
  if (goes_by_wealth(model, policy) || (may && goes_by_classes(model, options)))
    return structure_of(model);
  return nullptr;
}

std::unique_ptr<QuantileProblem> problem_of(const Model& model,
                                            const ResolvedSetting& setting,
                                            const std::shared_ptr<Structure>& structure,
                                            const Options& options) {
  if (structure) refuse_checkpoints(options, "classes of wealth", "sums of rewards");
  if (options.arithmetic == Arithmetic::exact)
    refuse_checkpoints(options, "exact arithmetic", "passes in doubles");
  if (!options.checkpoint.empty() && !goes_by_steps(model, setting, options))
    refuse_checkpoints(
        options, "an infinite horizon without discount", "a finite horizon, or a discount");
  begin_checkpoints(model, setting, options);
  return structure ? route_classes(model, setting, structure, options)
                   : route_sums(model, setting, options);
}

// Where policies go by time and state, no work tells how many totals they have.
bool is_short(const Model& model, const ResolvedSetting& setting, const FoundQuantiles& found) {
  constexpr std::uint64_t kMostSteps = 20'000;
  return !setting.is_infinite() && setting.horizon <= kMostSteps &&
         model.state_count() * setting.horizon * found.results.size() <= kMostSteps;
}

template <class AnyAnswer>
void finish(const Model& model,
            const ResolvedSetting& setting,
            const std::shared_ptr<Structure>& structure,
            const Options& options,
            const Stopwatch& watch,
            AnyAnswer& answer) {
  answer.model = facts_of(model, setting);
  if (options.check) {
    const CheckOne one = [&](const Policy& policy, const PolicyClaim& claim, const Options& left) {
      return structure ? check_wealth(model, structure, policy, claim, left)
                       : check(model, policy, claim, left);
    };
    check_results(options, watch, answer, one);
  }
  answer.work.seconds = watch.seconds();
}

// Targets as texts of classes, as they are written.
std::vector<std::string> levels_of(const ThresholdQuery& query, const Wealth& wealth) {
  std::vector<std::string> levels;
  for (const Total& target : query.targets) levels.push_back(to_text(target));
  for (const std::string& level : query.levels) levels.push_back(wealth.written(level));
  return levels;
}

}  // namespace

Answer solve(const Model& model, const Query& query, const Options& asked_options) {
  const BegunCall call(asked_options);
  return answer_solve(model, query, resolve(model, query.setting), call.options());
}

Answer answer_solve(const Model& model,
                    const Query& query,
                    const ResolvedSetting& setting,
                    const Options& options,
                    std::unique_ptr<QuantileProblem> problem) {
  const Stopwatch watch;
  const bool by_quantile = query.criterion.kind == Criterion::Kind::quantile;
  if (!by_quantile) refuse_checkpoints(options, "another criterion", "the quantile");
  const auto asked = by_quantile ? questions(query) : std::vector<Question>();
  const auto criterion = by_quantile ? CriterionQuestions() : criterion_questions(query);
  require_room(asked.size() + criterion.taus.size(), options);
  if (query.mixed) require_means("--mixed", model, setting, options);
  const auto structure = structure_for(model, setting, options);
  if (query.prefer == Prefer::classes && !structure)
    throw Error(ErrorCode::refused,
                "--prefer",
                "found classes where wealth is the sum of rewards; expected mean or probability");
  const MakeLaw law = [model, structure](const Policy& policy, const Options& later) {
    return structure ? evaluate_wealth(model, structure, policy, later)
                     : evaluate(model, policy, later);
  };
  const bool is_wealth_free = !structure && needs_no_wealth(query.criterion);
  if (is_wealth_free)
    problem.reset();
  else if (!problem)
    problem = problem_of(model, setting, structure, options);
  FoundQuantiles found = by_quantile      ? problem->quantiles(asked, wishes_of(query))
                         : is_wealth_free ? wealth_free_optima(model, setting, criterion, options)
                                          : problem->optima(criterion);
  if (query.compare && !structure && by_quantile) add_expectations(*problem, setting, found);
  if (query.compare && problem && !structure && !by_quantile) add_criterion_means(*problem, found);
  if (query.compare && is_wealth_free && is_short(model, setting, found))
    add_criterion_means(*route_sums(model, setting, options), found);
  Answer answer = as_answer(std::move(found), options, law, query.mixed);
  finish(model, setting, structure, options, watch, answer);
  return answer;
}

ThresholdAnswer threshold(const Model& model,
                          const ThresholdQuery& query,
                          const Options& asked_options) {
  const BegunCall call(asked_options);
  return answer_threshold(model, query, resolve(model, query.setting), call.options());
}

ThresholdAnswer answer_threshold(const Model& model,
                                 const ThresholdQuery& query,
                                 const ResolvedSetting& setting,
                                 const Options& options,
                                 std::unique_ptr<QuantileProblem> problem) {
  const Stopwatch watch;
  const std::size_t asked = query.targets.size() + query.levels.size();
  if (asked == 0)
    throw Error(ErrorCode::bad_request, "--target", "none given, must have at least one");
  // Engines that go by classes answer for sums, too, but not for single targets.
  std::shared_ptr<Structure> structure = setting.structure;
  if (!structure && !model.wealth().is_sum()) structure = structure_of(model);
  if (!problem) problem = problem_of(model, setting, structure, options);
  const bool by_classes = structure != nullptr || !query.levels.empty();
  const auto levels = by_classes ? levels_of(query, model.wealth()) : std::vector<std::string>();
  FoundChances found =
      by_classes ? problem->class_chances(levels) : problem->chances(query.targets);
  ThresholdAnswer answer;
  answer.engine = std::move(found.engine);
  answer.work = found.work;
  answer.classes = std::move(found.classes);
  for (std::size_t i = 0; i < asked; ++i) {
    FoundChance& each = found.chances[i];
    const Level target = answer.classes ? Level(answer.classes, each.position)
                         : by_classes   ? Level()
                                        : Level(query.targets[i]);
    answer.results.push_back(
        as_result(target, by_classes ? std::optional(levels[i]) : std::nullopt, std::move(each)));
  }
  finish(model, setting, structure, options, watch, answer);
  return answer;
}

Frontier frontier(const Model& model, const Query& query, const Options& asked_options) {
  const BegunCall call(asked_options);
  return answer_frontier(model, query, resolve(model, query.setting), call.options());
}

Frontier answer_frontier(const Model& model,
                         const Query& query,
                         const ResolvedSetting& setting,
                         const Options& options,
                         std::unique_ptr<QuantileProblem> problem) {
  const Stopwatch watch;
  std::vector<Question> asked;
  if (!query.taus.empty()) asked = questions(query);
  const auto structure = structure_for(model, setting, options);
  if (!problem) problem = problem_of(model, setting, structure, options);
  Frontier out = problem->curve(asked);
  out.model = facts_of(model, setting);
  set_relative_error(out);
  out.work.seconds = watch.seconds();
  return out;
}

Distribution evaluate(const Model& model, const Policy& policy, const Options& asked_options) {
  const BegunCall call(asked_options);
  const Options& options = call.options();
  refuse_checkpoints(options, "a policy to evaluate", "a quantile, a threshold or a frontier");
  if (!policy.mixture.empty()) {
    std::vector<std::pair<Rational, Distribution>> parts;
    for (const MixturePart& part : policy.mixture)
      parts.emplace_back(part.weight, evaluate(model, part.policy, options));
    return mixed_distribution(parts);
  }
  if (const auto structure = structure_for(model, policy, options))
    return evaluate_wealth(model, structure, policy, options);
  return route_sums(model, policy.setting, options)->law(policy);
}

Policy expectation_policy(const Model& model,
                          const Setting& setting,
                          const Options& asked_options) {
  const BegunCall call(asked_options);
  const Options& options = call.options();
  const ResolvedSetting resolved = resolve(model, setting);
  return problem_of(model, resolved, structure_for(model, resolved, options), options)
      ->expectation_policy();
}

}  // namespace quantiplan
