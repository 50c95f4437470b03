// Policy files with one thing changed: the checker refutes what an exact play no longer supports,
// and what it passes can be run. One property for each kind of policy file.
#include <gtest/gtest.h>

#include "check/tampering.hpp"
#include "harness/aimed_case.hpp"
#include "harness/comparisons.hpp"
#include "harness/random_model.hpp"
#include "oracles/discounted_play.hpp"
#include "oracles/play.hpp"
#include "preferences/preference_case.hpp"
#include "preferences/preference_random.hpp"
#include "quantiplan/error.hpp"
#include "quantiplan/solve.hpp"

namespace quantiplan::testing {
namespace {

constexpr std::size_t kMostPlaces = 20'000;

// Too few digits of a double are not noticed: those of the certified error may differ.
bool is_about(double claimed, const Rational& truth) {
  return abs(Rational(claimed) - truth) <= Rational(0x1p-30);
}

// `supports(policy, claim)` is the judgement of an exact play.
template <class Supports>
void require_refutations(const Model& model,
                         const Policy& policy,
                         const Rational& unit,
                         Dice& dice,
                         const std::string& where,
                         const Supports& supports) {
  const CheckReport whole = check(model, policy, *policy.claim);
  require(whole.passed, where + "the policy as it is; check " + verdict(whole));
  require_runs(model, policy, where + "the policy as it is");
  std::vector<Tampered> all = tampered_rules(model, policy, unit);
  for (Tampered& t : tampered_claims(policy, unit)) all.push_back(std::move(t));
  for (const Tampered& t : all) {
    if (!dice.one_in(2)) continue;
    const CheckReport report = check(model, t.policy, *t.policy.claim);
    if (!report.passed) continue;
    require(supports(t.policy, *t.policy.claim),
            where + t.what + " was not noticed; check " + verdict(report));
    require_runs(model, t.policy, where + t.what);
  }
}

// By exact residuals, or stationary: sums, goals, costs and adversaries.
void require_exact_refutations(AimedCase& c) {
  Options options;
  options.arithmetic = Arithmetic::exact;
  options.time_limit_seconds = patience_seconds();
  Dice dice(c.seed ^ 0x74616D70U);
  for (const Aim aim : kBothAims) {
    const auto supports = [&](const Policy& policy, const PolicyClaim& claim) {
      if (!claim.quantile.is_finite()) return true;
      try {
        const Play play(c.plain, c.model, policy);
        // No total lies between the two.
        const Total above = Rational(claim.quantile.value() + Rational(1, 1'000'000'000));
        const bool greatest = aim == Aim::greatest;
        const Rational own =
            greatest ? play.at_least(claim.quantile) : Rational(1 - play.at_least(above));
        if (claim.exact_probability && own != *claim.exact_probability) return false;
        // On a grid, what is not known exactly is a lower bound.
        const bool is_right = policy.grid && !claim.exact_probability
                                  ? to_nearest_double(own) >= claim.probability
                                  : is_about(claim.probability, own);
        return is_right && c.truth(aim).optimum(claim.tau, claim.side).quantile == claim.quantile &&
               (greatest ? suffices(own, claim.tau, claim.side)
                         : !suffices(play.at_least(above), claim.tau, claim.side));
      } catch (const std::runtime_error&) {
        return false;  // it comes to places it has no rule for
      }
    };
    const Answer answer = solve(c.model, c.query(aim), options);
    for (const Result& result : answer.results) {
      if (!result.attained || !result.quantile->is_finite() || !dice.one_in(4)) continue;
      const Policy policy = result.policy();
      require_refutations(c.model,
                          policy,
                          c.unit(),
                          dice,
                          name_of(aim) + ", tau " + shown(result.tau) + " " +
                              std::string(to_text(result.side)) + ": ",
                          supports);
    }
  }
}

QUANTIPLAN_PROPERTY_OF(AimedCase, TamperedResidualsAreNoticed, goal_model, 0.1) {
  require_exact_refutations(c);
}
QUANTIPLAN_PROPERTY_OF(InfiniteCase, TamperedStationaryRulesAreNoticed, infinite_model, 0.1) {
  require_exact_refutations(c);
}

// On a grid: a bracket, whose probability is a lower bound.
QUANTIPLAN_PROPERTY(TamperedGridsAreNoticed, tiny_model, 0.1) {
  Options options;
  options.engine = Engine::lattice;
  options.time_limit_seconds = patience_seconds();
  Dice dice(c.seed ^ 0x67726964U);
  const auto supports = [&](const Policy& policy, const PolicyClaim& claim) {
    if (!has_rules_everywhere(c.model, policy, kMostPlaces)) return false;
    const Rational own = at_least(follow(c.plain, c.model, policy), claim.quantile);
    const Total most = claim.upper.value_or(claim.quantile);
    // The exact number is the claim where there is one, and a bound holds as it is written.
    const Rational claimed = claim.exact_probability.value_or(
        Rational(claim.probability) * Rational(claim.upper ? 1.0 : 1 - 0x1p-40));
    return suffices(own, claim.tau, claim.side) && own >= claimed &&
           c.expected(claim.tau, claim.side).quantile <= most;
  };
  const Answer answer = solve(c.model, c.query(), options);
  for (const Result& result : answer.results) {
    if (result.status != Status::solved || !dice.one_in(4)) continue;
    const Policy policy = result.policy();
    if (!policy.claim) continue;
    require_refutations(c.model,
                        policy,
                        policy.grid ? policy.grid->unit : Rational(1),
                        dice,
                        "tau " + shown(result.tau) + " " + std::string(to_text(result.side)) + ": ",
                        supports);
  }
}

class TruncatedCase {
 public:
  TruncatedCase(std::uint64_t case_seed, PlainModel plain_model)
      : seed(case_seed), plain(std::move(plain_model)), model(build(plain)) {}
  static bool fits(const PlainModel& plain) {
    return plain.is_infinite() && plain.discount != 1 && plain.goal.empty();
  }
  std::uint64_t seed;
  PlainModel plain;
  Model model;
};

// Cut off: rules up to a time, and those that hold from then on.
QUANTIPLAN_PROPERTY_OF(TruncatedCase, TamperedTruncationsAreNoticed, discounted_model, 0.1) {
  Options options;
  options.epsilon = Rational(1, 10);
  options.time_limit_seconds = patience_seconds();
  Dice dice(c.seed ^ 0x637574U);
  const auto supports = [&](const Policy& policy, const PolicyClaim& claim) {
    if (!has_rules_everywhere(c.model, policy, kMostPlaces)) return false;
    const Rational most = play_discounted(c.plain, c.model, policy, claim.quantile.value()).upper;
    return suffices(most, claim.tau, claim.side) && to_nearest_double(most) >= claim.probability;
  };
  const Answer answer = solve(c.model, {{Rational(1, 3)}, Sides::both, {}, false}, options);
  for (const Result& result : answer.results) {
    if (result.status != Status::solved || !result.policy) continue;
    const Policy policy = result.policy();
    if (!policy.claim) continue;
    require_refutations(
        c.model, policy, Rational(1, 10), dice, std::string(to_text(result.side)) + ": ", supports);
  }
}

// By classes of wealth.
QUANTIPLAN_PREFERENCE(TamperedClassesAreNoticed, tiny_preference, 0.1) {
  Options options;
  options.arithmetic = Arithmetic::exact;
  options.time_limit_seconds = patience_seconds();
  Dice dice(c.seed ^ 0x636C617373U);
  const Answer answer = solve(c.model, c.query(), options);
  for (const Result& result : answer.results) {
    if (!dice.one_in(4)) continue;
    const Policy policy = result.policy();
    const Total level = Rational(position_of(c, *answer.classes, *result.quantile));
    const auto supports = [&](const Policy& tampered, const PolicyClaim& claim) {
      try {
        const Rational own = at_least(c.played(tampered), level);
        if (claim.exact_probability && own != *claim.exact_probability) return false;
        return is_about(claim.probability, own) && suffices(own, claim.tau, claim.side) &&
               c.expected(claim.tau, claim.side).quantile == level;
      } catch (const std::runtime_error&) {
        return false;
      }
    };
    require_refutations(c.model,
                        policy,
                        Rational(1),
                        dice,
                        "tau " + shown(result.tau) + " " + std::string(to_text(result.side)) + ": ",
                        supports);
  }
}

// By nothing at all: the expectation-optimal policy, with a claim made for it.
QUANTIPLAN_PROPERTY(TamperedExpectationsAreNoticed, tiny_model, 0.1) {
  Dice dice(c.seed ^ 0x6D65616EU);
  Policy policy = expectation_policy(c.model, {});
  const Law law = follow(c.plain, c.model, policy);
  PolicyClaim claim;
  claim.kind = PolicyClaim::Kind::threshold;
  claim.quantile = law.rbegin()->first;
  claim.exact_probability = at_least(law, claim.quantile);
  claim.probability = to_nearest_double(*claim.exact_probability);
  claim.most_probability = 1;
  policy.claim = claim;
  const auto supports = [&](const Policy& tampered, const PolicyClaim& claimed) {
    if (!has_rules_everywhere(c.model, tampered, kMostPlaces)) return false;
    const Rational own = at_least(follow(c.plain, c.model, tampered), claimed.quantile);
    return claimed.exact_probability ? own >= *claimed.exact_probability
                                     : to_nearest_double(own) >= claimed.probability;
  };
  require_refutations(c.model, policy, Rational(1), dice, "", supports);
}

}  // namespace
}  // namespace quantiplan::testing
