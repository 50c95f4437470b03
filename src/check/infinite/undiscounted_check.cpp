#include "check/infinite/undiscounted_check.hpp"

#include "check/common/claim_report.hpp"
#include "check/infinite/reach_bounds.hpp"
#include "check/infinite/undiscounted_optimum.hpp"

namespace quantiplan::checking {
namespace {

// The first nodes are those of the initial states, in their order.
template <class BoundsAt>
Chance chance_of(const StationaryWalk& walk,
                 const InitialStates& initial,
                 const BoundsAt& bounds_at) {
  std::vector<Bounds> first;
  for (std::uint32_t v = 0; v < initial.size(); ++v) first.push_back(bounds_at(v));
  return Chance::of(drawn(initial, first), walk.some_within, walk.some_outside);
}

std::optional<Chance> proved(const StationaryWalk& walk,
                             const InitialStates& initial,
                             CheckLimits& limits) {
  const auto bounds = chain_bounds(walk.chain, limits);
  if (!bounds) return std::nullopt;
  return chance_of(walk, initial, [&](std::uint32_t v) { return bounds->at(v); });
}

std::optional<Chance> exactly(const StationaryWalk& walk,
                              const InitialStates& initial,
                              CheckLimits& limits) {
  Effort effort;
  const auto values = exact_values(walk.chain, first_selection(walk.chain), effort, limits);
  if (!values) return std::nullopt;
  return chance_of(walk, initial, [&](std::uint32_t v) { return Bounds::of((*values)[v]); });
}

// "-inf is the optimum": no number is one, however low. What is reached within any number tends to
// what is reached at all; where that alone would do, somebody must lose without bound for it.
void confirm_without_bound(const CheckCase& task) {
  const auto& [model, policy, claim, limits, findings] = task;
  const ResolvedSetting& setting = policy.setting;
  OptimumReport report = task.optimum();
  const Demand& demand = claim.beyond_demand;
  const auto limit = greatest_undiscounted_chance(model, setting, claim.beyond, demand, limits);
  if (!limit || !demand.is_settled_by(*limit)) {
    report.leave_out(limits, limit.has_value());
    return;
  }
  if (demand.met_by(*limit) == Verdict::no || limit->low > demand.theta) {
    report.report(*limit);
    return;
  }
  const Rational enough = losses_that_suffice(model);
  const Total last = setting.adversarial ? Total(enough) : Total(Rational(-enough));
  const Event within(setting, last, /*strictly=*/false);
  const auto bounded = greatest_undiscounted_chance(model, setting, within, demand, limits);
  const Verdict met = bounded ? demand.met_by(*bounded) : Verdict::open;
  if (met == Verdict::open) {
    report.leave_out(limits, bounded.has_value());
    return;
  }
  findings.optimality_was_checked();
  const std::string sentence =
      "The greatest P(" + within.text() + ") of any policy " + shown(*bounded) + ": it is ";
  if (met == Verdict::no)
    findings.say(sentence + "not " + demand.text() + ", nor is it within any other number.");
  else
    findings.refute(sentence + demand.text() + ", so the quantile is not the optimum.");
}

}  // namespace

void confirm_walk(const CheckCase& task, const StationaryWalk& walk, bool asks_level) {
  const auto& [model, policy, claim, limits, findings] = task;
  if (walk.fault) findings.refute(*walk.fault);
  if (walk.obstacle) findings.leave_open(*walk.obstacle);
  if (walk.fault || walk.obstacle) return;
  ClaimReport report(claim, Tolerance::of_no_end(), findings);
  std::optional<Chance> chance = proved(walk, policy.setting.initial, limits);
  if (!chance || !report.is_settled(*chance)) {
    if (auto exact = exactly(walk, policy.setting.initial, limits)) chance = std::move(exact);
  }
  if (!chance) {
    findings.leave_open(limits.ended()
                            ? limits.policy_was_not_followed()
                            : "The policy was not followed: too many places lead to one another.");
    return;
  }
  findings.say("The policy has a rule wherever it comes: " + std::to_string(walk.chain.nodes()) +
               " places (state, wealth).");
  if (asks_level)
    report.report(*chance, walk.some_at);
  else
    report.report(*chance);
}

void confirm_stationary_policy(const CheckCase& task) {
  confirm_walk(task,
               walk_stationary(task.model, task.policy, task.claim.own, task.limits),
               /*asks_level=*/true);
}

void confirm_undiscounted_optimum(const CheckCase& task) {
  const auto& [model, policy, claim, limits, findings] = task;
  if (!claim.is_threshold && claim.beyond.level() == Total::minus_infinity()) {
    confirm_without_bound(task);
    return;
  }
  OptimumReport report = task.optimum();
  const auto greatest = greatest_undiscounted_chance(
      model, policy.setting, claim.beyond, claim.beyond_demand, limits);
  if (!greatest || !report.report(*greatest)) report.leave_out(limits, greatest.has_value());
}

}  // namespace quantiplan::checking
