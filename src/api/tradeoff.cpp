#include "quantiplan/tradeoff.hpp"

#include <fmt/format.h>

#include "api/route.hpp"
#include "base/call.hpp"
#include "base/checkpoint_folder.hpp"
#include "base/stopwatch.hpp"
#include "model/model_facts.hpp"
#include "quantiplan/error.hpp"

namespace quantiplan {
namespace {

TradeoffQuestion question_of(const TradeoffQuery& query) {
  if (query.tau.has_value() == query.target.has_value()) {
    throw Error(ErrorCode::bad_request,
                query.tau ? "--target" : "--tau",
                query.tau ? "given with --tau, expected one of the two"
                          : "neither --tau nor --target was given, expected one of the two");
  }
  if (query.mean_gap && (*query.mean_gap < 0 || *query.mean_gap > 1))
    throw Error(ErrorCode::bad_request,
                "--mean-gap",
                fmt::format("found {}, expected a part, from 0 to 1", to_text(*query.mean_gap)));
  if (query.most_points < 2)
    throw Error(ErrorCode::bad_request,
                "--rows",
                fmt::format("found {}, expected at least 2", query.most_points));
  TradeoffQuestion out;
  out.mean_gap = query.mean_gap;
  out.most_points = query.most_points;
  if (query.target) out.target = *query.target;
  if (query.tau) {
    const Query one{
        {*query.tau}, query.side == Side::lower ? Sides::lower : Sides::upper, query.setting};
    out.promise = questions(one).front();
  }
  return out;
}

// What a point promises, and nothing of other policies.
PolicyClaim claim_of(const TradeoffPoint& point) {
  PolicyClaim claim;
  claim.kind = PolicyClaim::Kind::threshold;
  claim.quantile = point.level;
  const Value& p = point.probability;
  claim.set_probability(p.exact ? p : Value::at_least(p.least()));
  claim.most_probability = 1;
  claim.mean = point.mean;
  return claim;
}

}  // namespace

Tradeoff tradeoff(const Model& model, const TradeoffQuery& query, const Options& asked_options) {
  const Stopwatch watch;
  const BegunCall call(asked_options);
  const Options& options = call.options();
  refuse_checkpoints(options, "a tradeoff", "a quantile, a threshold or a frontier");
  const TradeoffQuestion question = question_of(query);
  const ResolvedSetting setting = resolve(model, query.setting);
  require_means("tradeoff", model, setting, options);
  Tradeoff out = route_sums(model, setting, options)->tradeoff(question);
  for (TradeoffPoint& point : out.points) {
    point.policy = [make = std::move(point.policy), claim = claim_of(point)] {
      Policy policy = make();
      policy.claim = claim;
      return policy;
    };
  }
  out.tau = query.tau;
  out.side = query.side;
  out.model = facts_of(model, setting);
  out.work.seconds = watch.seconds();
  return out;
}

}  // namespace quantiplan
