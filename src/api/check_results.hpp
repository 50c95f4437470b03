// Every result of a solve gets an entry of the checker, or one that says why there is none.
//
//     a policy with a claim        confirmed, refuted, or cut short by a limit
//     a miss                       held to what it means, though its policy claims nothing: no
//                                  policy reaches the goal often enough; not an adversary's on a
//                                  grid
//     no policy, or no claim       nothing to check, and why
//
// Checks have what is left of the time limit, and of the memory limit what the solve did not take.
#pragma once

#include <algorithm>
#include <functional>
#include <optional>
#include <string>
#include <utility>

#include "base/stopwatch.hpp"
#include "numbers/directed.hpp"
#include "quantiplan/answer.hpp"
#include "quantiplan/error.hpp"
#include "quantiplan/options.hpp"

namespace quantiplan {

inline CheckReport nothing_to_check(std::string why) {
  CheckReport report;
  report.nothing_to_check = true;
  report.findings.push_back(std::move(why));
  return report;
}
inline CheckReport check_cut_short(std::string why) {
  CheckReport report;
  report.ended_early = true;
  report.findings.push_back(std::move(why));
  return report;
}

inline std::string why_no_policy(const Result& result) {
  if (!result.attained)
    return "It is a supremum that no policy attains, though policies come as close as one likes.";
  return "The solve ended before there was a policy.";
}
inline std::string why_no_policy(const ThresholdResult&) {
  return "The solve ended before there was a policy.";
}

inline std::string why_no_claim(const Result& result) {
  if (result.optimum) {
    const CriterionOptimum& found = *result.optimum;
    if (!found.lower.is_finite() || !found.upper.is_finite())
      return "Policies claim numbers, and an end of this value is none.";
    return "What is not rechecked of this criterion is not claimed, either.";
  }
  if (result.certificate == Certificate::tie)
    return "A tie makes no claim: which of the two quantiles is the optimum was not decided.";
  if (result.certificate == Certificate::bracket)
    return result.status == Status::unsettled
               ? "The engine left the optimum open, so the policy makes no claim."
               : "A limit left the optimum open, so the policy makes no claim.";
  if (result.certificate == Certificate::none)
    return "Nothing certifies the answer, so its policy makes no claim.";
  if (!result.quantile || result.quantile->is_finite()) return "The policy makes no claim.";
  if (result.quantile->is_miss() || (result.upper && result.upper->is_miss()))
    return "An adversary's misses were not rechecked on this grid, so the policy makes no claim.";
  return "Every number is promised, but what lies beyond them all is not: no one probability shows "
         "that.";
}
inline std::string why_no_claim(const ThresholdResult&) { return "The policy makes no claim."; }

// Nobody can do worse than a miss, so policies do not claim it; that nobody does better can be
// checked all the same. An adversary's policy shows the upper end, with what tau demands.
inline std::optional<PolicyClaim> claim_of_misses(const Result& result, bool adversarial) {
  if (result.optimum && result.optimum->lower.is_miss()) {
    PolicyClaim claim;
    claim.tau = result.tau;
    claim.quantile = result.optimum->lower;
    const Criterion& criterion = result.optimum->criterion;
    // The worst case is the upper 0-quantile.
    if (criterion.kind == Criterion::Kind::worst_case ||
        (criterion.takes_tau() && result.tau == 0)) {
      claim.side = Side::upper;
      claim.probability = 1;
      claim.exact_probability = 1;
    } else {
      claim.kind = PolicyClaim::Kind::criterion;
      claim.criterion = criterion;
    }
    return claim;
  }
  if (!result.quantile || !result.upper || result.certificate == Certificate::tie)
    return std::nullopt;
  if (!result.quantile->is_miss() && !result.upper->is_miss()) return std::nullopt;
  PolicyClaim claim;
  claim.tau = result.tau;
  claim.side = result.side;
  claim.quantile = *result.quantile;
  if (adversarial || *result.upper != *result.quantile) claim.upper = *result.upper;
  claim.probability = adversarial ? round_down(result.tau) : 1;
  if (!adversarial) claim.exact_probability = 1;
  return claim;
}
inline std::optional<PolicyClaim> claim_of_misses(const ThresholdResult&, bool) {
  return std::nullopt;
}

// `check_one(policy, claim, options)` is the checker.
template <class AnyAnswer, class Check>
void check_results(Options options,
                   const Stopwatch& watch,
                   AnyAnswer& answer,
                   const Check& check_one) {
  const double limit = options.time_limit_seconds;
  if (std::uint64_t& memory = options.memory_limit_bytes; memory > 0)
    memory = std::max(memory - std::min(memory, answer.work.peak_bytes), memory / 10 + 1);
  const auto checked = [&](const auto& result, const Later<Policy>& make) {
    if (!make) return nothing_to_check(why_no_policy(result));
    if (limit > 0 && watch.seconds() >= limit)
      return check_cut_short("The time was up before the check began.");
    std::optional<Policy> policy;
    try {
      policy = make();
    } catch (const Error& error) {
      if (error.code() != ErrorCode::refused) throw;
      return check_cut_short(std::string("There was no policy to check: ") + error.what() + ".");
    }
    // An adversary's policy on a grid knows a miss only as an index that was not reached: it proves
    // no bound.
    if (!policy->claim && !(policy->grid && answer.model.adversarial))
      policy->claim = claim_of_misses(result, answer.model.adversarial);
    if (!policy->claim) return nothing_to_check(why_no_claim(result));
    if (options.progress) options.progress({"independent check", -1, std::nullopt});
    // A little, if the time is just up: 0 would be no limit.
    if (limit > 0) options.time_limit_seconds = std::max(limit - watch.seconds(), 1e-9);
    return check_one(*policy, *policy->claim, options);
  };
  for (auto& result : answer.results) {
    result.check = checked(result, result.policy);
    if constexpr (requires { result.mixed; })
      if (result.mixed)
        result.mixed.change([&](Mixed& mixed) { mixed.check = checked(result, mixed.policy); });
  }
}

}  // namespace quantiplan
