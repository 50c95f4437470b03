#include <algorithm>

#include "base/call.hpp"
#include "base/checkpoint_folder.hpp"
#include "model/model_facts.hpp"
#include "quantiplan/comparison.hpp"
#include "quantiplan/error.hpp"
#include "quantiplan/solve.hpp"

namespace quantiplan {
namespace {

using Kind = Criterion::Kind;

MeasureQuery compared_measures(const Query& query) {
  MeasureQuery out;
  out.measures = {Measure::quantile,
                  Measure::cvar,
                  Measure::evar,
                  Measure::mean,
                  Measure::standard_deviation,
                  Measure::worst_case,
                  Measure::best_case};
  out.taus = {query.taus.front()};
  const Criterion& criterion = query.criterion;
  if (criterion.kind == Kind::entropic) {
    out.measures.push_back(Measure::entropic);
    out.betas = {criterion.parameter};
  }
  if (criterion.kind == Kind::utility) {
    out.measures.push_back(Measure::utility);
    out.utility = criterion.utility;
  }
  return out;
}

std::string why_no_policy(Status status) {
  if (status == Status::limit_reached)
    return "a limit was met before there was a policy; expected a longer --time-limit or a larger "
           "--memory-limit";
  if (status == Status::interrupted) return "interrupted before there was a policy";
  return "no policy attains its optimum";
}

ComparedPolicy compared_policy(const Model& model,
                               const Query& query,
                               const Criterion& criterion,
                               const Options& options) {
  ComparedPolicy row{criterion, {}};
  Query own = query;
  own.criterion = criterion;
  own.compare = criterion.kind == Kind::quantile;  // the best mean that keeps the promise
  if (!criterion.takes_tau()) own.taus.clear();
  try {
    const Answer answer = solve(model, own, options);
    const Result& result = answer.results.front();
    row.status = result.status;
    if (!result.distribution) {
      row.why = why_no_policy(result.status);
    } else {
      const Distribution law = result.distribution();
      row.values = measure(law, compared_measures(query), options);
      row.sample = law.sample;
    }
  } catch (const Error& error) {
    if (error.code() != ErrorCode::refused) throw;
    const Problem& first = error.problems().front();
    const bool is_named = first.place == to_text(criterion.kind) || first.place == "--criterion";
    row.why = is_named ? first.message : std::string(error.what());
  }
  return row;
}

// Where nobody says which: half and half, and aversions to risk of a tenth for each unit of reward.
Rational usual_parameter(Kind kind) {
  if (kind == Kind::mean_cvar) return {1, 2};
  if (kind == Kind::entropic || kind == Kind::mean_variance) return {1, 10};
  return 0;
}

}  // namespace

std::vector<Criterion> compared_criteria(const Criterion& other) {
  std::vector<Criterion> out;
  for (const Kind kind : {Kind::quantile,
                          Kind::cvar,
                          Kind::mean_cvar,
                          Kind::evar,
                          Kind::nested_cvar,
                          Kind::worst_case,
                          Kind::expectation,
                          Kind::entropic,
                          Kind::mean_variance})
    out.push_back({kind, usual_parameter(kind)});
  const bool is_new = std::ranges::none_of(
      out, [&](const Criterion& each) { return to_text(each) == to_text(other); });
  if (is_new) out.push_back(other);
  return out;
}

Comparison compare_criteria(const Model& model,
                            const Query& query,
                            const std::vector<Criterion>& criteria,
                            const Options& asked_options) {
  const BegunCall call(asked_options);
  refuse_checkpoints(asked_options, "a comparison", "a quantile, a threshold or a frontier");
  if (query.taus.empty())
    throw Error(ErrorCode::bad_request, "--tau", "none given, must have at least one");
  Comparison out{facts_of(model, resolve(model, query.setting)), query.taus.front(), {}};
  for (const Criterion& criterion : criteria)
    out.rows.push_back(compared_policy(model, query, criterion, call.options()));
  return out;
}

}  // namespace quantiplan
