// The entry points: which way a problem goes, by its horizon, its discount and what else is set.
//
//     finite    plain                              plain engines
//               costs, adversary, goals            recast as plain
//     infinite  no discount, one sign of rewards   level by level
//               no discount, no cycles             recast as plain: the longest episode is the
//                                                  horizon
//     discount  infinite, or with goals            cut off, what follows bounded
//     another wealth structure than the sum        classes of wealth (preference.hpp)
#include "quantiplan/solve.hpp"

#include <algorithm>

#include "check_results.hpp"
#include "cut_off.hpp"
#include "endless.hpp"
#include "endless_solve.hpp"
#include "expected_wealth.hpp"
#include "instance.hpp"
#include "moves.hpp"
#include "plain.hpp"
#include "preference.hpp"
#include "quantiplan/error.hpp"
#include "recast.hpp"
#include "recast_solve.hpp"
#include "stopwatch.hpp"
#include "wealth_check.hpp"
#include "wealth_distribution.hpp"
#include "wealth_simulation.hpp"

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

// Sums go by classes, too, where an engine of other structures is asked for.
bool goes_by_classes(const Model& model, const Options& options) {
  return !model.wealth().is_sum() || options.engine == Engine::ranked ||
         options.engine == Engine::forward;
}
bool goes_by_classes(const Model& model, const Policy& policy, const Options& options) {
  if (!model.wealth().is_sum() || !policy.wealths.empty()) return true;
  if (policy.claim && policy.claim->level) return true;
  // What carries a residual, or counts otherwise than by sums of rewards, cannot.
  return goes_by_classes(model, options) && !policy.target && policy.setting.is_plain() &&
         policy.setting.discount == 1;
}

// Goals, costs, adversaries and discounts are about sums.
void require_classes(const Model& model, const ResolvedSetting& setting) {
  const char* what = !setting.goal.empty()   ? "goal"
                     : setting.cost          ? "cost"
                     : setting.adversarial   ? "adversarial"
                     : setting.discount != 1 ? "discount"
                                             : nullptr;
  if (what == nullptr) return;
  throw Error(ErrorCode::refused,
              what,
              model.wealth().is_sum()
                  ? "found with an engine that goes by classes of wealth, expected another --engine"
                  : "found with wealth by " + std::string(to_text(model.wealth().kind)) +
                        ", expected sums of rewards");
}

// `declared`: the structure is the model's own, about which more is known.
Answer solve_by_classes(const Model& model,
                        const std::shared_ptr<Structure>& structure,
                        bool declared,
                        const Query& query,
                        const Options& options);
Frontier frontier_by_classes(const Model& model,
                             const std::shared_ptr<Structure>& structure,
                             bool declared,
                             const Query& query,
                             const Options& options);
void require_end(const ResolvedSetting& setting, bool declared) {
  if (declared || !setting.is_infinite()) return;
  throw Error(ErrorCode::refused,
              "horizon",
              "infinite with a structure of one's own, about whose limits nothing is known; "
              "expected a finite one");
}

// One curve has one error: the greatest of its steps. Two curves are bounds by themselves.
void set_relative_error(Frontier& frontier) {
  if (!frontier.upper_steps.empty()) return;
  for (const FrontierStep& step : frontier.steps)
    frontier.relative_error = std::max(frontier.relative_error, relative_error(step.probability));
}

template <class AnyAnswer>
void check_results(const Model& model,
                   const Options& options,
                   const Stopwatch& watch,
                   AnyAnswer& answer) {
  check_results(options,
                watch,
                answer,
                [&](const Policy& policy, const PolicyClaim& claim, const Options& left) {
                  return check(model, policy, claim, left);
                });
}

}  // namespace

Answer solve(const Model& model, const Query& query, const Options& asked_options) {
  const Stopwatch watch;
  const BegunCall call(asked_options);
  const Options& options = call.options();
  if (goes_by_classes(model, options))
    return solve_by_classes(model, structure_of(model), true, query, options);
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
  if (options.check) check_results(model, options, watch, answer);
  answer.work.seconds = watch.seconds();
  return answer;
}

ThresholdAnswer threshold(const Model& model,
                          const ThresholdQuery& query,
                          const Options& asked_options) {
  const Stopwatch watch;
  const BegunCall call(asked_options);
  const Options& options = call.options();
  if (query.targets.empty())
    throw Error(ErrorCode::bad_request, "--target", "none given, must have at least one");
  if (!model.wealth().is_sum()) {
    throw Error(ErrorCode::refused,
                "threshold",
                "targets are sums of rewards; expected frontier, which shows the greatest "
                "probability of every class of this wealth");
  }
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
  if (options.check) check_results(model, options, watch, answer);
  answer.work.seconds = watch.seconds();
  return answer;
}

Frontier frontier(const Model& model, const Query& query, const Options& asked_options) {
  const Stopwatch watch;
  const BegunCall call(asked_options);
  const Options& options = call.options();
  if (goes_by_classes(model, options))
    return frontier_by_classes(model, structure_of(model), true, query, options);
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
  set_relative_error(out);
  out.work.seconds = watch.seconds();
  return out;
}

namespace {

Answer solve_by_classes(const Model& model,
                        const std::shared_ptr<Structure>& structure,
                        bool declared,
                        const Query& query,
                        const Options& asked_options) {
  const Stopwatch watch;
  const BegunCall call(asked_options);
  const Options& options = call.options();
  const std::vector<Question> asked = questions(query);
  const ResolvedSetting setting = resolve(model, query.setting);
  require_classes(model, setting);
  require_end(setting, declared);
  Answer answer = setting.is_infinite()
                      ? solve_preference_endless(model, setting, structure, asked, options)
                      : solve_preference(model, setting, structure, asked, query.compare, options);
  if (options.check) {
    check_results(options,
                  watch,
                  answer,
                  [&](const Policy& policy, const PolicyClaim& claim, const Options& left) {
                    return check(model, structure, policy, claim, left);
                  });
  }
  answer.work.seconds = watch.seconds();
  return answer;
}

Frontier frontier_by_classes(const Model& model,
                             const std::shared_ptr<Structure>& structure,
                             bool declared,
                             const Query& query,
                             const Options& asked_options) {
  const Stopwatch watch;
  const BegunCall call(asked_options);
  const Options& options = call.options();
  std::vector<Question> asked;
  if (!query.taus.empty()) asked = questions(query);
  const ResolvedSetting setting = resolve(model, query.setting);
  require_classes(model, setting);
  require_end(setting, declared);
  Frontier out = setting.is_infinite()
                     ? frontier_preference_endless(model, setting, structure, asked, options)
                     : frontier_preference(model, setting, structure, asked, options);
  set_relative_error(out);
  out.work.seconds = watch.seconds();
  return out;
}

}  // namespace

Answer solve(const Model& model,
             const std::shared_ptr<Structure>& structure,
             const Query& query,
             const Options& options) {
  return solve_by_classes(model, structure, false, query, options);
}

Frontier frontier(const Model& model,
                  const std::shared_ptr<Structure>& structure,
                  const Query& query,
                  const Options& options) {
  return frontier_by_classes(model, structure, false, query, options);
}

Distribution evaluate(const Model& model,
                      const std::shared_ptr<Structure>& structure,
                      const Policy& policy,
                      const Options& options) {
  return evaluate_wealth(model, structure, policy, options);
}

std::vector<Episode> simulate(const Model& model,
                              const std::shared_ptr<Structure>& structure,
                              const Policy& policy,
                              std::uint64_t episodes,
                              std::uint64_t seed,
                              bool keep_steps,
                              const Options& options) {
  return simulate_wealth(model, structure, policy, episodes, seed, keep_steps, options);
}

CheckReport check(const Model& model,
                  const std::shared_ptr<Structure>& structure,
                  const Policy& policy,
                  const PolicyClaim& claim,
                  const Options& options) {
  return check_wealth(model, structure, policy, claim, options);
}

Distribution evaluate(const Model& model, const Policy& policy, const Options& asked_options) {
  const BegunCall call(asked_options);
  const Options& options = call.options();
  if (goes_by_classes(model, policy, options))
    return evaluate(model, structure_of(model), policy, options);
  const Route route = route_of(model, policy.setting, options);
  switch (route.way) {
    case Way::plain:
      return evaluate_plain(model, policy, options);
    case Way::recast: {
      std::optional<Rational> unit;
      if (policy.grid) unit = policy.grid->unit;
      const Limits limits(options);
      const Recast recast(model, route.setting, unit, &limits);
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
  refuse_unfinished("evaluation");
}

Policy expectation_policy(const Model& model,
                          const Setting& setting,
                          const Options& asked_options) {
  const BegunCall call(asked_options);
  const Options& options = call.options();
  const ResolvedSetting resolved = resolve(model, setting);
  if (goes_by_classes(model, options)) {
    require_classes(model, resolved);
    const auto found = resolved.is_infinite()
                           ? std::nullopt
                           : expected_wealth_policy(
                                 model, resolved, structure_of(model), options, ~std::uint64_t{0});
    if (found) return *found;
    throw Error(ErrorCode::refused,
                "expectation policy",
                "expected a finite horizon, and a wealth that is a number: this one has no "
                "expectation");
  }
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
