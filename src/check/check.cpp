// check(): holds a policy to its claim, without any code of the engines.
//
//     (a) the policy is well formed and has a rule wherever it comes
//     (b) quantile: P(W >= q) meets the demand of tau and side
//     (c) the claimed probability is that of P(W >= q); of a bracket, at most that
//     (d) quantile: P(W = q) > 0, which holds for every policy whose quantile is the optimum
//     (e) no policy does better: for none P(W > q) meets the demand; of a threshold, for none
//         P(W >= y) exceeds what is claimed; of a bracket, the same of its upper end
//     (f) where a mean is claimed: the policy's is that (own_mean.hpp), and no policy that keeps the
//         promise has more than its bound (mean_bound.hpp)
//
// All of it in the policy's own count, so that costs, goals and adversaries are nothing special
// (counted_claim.hpp). How a policy is followed:
//
//     horizon     finite, or infinite with a discount and cut off       infinite, no discount
//     residual    by its exact wealth (exact_check.hpp)                 by its chain on (state,
//     grid        by its own index (grid_check.hpp)                     wealth) (undiscounted_check.hpp)
//
// A mixture is as good as the probabilities that its parts claim, each confirmed as above, weighted.
//
// An index proves what it counts and no more; what follows a cut is bounded (cut_ends.hpp); (d) is
// not asked of brackets. (e) and (f) are left out, and said to be, where they would be too large.
#include <algorithm>
#include <optional>
#include <string>
#include <type_traits>

#include "check/classes/wealth_check.hpp"
#include "check/common/check_case.hpp"
#include "check/common/overrides.hpp"
#include "check/common/rule_book.hpp"
#include "check/criteria/criterion_check.hpp"
#include "check/criteria/sure_optimum.hpp"
#include "check/finite/bracket_optimality.hpp"
#include "check/finite/cut_ends.hpp"
#include "check/finite/exact_check.hpp"
#include "check/finite/grid_check.hpp"
#include "check/finite/optimality.hpp"
#include "check/finite/whole_needs.hpp"
#include "check/infinite/undiscounted_check.hpp"
#include "check/means/mean_bound.hpp"
#include "check/means/own_mean.hpp"
#include "quantiplan/solve.hpp"

namespace quantiplan {
namespace checking {
namespace {

std::optional<IntegerLedger> integers(const Model& model, const EndsPair& ends) {
  const Rational reserve = std::max<Rational>(ends.low.largest_tail(), ends.high.largest_tail());
  return IntegerLedger::make(model, ends.low.setting(), reserve);
}

// Over the steps of a finite horizon, or up to where an infinite one is cut off.
void confirm_policy(const CheckCase& task) {
  const EndsPair own = ends_of_policy(task.model, task.policy, task.claim.own, task.limits);
  if (own.low.is_cut())
    task.findings.say("What follows after " + std::to_string(own.low.horizon()) +
                      " steps is bounded, state by state.");
  if (task.policy.grid) {
    confirm_by_index(task, own.low);
  } else if (auto ledger = integers(task.model, own)) {
    confirm_sums(task, own.low, own.high, *ledger);
  } else {
    RationalLedger rationals(task.model, own.low.setting());
    confirm_sums(task, own.low, own.high, rationals);
  }
  if (task.claim.mean && task.findings.passed()) confirm_mean(task, own);
}

// Whether any policy does better was settled, or why it was not.
enum class Settled { yes, not_computed, left_open };

template <class Ledger>
Settled settle_optimum(const CheckCase& task, const EndsPair& ends, Ledger& ledger) {
  const Demand& demand = task.claim.beyond_demand;
  const auto is_settled = [&](const Bounds& b) { return demand.is_settled_by(b); };
  const auto listed = [&](std::size_t most_places) {
    return greatest_chance(task.model, ends.high, ledger, task.limits, is_settled, most_places);
  };
  std::optional<Bounds> most;
  if constexpr (std::is_same_v<Ledger, IntegerLedger>) {
    most = listed(kFewPlaces);
    if (!most && !task.limits.ended(0)) {
      const auto whole = greatest_whole_chance(task, ends.high, ledger);
      if (whole && task.optimum().report(whole->chance.bounds)) return Settled::yes;
    }
  }
  if (!most) most = listed(kMostPlaces);
  if (!most) return Settled::not_computed;
  if (!ends.high.is_cut())
    return task.optimum().report(*most) ? Settled::yes : Settled::not_computed;
  if (demand.met_by(*most) == Verdict::no) {
    task.optimum().confirm(*most, "what follows the cut bounded from above");
    return Settled::yes;
  }
  const auto least = greatest_chance(task.model, ends.low, ledger, task.limits, is_settled);
  // What follows the cut makes too great a difference.
  if (!least || demand.met_by(*least) != Verdict::yes) return Settled::left_open;
  task.optimum().refute(*least, "what follows the cut bounded from below");
  return Settled::yes;
}

// Of the quantile: exactly if wealth is a matter of integers, else on grids where it need not be exact; at last in
// rationals, which grow with the horizon.
void confirm_quantile(const CheckCase& task) {
  constexpr std::uint64_t kShortHorizon = 40;
  const EndsPair best = ends_of_best(task.model, task.policy, task.claim.beyond, task.limits);
  auto ledger = integers(task.model, best);
  // Grids tell a probability from 1 only where they are very fine.
  if ((!ledger || task.claim.is_bound) && settle_surely(task)) return;
  Settled settled = ledger ? settle_optimum(task, best, *ledger) : Settled::not_computed;
  if (settled == Settled::yes) return;
  const bool takes_grid = task.claim.is_bound || best.low.is_cut();
  if (takes_grid && settle_upper_end(task, best.low, best.high)) return;
  if (!ledger && (!takes_grid || best.low.horizon() <= kShortHorizon)) {
    RationalLedger rationals(task.model, best.low.setting());
    settled = settle_optimum(task, best, rationals);
  }
  if (settled != Settled::yes) task.optimum().leave_out(task.limits, settled == Settled::left_open);
}

void confirm_optimum(const CheckCase& task) {
  confirm_quantile(task);
  if (task.claim.mean_bound && task.findings.passed()) confirm_mean_bound(task);
}

}  // namespace
}  // namespace checking

namespace checking {
namespace {

// Of a quantile above every total: max r times the sum of all gamma^t is above none. Told before
// anything is followed, for which such a number may be too far away.
std::string wrong_level(const Model& model, const Policy& policy, const PolicyClaim& claim) {
  const ResolvedSetting& setting = policy.setting;
  const bool is_quantile = claim.kind == PolicyClaim::Kind::quantile;
  if (!is_quantile || !claim.quantile.is_finite() || claim.quantile.value() <= 0) return {};
  if (setting.is_infinite() && setting.discount == 1) return {};
  Rational greatest = 0;
  for (std::uint32_t i = 0; i < model.state_count(); ++i) {
    for (const Choice c : model.choices(State{i})) {
      for (const Outcome& o : model.outcomes(c)) {
        const Rational r = model.reward(o);
        greatest = std::max<Rational>(greatest, setting.cost ? Rational(-r) : r);
      }
    }
  }
  const Rational steps = setting.discount < 1
                             ? Rational(1 / (1 - setting.discount))
                             : Rational(Integer(static_cast<unsigned long>(setting.horizon)));
  if (claim.quantile.value() <= greatest * steps) return {};
  return "No total is as great as the claimed quantile, " + to_text(claim.quantile) + ".";
}

std::string wrong_mixture(const Policy& policy, const PolicyClaim& claim) {
  Rational sum = 0;
  for (const MixturePart& part : policy.mixture) {
    if (part.weight <= 0) return "A weight of the mixture is not above 0.";
    if (!part.policy.mixture.empty()) return "A part of the mixture is a mixture itself.";
    const auto& own = part.policy.claim;
    if (own && (own->kind != PolicyClaim::Kind::threshold || own->quantile != claim.quantile))
      return "A part of the mixture does not claim P(W >= " + to_text(claim.quantile) +
             "), from which that of the whole would follow.";
    sum += part.weight;
  }
  return sum == 1 ? std::string()
                  : "The weights of the mixture sum to " + to_text(sum) + ", not 1.";
}

// What one part claims of itself; then what it adds to the whole.
Rational confirm_part(const Model& model,
                      const MixturePart& part,
                      const std::string& name,
                      CheckLimits& limits,
                      Findings& findings) {
  if (!part.policy.claim) {
    findings.leave_open(name +
                        "it claims nothing of W, from which that of the whole would follow.");
    return 0;
  }
  std::vector<std::string> wrong = malformed(model, part.policy);
  if (std::string claim = wrong_claim(part.policy, *part.policy.claim); !claim.empty())
    wrong.push_back(claim);
  for (const std::string& sentence : wrong) findings.refute(name + sentence);
  if (!wrong.empty()) return 0;
  Findings own;
  const CountedClaim counted(part.policy, *part.policy.claim);
  const CheckCase task{model, part.policy, counted, limits, own};
  run_both(task, confirm_policy, [](const CheckCase&) {});
  const CheckReport report = own.take();
  for (const std::string& sentence : report.findings) findings.say(name + sentence);
  if (report.ended_early) findings.leave_open(name + "it was not followed to its end.");
  if (!report.passed && !report.ended_early) findings.refute(name + "its claim is wrong.");
  return part.weight * counted.claimed().value_or(0);
}

void confirm_mixture(const CountedClaim& claim, const Rational& proved, Findings& findings) {
  const Bounds bounds = Bounds::of(proved);
  const std::string sentence =
      "P(" + claim.own.text() + ") of the mixture " + shown_at_least(bounds);
  if (!claim.is_threshold && claim.demand.met_by(proved) != Verdict::yes)
    findings.refute(sentence + ": that it is " + claim.demand.text() + " is not proved.");
  else
    findings.say(sentence +
                 (claim.is_threshold ? "." : ": it is " + claim.demand.text() + ", as claimed."));
  if (claim.is_reached_by(proved))
    findings.say("The claimed probability " + claim.text + " is no more than that.");
  else
    findings.refute("The claimed probability " + claim.text + " is too high.");
}

// The parts' means are confirmed: that of the whole follows. Doubles are rounded once in each part.
void confirm_mean_of_mixture(const Policy& policy, const Value& claimed, Findings& findings) {
  Rational mean = 0;
  Rational rounding = abs(Rational(claimed.nearest)) * Rational(0x1p-52);
  bool is_exact = claimed.exact.has_value();
  for (const MixturePart& part : policy.mixture) {
    const auto& own = part.policy.claim->mean;
    if (!own) {
      findings.leave_out("The mean of the mixture was not recomputed: a part claims none.");
      return;
    }
    is_exact = is_exact && own->exact;
    mean += part.weight * (own->exact ? *own->exact : Rational(own->nearest));
    rounding += part.weight * abs(Rational(own->nearest)) * Rational(0x1p-51);
  }
  const Rational difference = (is_exact ? *claimed.exact : Rational(claimed.nearest)) - mean;
  const bool agrees = is_exact ? difference == 0 : abs(difference) <= rounding;
  const std::string text = shown(claimed.nearest);
  if (agrees) {
    findings.say("The mean of the mixture is " + text + ", as claimed.");
  } else {
    findings.refute("The mean of the mixture is not " + text + ", as claimed: it is " +
                    shown(to_nearest_double(mean)) + ".");
  }
}

CheckReport check_mixture(const Model& model,
                          const Policy& policy,
                          const PolicyClaim& claim,
                          const Options& options) {
  CheckReport malformed_report;
  for (const std::string& wrong : {wrong_mixture(policy, claim),
                                   wrong_claim(policy, claim),
                                   wrong_level(model, policy, claim)}) {
    if (!wrong.empty()) malformed_report.findings.push_back(wrong);
  }
  if (!malformed_report.findings.empty()) return malformed_report;
  Findings findings;
  note_overrides(model, policy.setting, findings);
  CheckLimits limits(options);
  Rational proved = 0;
  for (std::size_t i = 0; i < policy.mixture.size(); ++i) {
    const std::string name = "Part " + std::to_string(i + 1) + ": ";
    proved += confirm_part(model, policy.mixture[i], name, limits, findings);
  }
  if (policy.mixture.size() == 1) {
    // A coin of 1: what is claimed of the whole is claimed of this policy, and followed as such.
    const Policy& alone = policy.mixture.front().policy;
    const CountedClaim counted(alone, claim);
    run_both(CheckCase{model, alone, counted, limits, findings}, confirm_policy, confirm_optimum);
    return findings.take();
  }
  const CountedClaim counted(policy, claim);
  if (findings.passed()) confirm_mixture(counted, proved, findings);
  if (claim.mean && findings.passed()) confirm_mean_of_mixture(policy, *claim.mean, findings);
  // Where it ends is where its parts do.
  const CheckCase task{model, policy.mixture.front().policy, counted, limits, findings};
  run_both(
      task, [](const CheckCase&) {}, confirm_optimum);
  return findings.take();
}

}  // namespace
}  // namespace checking

CheckReport check(const Model& model,
                  const Policy& policy,
                  const PolicyClaim& claim,
                  const Options& options) {
  if (!policy.mixture.empty()) return checking::check_mixture(model, policy, claim, options);
  if (policy.setting.structure)
    return check_wealth(model, policy.setting.structure, policy, claim, options);
  if (!model.wealth().is_sum() || claim.level)
    return check_wealth(model, structure_of(model), policy, claim, options);
  CheckReport report;
  report.findings = checking::malformed(model, policy);
  if (claim.kind == PolicyClaim::Kind::criterion && report.findings.empty())
    return checking::check_criterion(model, policy, claim, options);
  if (std::string wrong = checking::wrong_claim(policy, claim); !wrong.empty())
    report.findings.push_back(wrong);
  if (std::string wrong = checking::wrong_level(model, policy, claim); !wrong.empty())
    report.findings.push_back(wrong);
  if (!report.findings.empty()) return report;

  checking::Findings findings;
  checking::note_overrides(model, policy.setting, findings);
  checking::CheckLimits limits(options);
  const checking::CountedClaim counted(policy, claim);
  const checking::CheckCase task{model, policy, counted, limits, findings};
  if (policy.setting.is_infinite() && policy.setting.discount == 1)
    checking::run_both(
        task, checking::confirm_stationary_policy, checking::confirm_undiscounted_optimum);
  else
    checking::run_both(task, checking::confirm_policy, checking::confirm_optimum);
  return findings.take();
}

}  // namespace quantiplan
