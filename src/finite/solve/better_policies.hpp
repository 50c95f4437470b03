// Policies that keep the promise of a quantile and are better at something else, put into results.
//
// What is found first is a level q and some policy that reaches it often enough. Which of the
// policies that do is the one to follow is decided afterwards, by a search over weights
// (promise/promise_search.hpp).
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <vector>

#include "finite/promise/promise_passes.hpp"
#include "finite/solve/finite_layout.hpp"
#include "problem/quantile_problem.hpp"
#include "promise/promise_search.hpp"
#include "promise/wanted.hpp"

namespace quantiplan {

// A level that was promised: P(W >= level) >= 1 - tau, or > on the lower side.
struct PromisedLevel {
  const Question& question;
  std::int64_t level = 0;
  Result* result = nullptr;  // holds a policy that keeps it
};

using MakeRules = std::function<AimedRules(Limits&)>;
// The policy with these rules and this target, and its distribution; made when they are asked for.
void put_policy(const std::shared_ptr<FiniteLayout>& layout,
                const MakeRules& make,
                std::int64_t level,
                Result& result);

// The policy of an aim, remade when it is asked for.
MakeRules rules_of(const std::shared_ptr<PromisePasses>& passes, const Aim& aim);

// Where the limits ended the call before the search for the best mean had a bound: none of them has a
// greater one than `greatest`, whatever it promises. The weight 0 proves it.
void put_widest_bound(const Rational& greatest, const Wishes& wishes, Result& result);

// One part of a mixture, made when it is asked for.
struct MixtureMaker {
  Rational weight;
  Later<Policy> policy;
  PolicyClaim claim;
};
Later<Policy> mixture_of(std::vector<MixtureMaker> parts);
// P(W >= level) is this at least (coin.hpp, claimable), and the mean this; nothing is said of other
// policies.
PolicyClaim claim_of_part(const Rational& level, const Value& probability, const Value& mean);

// A probability and means, in keys, as results have them.
struct MeanShape {
  Rational unit;        // of a key
  bool is_exact;        // arithmetic
  bool is_bounded;      // certified bounds, not what was computed
  bool rounds = false;  // wealth: the probability is a lower bound

  [[nodiscard]] Value probability(const Value& of) const;
  [[nodiscard]] Value mean(const Rational& computed, const Rational& error) const;
  // No less than what is shown of the mean.
  [[nodiscard]] Value bound(const Rational& bound, const std::optional<Value>& mean) const;
};

// The bound that was found of the mean, and the weight that proves it.
void put_bound(const PromiseFound& found, const MeanShape& shape, Result& result);

}  // namespace quantiplan
