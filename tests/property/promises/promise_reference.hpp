// The best mean that keeps a promise, found among all deterministic history-dependent policies.
//
// What becomes of the policies with k steps to go from s, for a residual target y, is the set
//
//     F_0(s,y) = { ([y <= 0 and s counts], [s counts], 0) }     s counts: no goal, or s is one
//     F_k(s,y) = union over choices of the sums over outcomes (s',p,r) of one
//                p * (P', G', r G' + gamma K')  for each  (P', G', K') in F_{k-1}(s', (y-r)/gamma)
//
// P = P(W >= y and goal), G = P(goal), K = E[W; goal]; without a goal G = 1, and K is the mean. A
// randomised policy is a mixture of these, drawn before the start: its point is one of the convex
// hull. No value l, no window and no pass of the engines occurs here.
//
// A fate may be dropped if another has P no less and (G, K) lexicographically no less: a backup
// keeps both orders, also where r < 0 makes K fall as G grows.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <tuple>
#include <vector>

#include "oracles/plain_model.hpp"
#include "quantiplan/number.hpp"
#include "quantiplan/query.hpp"

namespace quantiplan::testing {

// What becomes of one policy.
struct Fate {
  Rational promise;  // P = P(W >= level and goal)
  Rational arrival;  // G = P(goal); 1 where there is none
  Rational gain;     // K = E[W; goal]: the mean where there is none
  friend bool operator==(const Fate&, const Fate&) = default;
};

// all: every fate. undominated: what any question below needs. hull: of them, the vertices of the
// upper hull in (promise, gain), or in (promise, arrival) where there is a goal: enough for surest,
// the curve and its bounds, and few enough in models of some twenty states.
enum class KeepFates { all, undominated, hull };

// The best mean at one level: of a deterministic policy, and the bound of all.
struct PricedLevel {
  Rational level;
  Rational mean;
  Rational bound;
};

// Finite horizon, any signs and discounts; costs count as negative rewards.
class PromiseReference {
 public:
  explicit PromiseReference(PlainModel model,
                            KeepFates keep = KeepFates::undominated,
                            std::size_t most_fates = 20000);

  // Those kept of all policies, ascending in the promise. Throws std::length_error if a set outgrows
  // most_fates.
  const std::vector<Fate>& fates(const Rational& level);

  // Greatest promise, then arrival, then gain.
  Fate surest(const Rational& level);
  // Greatest arrival, then gain, then promise: the mean-optimal policy, ties towards the promise.
  Fate richest(const Rational& level);

  // Of deterministic policies that keep the promise (P >= theta, lower side P > theta): greatest
  // arrival, then gain, then promise. Absent if none keeps it.
  std::optional<Fate> best(const Rational& level, const Rational& theta, Side side);
  // The supremum of the mean over all policies that keep the promise; without a goal.
  std::optional<Rational> mean_bound(const Rational& level, const Rational& theta, Side side);
  // True if some policy, randomised or not, has the mean of the bound: always on the upper side.
  bool bound_is_attained(const Rational& level, const Rational& theta, Side side);
  // The supremum of P(goal) over all policies that keep the promise.
  std::optional<Rational> arrival_bound(const Rational& level, const Rational& theta, Side side);
  // Vertices of the upper hull in (promise, mean), or in (promise, arrival) where there is a goal:
  // from the richest to the surest, ascending in the promise.
  std::vector<Fate> curve(const Rational& level);
  // The same in (promise, gain) of the policies that give nothing of P(goal) away: where one of
  // them keeps the promise, the gain is what is left to ask for. Not of a hull.
  std::vector<Fate> curve_of_arriving(const Rational& level);
  // The price of the promise: every attainable level at which it can be kept, ascending.
  std::vector<PricedLevel> prices(const Rational& theta, Side side);

 private:
  const std::vector<Fate>& after(std::uint64_t steps_to_go,
                                 std::size_t state,
                                 const Rational& residual);
  [[nodiscard]] std::vector<Fate> kept(std::vector<Fate> fates) const;
  void add(std::vector<Fate>& sums, const PlainOutcome& outcome, const std::vector<Fate>& next);

  PlainModel model_;
  KeepFates keep_;
  std::size_t most_fates_;
  std::map<std::tuple<std::uint64_t, std::size_t, Rational>, std::vector<Fate>> known_;
};

// True if P = promise keeps P >= theta, or P > theta on the lower side.
bool keeps(const Rational& promise, const Rational& theta, Side side);

}  // namespace quantiplan::testing
