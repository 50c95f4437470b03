// The entry point of attitudes: the setting resolved and put as a plain problem, policies found there
// (attitude_problem.hpp), and each evaluated as any policy is.
#include <fmt/format.h>

#include <memory>
#include <utility>

#include "attitudes/attitude_problem.hpp"
#include "base/call.hpp"
#include "base/checkpoint_folder.hpp"
#include "base/limits.hpp"
#include "base/stopwatch.hpp"
#include "model/model_facts.hpp"
#include "quantiplan/attitude.hpp"
#include "quantiplan/error.hpp"
#include "quantiplan/solve.hpp"
#include "reduce/recast.hpp"

namespace quantiplan {
namespace {

// Attitudes are about what is still to be collected, by a number of steps to go.
void require_finite_sums(const Model& model, const ResolvedSetting& setting) {
  const auto refuse = [](const char* place, const std::string& why) {
    throw Error(ErrorCode::refused, place, "found with attitudes, " + why);
  };
  if (!model.wealth().is_sum()) {
    refuse("wealth",
           fmt::format("where wealth by {} does not let the past cancel; expected sums of rewards",
                       to_text(model.wealth().kind)));
  }
  if (setting.structure)
    refuse("structure", "where wealth does not let the past cancel; expected sums of rewards");
  if (setting.is_infinite())
    refuse("horizon", "whose policies go by the steps left; expected a finite one");
  if (!setting.goal.empty())
    refuse("goal", "where a later self's quantile may be a miss; expected none");
  if (!setting.initial.is_certain())
    refuse("initial", "where selves begin after the draw of a state; expected a single one");
  if (setting.adversarial)
    refuse("adversarial", "where nobody has a plan to keep to; expected a policy of one's own");
}

// What the first self gets. Where doubles leave its quantile open, once more in rationals.
Distribution law_of(const Model& model,
                    const Policy& policy,
                    const Question& question,
                    Options options) {
  Distribution law = evaluate(model, policy, options);
  const QuantileOfDistribution quantile = law.quantile(question.tau, question.side);
  if (quantile.lower == quantile.upper || law.slack != 0 || law.sample) return law;
  try {
    options.arithmetic = Arithmetic::exact;
    return evaluate(model, policy, options);
  } catch (const Error& error) {
    // A bracket is an answer, too.
    if (error.code() != ErrorCode::refused) throw;
    return law;
  }
}

void set_law(const Distribution& law, AttitudeResult& result) {
  result.quantile = law.quantile(result.tau, result.side);
  result.mean = law.mean;
  const Total& level = result.quantile->lower;
  if (law.sample) {
    result.probability = law.at_least(level);
    return;
  }
  const ProbabilityBracket chance = law.at_least_bracket(level);
  result.probability = Value::between(chance.lower, chance.upper);
}

// Resolute play is the best from the start; of the others nothing of that kind is claimed.
void set_claim(const AttitudeResult& result, Policy& policy) {
  const bool is_sharp = result.quantile && result.quantile->lower == result.quantile->upper;
  if (result.attitude.kind() != Attitude::Kind::resolute || !is_sharp || policy.grid) return;
  PolicyClaim claim;
  claim.tau = result.tau;
  claim.side = result.side;
  claim.quantile = result.quantile->lower;
  claim.set_probability(*result.probability);
  policy.claim = std::move(claim);
}

AttitudeResult as_result(const Model& model,
                         const Recast& recast,
                         const Attitude& attitude,
                         const Question& question,
                         FoundAttitude found,
                         const Options& options) {
  AttitudeResult result{attitude, question.tau, question.side};
  result.status = found.status;
  result.regret = std::move(found.regret);
  result.nested = std::move(found.nested);
  result.left_out = std::move(found.left_out);
  if (!found.policy) return result;
  Policy policy = recast.policy(*found.policy);
  if (found.first) {
    const FirstSelf& first = *found.first;
    result.quantile = {question.tau, question.side, first.lower, first.upper};
    result.probability = first.probability;
    result.mean = first.mean;
  }
  try {
    if (!found.first) set_law(law_of(model, policy, question, options), result);
    set_claim(result, policy);
  } catch (const Error& error) {
    if (error.code() != ErrorCode::refused) throw;
    const Limits limits(options);
    result.status = limits.ended() ? limits.status() : Status::limit_reached;
    result.left_out = "the first self's quantile: " + error.problems().front().message;
  }
  result.policy = [kept = std::make_shared<const Policy>(std::move(policy))] { return *kept; };
  return result;
}

}  // namespace

AttitudeAnswer attitudes(const Model& model,
                         const std::vector<Attitude>& asked,
                         const Query& query,
                         const Options& asked_options) {
  const Stopwatch watch;
  const BegunCall call(asked_options);
  const Options& options = call.options();
  refuse_checkpoints(options, "attitudes", "a quantile, a threshold or a frontier");
  if (asked.empty())
    throw Error(ErrorCode::bad_request, "--attitude", "none given, must have at least one");
  const std::vector<Question> wanted = questions(query);
  const ResolvedSetting setting = resolve(model, query.setting);
  require_finite_sums(model, setting);
  if (options.engine != Engine::automatic) {
    throw Error(ErrorCode::refused,
                "--engine",
                "found one with --attitude, whose passes are its own; expected auto");
  }
  const Limits limits(options);
  const Recast recast(model, setting, std::nullopt, &limits);
  FoundAttitudes found =
      find_attitudes(recast.plain_model(), recast.plain_setting(), asked, wanted, options);
  AttitudeAnswer answer;
  answer.model = facts_of(model, setting);
  answer.slack = std::move(found.slack);
  answer.engine = std::move(found.engine);
  std::size_t at = 0;
  for (const Question& question : wanted) {
    for (const Attitude& attitude : asked) {
      answer.results.push_back(
          as_result(model, recast, attitude, question, std::move(found.results[at++]), options));
    }
  }
  answer.work = found.work;
  answer.work.seconds = watch.seconds();
  return answer;
}

}  // namespace quantiplan
