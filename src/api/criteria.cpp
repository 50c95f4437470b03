#include "api/criteria.hpp"

#include <fmt/format.h>

#include "api/route.hpp"
#include "base/call.hpp"
#include "base/checkpoint_folder.hpp"
#include "base/stopwatch.hpp"
#include "markov/markov_optimum.hpp"
#include "model/model_facts.hpp"
#include "problem/other_criteria.hpp"
#include "quantiplan/criteria.hpp"
#include "quantiplan/error.hpp"

namespace quantiplan {

CriterionQuestions criterion_questions(const Query& query) {
  const Criterion& criterion = query.criterion;
  criterion.validate();
  if (!criterion.takes_tau()) {
    if (!query.taus.empty())
      throw Error(ErrorCode::bad_request,
                  "--tau",
                  fmt::format("found with the criterion {}, which has none; expected no --tau",
                              to_text(criterion.kind)));
    return {criterion, {}};
  }
  if (query.taus.empty())
    throw Error(ErrorCode::bad_request, "--tau", "none given, must have at least one");
  for (const Rational& tau : query.taus) {
    if (tau < 0 || tau > 1)
      throw Error(
          ErrorCode::bad_request,
          "--tau",
          fmt::format("found {}, expected a share of the distribution, from 0 to 1", to_text(tau)));
    if (tau == 0 && criterion.kind == Criterion::Kind::mean_cvar)
      throw Error(ErrorCode::refused,
                  "--tau",
                  "found 0 with mean-cvar, expected more: the worst case and a mean together are "
                  "no one pass; "
                  "solve --criterion worst-case has the best mean among the best worst cases");
  }
  return {criterion, query.taus};
}

namespace {

MarkovOptimum markov_optimum(const Model& model,
                             const ResolvedSetting& setting,
                             const Criterion& criterion,
                             const Rational& tau,
                             const Options& options) {
  switch (criterion.kind) {
    case Criterion::Kind::entropic:
      return entropic_optimum(model, setting, criterion.parameter, options.epsilon, options);
    case Criterion::Kind::evar:
      return evar_optimum(model, setting, tau, options.epsilon, options);
    default:
      return nested_cvar_optimum(model, setting, tau, options.epsilon, options);
  }
}

Claims claims_of(const MarkovOptimum& found) {
  return found.lower == found.upper ? Claims::optimum : Claims::bracket;
}

}  // namespace

bool needs_no_wealth(const Criterion& criterion) {
  return criterion.kind == Criterion::Kind::entropic || criterion.kind == Criterion::Kind::evar ||
         criterion.kind == Criterion::Kind::nested_cvar;
}

FoundQuantiles wealth_free_optima(const Model& model,
                                  const ResolvedSetting& setting,
                                  const CriterionQuestions& asked,
                                  const Options& options) {
  refuse_adversary(asked.criterion, setting);
  FoundQuantiles out;
  std::vector<Rational> taus = asked.taus;
  if (taus.empty()) taus.emplace_back(0);
  for (const Rational& tau : taus) {
    MarkovOptimum found = markov_optimum(model, setting, asked.criterion, tau, options);
    Result result;
    if (asked.criterion.takes_tau()) result.tau = tau;
    result.status = found.status;
    result.certificate = found.lower == found.upper ? Certificate::exact : Certificate::bracket;
    result.optimum = CriterionOptimum{asked.criterion, found.lower, found.upper};
    result.policy = found.policy;
    out.work.passes += found.passes;
    if (found.lower != found.upper) out.epsilon = found.epsilon;
    out.results.push_back({std::move(result), std::nullopt, claims_of(found)});
  }
  out.engine = no_engine_report(options);
  out.engine.used = "backward induction";
  out.engine.why = "this criterion needs no wealth in the state, so policies go by time and state";
  return out;
}

namespace {

void require_curve(const Criterion& criterion) {
  if (criterion.kind == Criterion::Kind::mean_variance) {
    if (criterion.parameter == 0) return;
    throw Error(ErrorCode::bad_request,
                "--criterion",
                fmt::format("found {}, expected mean-variance: the curve has every lambda",
                            to_text(criterion)));
  }
  criterion.validate();
  if (criterion.kind != Criterion::Kind::cvar)
    refuse_criterion(criterion,
                     "of which no curve is drawn, expected quantile, cvar or mean-variance");
}

}  // namespace

Criterion parse_curve_criterion(std::string_view text, const std::string& place) {
  if (text == to_text(Criterion::Kind::mean_variance)) return {Criterion::Kind::mean_variance};
  return parse_criterion(text, place);
}

Answer criterion_curve(const Model& model, const Query& query, const Options& asked_options) {
  const BegunCall call(asked_options);
  const Options& options = call.options();
  const Stopwatch watch;
  require_curve(query.criterion);
  refuse_checkpoints(options, "another criterion", "the quantile");
  if (query.setting.structure || goes_by_classes(model, options))
    refuse_criterion(query.criterion, "with a wealth that is no sum, expected quantile");
  const ResolvedSetting setting = resolve(model, query.setting);
  CriterionQuestions asked{query.criterion, {}};
  asked.is_whole = true;
  // Level by level the least tau says how far to go.
  if (setting.is_infinite() && setting.discount == 1) asked.taus = {Rational(1, 100), Rational(1)};
  FoundQuantiles found = route_sums(model, setting, options)->optima(asked);
  Answer answer;
  answer.epsilon = std::move(found.epsilon);
  answer.engine = std::move(found.engine);
  answer.work = found.work;
  for (FoundQuantile& each : found.results) answer.results.push_back(std::move(each.result));
  answer.is_complete = found.is_complete;
  answer.model = facts_of(model, setting);
  answer.work.seconds = watch.seconds();
  return answer;
}

std::optional<PolicyClaim> criterion_claim(const FoundQuantile& found) {
  if (found.claim || found.claims == Claims::nothing) return found.claim;
  const CriterionOptimum& optimum = *found.result.optimum;
  if (!optimum.lower.is_finite() || !optimum.upper.is_finite()) return std::nullopt;
  PolicyClaim claim;
  claim.kind = PolicyClaim::Kind::criterion;
  claim.criterion = optimum.criterion;
  claim.tau = found.result.tau;
  claim.quantile = optimum.lower;
  if (optimum.upper != optimum.lower) claim.upper = optimum.upper;
  return claim;
}

void add_mean(Result& result) {
  const CriterionOptimum& found = *result.optimum;
  const bool is_mean = found.criterion.kind == Criterion::Kind::expectation ||
                       (found.criterion.takes_tau() && result.tau == 1 &&
                        found.criterion.kind != Criterion::Kind::quantile);
  if (!is_mean || result.mean || found.lower != found.upper || !found.lower.is_finite()) return;
  result.mean = Value{to_nearest_double(found.lower.value()), found.lower.value()};
}

}  // namespace quantiplan
