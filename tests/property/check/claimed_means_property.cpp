// Every claimed mean and bound passes the check, and is refuted once it says too much: exactly and in
// doubles, of rewards and costs, on both sides, with a discount, and at an infinite horizon.
#include <gtest/gtest.h>

#include "harness/comparisons.hpp"
#include "harness/harness.hpp"
#include "harness/random_model.hpp"
#include "quantiplan/formats.hpp"
#include "quantiplan/solve.hpp"

namespace quantiplan::testing {
namespace {

void require_false_means_are_refuted(const Model& model,
                                     const Policy& policy,
                                     const std::string& where) {
  const PolicyClaim& claim = *policy.claim;
  const auto require_refuted = [&](const PolicyClaim& changed, const char* what) {
    const CheckReport report = check(model, policy, changed);
    require(!report.passed, where + what + " was not noticed; check " + verdict(report));
  };
  const Rational apart(1, 1000);
  PolicyClaim changed = claim;
  if (claim.mean->exact) {
    changed.mean = Value::exactly(*claim.mean->exact + apart);
    changed.mean_bound = Value::exactly(*claim.mean_bound->exact + apart);
    require_refuted(changed, "a higher mean");
    changed = claim;
    changed.mean_bound = Value::exactly(*claim.mean_bound->exact - apart);
    require_refuted(changed, "a lower bound of the mean");
  }
  changed = claim;
  changed.mean = Value{claim.mean->nearest + 1000};
  changed.mean_bound = Value{claim.mean_bound->nearest + 1000};
  require_refuted(changed, "a mean out of reach");
}

// Some claims of one call.
void require_sound_means(const Case& c,
                         const Setting& setting,
                         const Options& options,
                         const std::string& name) {
  Dice dice(c.seed ^ 0x6D65616EU);
  Query query{c.taus, Sides::both, setting, true, Prefer::mean};
  const Answer answer = solve(c.model, query, options);
  for (int i = 0; i < 2; ++i) {
    const Result& result = dice.pick(answer.results);
    const std::string where = name + ", " + place("", result.tau, result.side);
    if (!result.policy || result.certificate == Certificate::tie) continue;
    const Policy policy = result.policy();
    if (!policy.claim || !policy.claim->mean_bound) continue;
    const CheckReport report = check(c.model, policy, *policy.claim);
    require(report.passed && report.optimality_checked, where + "check " + verdict(report));
    const Policy again = parse_policy(format_policy(policy, c.model), c.model, "again");
    require(again.claim->mean && again.claim->mean->nearest == policy.claim->mean->nearest,
            where + "the mean is lost in the file");
    const CheckReport later = check(c.model, again, *again.claim);
    require(later.passed, where + "check of the policy read back " + verdict(later));
    require_false_means_are_refuted(c.model, policy, where);
  }
}

QUANTIPLAN_PROPERTY(ClaimedMeansAreSound, tiny_model, 0.3) {
  Setting costs;
  costs.cost = true;
  Options exact;
  exact.arithmetic = Arithmetic::exact;
  Options doubles;
  doubles.arithmetic = Arithmetic::floating;
  require_sound_means(c, {}, exact, "exact");
  require_sound_means(c, {}, doubles, "doubles");
  require_sound_means(c, costs, exact, "costs, exact");
  require_sound_means(c, costs, doubles, "costs, doubles");
}

QUANTIPLAN_PROPERTY(ClaimedMeansOfAwkwardModelsAreSound, awkward_model, 0.1) {
  require_sound_means(c, {}, {}, "as it is");
  Options lattice;
  lattice.engine = Engine::lattice;
  require_sound_means(c, {}, lattice, "on a grid");
}

QUANTIPLAN_PROPERTY(ClaimedMeansWithoutEndAreSound, tiny_model, 0.05) {
  Setting infinite;
  infinite.horizon = kInfiniteHorizon;
  infinite.discount = Rational(1, 2);
  require_sound_means(c, infinite, {}, "infinite horizon");
  infinite.cost = true;
  require_sound_means(c, infinite, {}, "infinite horizon, costs");
}

}  // namespace
}  // namespace quantiplan::testing
