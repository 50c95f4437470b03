// The entry points: which way a problem goes, by its horizon, its discount and what else is set.
//
//     finite    plain                              plain engines
//               costs, adversary, goals            recast as plain
//     infinite  no discount, one sign of rewards   level by level
//               no discount, no cycles             recast as plain: the longest episode is the
//                                                  horizon
//     discount  infinite, or with goals            cut off, what follows bounded
#include "quantiplan/solve.hpp"

#include "cut_off.hpp"
#include "endless.hpp"
#include "endless_solve.hpp"
#include "instance.hpp"
#include "moves.hpp"
#include "plain.hpp"
#include "quantiplan/error.hpp"
#include "recast.hpp"
#include "recast_solve.hpp"
#include "stopwatch.hpp"

namespace quantiplan {
namespace {

enum class Way { plain, recast, endless, cut_off };

struct Route {
  Way way = Way::plain;
  ResolvedSetting setting;  // what is solved: the horizon may be that of the longest episode
};

Route route_of(const Model& model, const ResolvedSetting& setting, const Options& options) {
  Route route{Way::plain, setting};
  if (setting.discount != 1 && (setting.is_infinite() || !setting.goal.empty())) {
    route.way = Way::cut_off;
    return route;
  }
  if (!setting.is_infinite()) {
    route.way = setting.is_plain() ? Way::plain : Way::recast;
    return route;
  }
  route.way = Way::endless;
  // Rewards of one sign, wherever they are, need no second look.
  const auto [least, greatest] = reward_range(model);
  if (least >= 0 || greatest <= 0) return route;
  Limits limits(options);
  const auto moves = Moves::lay_out(model, setting, limits);
  if (!moves) return route;
  const Signs signs = signs_of(*moves);
  if (!signs.gain || !signs.loss) return route;
  // Mixed signs: refused by the engine unless every episode ends.
  if (const auto longest = longest_episode(*moves)) {
    route.way = Way::recast;
    route.setting.horizon = *longest;
  }
  return route;
}

// Within what is left of the time limit.
template <class Results>
void check_all(const Model& model, Options options, const Stopwatch& watch, Results& results) {
  const double limit = options.time_limit_seconds;
  for (auto& result : results) {
    if (limit > 0 && watch.seconds() >= limit) return;
    if (limit > 0) options.time_limit_seconds = limit - watch.seconds();
    if (!result.policy) continue;
    const Policy policy = result.policy();
    // The checker confirms claims; a tie makes none.
    if (!policy.claim) continue;
    result.check = check(model, policy, *policy.claim, options);
  }
}

}  // namespace

Answer solve(const Model& model, const Query& query, const Options& options) {
  const Stopwatch watch;
  options.validate();
  const std::vector<Question> asked = questions(query);
  const ResolvedSetting setting = resolve(model, query.setting);
  const Route route = route_of(model, setting, options);
  Answer answer;
  switch (route.way) {
    case Way::plain:
      answer = solve_plain(model, route.setting, asked, query.compare, options);
      break;
    case Way::recast:
      answer = solve_recast(model, route.setting, asked, query.compare, options);
      break;
    case Way::endless:
      answer = solve_endless(model, route.setting, asked, options);
      break;
    case Way::cut_off:
      answer = solve_cut_off(model, route.setting, asked, options);
      break;
  }
  answer.model = facts_of(model, setting);
  if (options.check) check_all(model, options, watch, answer.results);
  answer.work.seconds = watch.seconds();
  return answer;
}

ThresholdAnswer threshold(const Model& model, const ThresholdQuery& query, const Options& options) {
  const Stopwatch watch;
  options.validate();
  if (query.targets.empty())
    throw Error(ErrorCode::bad_request, "--target", "none given, must have at least one");
  const ResolvedSetting setting = resolve(model, query.setting);
  const Route route = route_of(model, setting, options);
  ThresholdAnswer answer;
  switch (route.way) {
    case Way::plain:
    case Way::recast:
      answer = threshold_recast(model, route.setting, query.targets, options);
      break;
    case Way::endless:
      answer = threshold_endless(model, route.setting, query.targets, options);
      break;
    case Way::cut_off:
      answer = threshold_cut_off(model, route.setting, query.targets, options);
      break;
  }
  answer.model = facts_of(model, setting);
  if (options.check) check_all(model, options, watch, answer.results);
  answer.work.seconds = watch.seconds();
  return answer;
}

Frontier frontier(const Model& model, const Query& query, const Options& options) {
  const Stopwatch watch;
  options.validate();
  std::vector<Question> asked;
  if (!query.taus.empty()) asked = questions(query);
  const ResolvedSetting setting = resolve(model, query.setting);
  const Route route = route_of(model, setting, options);
  Frontier out;
  switch (route.way) {
    case Way::plain:
      out = frontier_plain(model, route.setting, asked, options);
      break;
    case Way::recast:
      out = frontier_recast(model, route.setting, asked, options);
      break;
    case Way::endless:
      out = frontier_endless(model, route.setting, asked, options);
      break;
    case Way::cut_off:
      out = frontier_cut_off(model, route.setting, asked, options);
      break;
  }
  out.model = facts_of(model, setting);
  out.work.seconds = watch.seconds();
  return out;
}

Distribution evaluate(const Model& model, const Policy& policy, const Options& options) {
  const Route route = route_of(model, policy.setting, options);
  switch (route.way) {
    case Way::plain:
      return evaluate_plain(model, policy, options);
    case Way::recast: {
      std::optional<Rational> unit;
      if (policy.grid) unit = policy.grid->unit;
      const Recast recast(model, route.setting, unit);
      return recast.distribution(
          evaluate_plain(recast.plain_model(), recast.plain(policy), options));
    }
    case Way::cut_off:
      return evaluate_cut_off(model, policy, options);
    case Way::endless:
      break;
  }
  Limits limits(options);
  if (auto found = endless_distribution(model, policy, options, limits)) return *std::move(found);
  throw Error(ErrorCode::refused,
              "evaluation",
              "a limit was met before it was complete, expected a longer --time-limit");
}

Policy expectation_policy(const Model& model, const Setting& setting, const Options& options) {
  const ResolvedSetting resolved = resolve(model, setting);
  if (resolved.is_plain() && !resolved.is_infinite())
    return expectation_plain(model, resolved, options);
  if (resolved.is_infinite() || !resolved.goal.empty()) {
    throw Error(ErrorCode::refused,
                "expectation policy",
                "expected a finite horizon and no goal: elsewhere the expected total may be "
                "infinite, or undefined because of misses");
  }
  // An adversary's policy minimises.
  const Recast recast(model, resolved);
  return recast.policy(expectation_plain(recast.plain_model(), recast.plain_setting(), options));
}

}  // namespace quantiplan
