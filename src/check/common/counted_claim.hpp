// A claim in the policy's own count: what it says of the policy, and of all policies.
//
//                    of the policy                         of every policy
//     quantile q     P(W' >= q) meets the demand           P(W' > q) does not
//     .. up to u     the same, and its P is a lower bound  P(W' > u) does not
//     threshold y    P(W' >= y) = p                        P(W' >= y) <= p
//     .. at most m   P(W' >= y) >= p                       P(W' >= y) <= m
//
// An adversary counts -W. Guaranteed at tau on one side is minus the optimum of -W at 1 - tau on
// the other: theta' = tau, the policy shows u (or q), and nobody shows less than q. The least
// P(W >= y) is p if the greatest P(-W > -y) is 1 - p.
#pragma once

#include <optional>
#include <string>

#include "check/common/counted.hpp"
#include "check/common/demand.hpp"
#include "quantiplan/policy.hpp"

namespace quantiplan::checking {

struct CountedClaim {
  CountedClaim(const Policy& policy, const PolicyClaim& claim);
  // About wealth that is no sum: a class of this name.
  CountedClaim(const std::string& class_name, const PolicyClaim& claim);

  Event own;     // of the policy
  Event beyond;  // of every policy
  bool is_threshold = false;
  bool is_adversarial = false;
  Demand demand;         // P(own) meets it: of a quantile; of a threshold, at least p
  Demand beyond_demand;  // no policy's P(beyond) does: the same; of a threshold, more than m
  // The claimed P(own): a lower bound, or the probability itself.
  bool is_bound = false;
  bool is_nearest = false;  // .. itself; if a bound all the same, then because of a grid
  double nearest = 0;
  double rounding = 0;  // .. which may be off by so much, being 1 less another
  std::optional<Rational> exact;
  // A double without an exact probability beside it is a lower bound, as it is written.
  std::optional<Rational> least;
  std::string text;       // as the user knows it: "0.72", or "1 - 0.28"
  std::string most_text;  // of a threshold: m
  // Of the policy's mean, and of all that keep the promise: only where totals are counted as they
  // are, so that the mean of W' is that of W.
  std::optional<Value> mean;
  bool is_mean_bound = false;  // the mean is a lower bound
  std::optional<Value> mean_bound;
  std::optional<Rational> weight;
  // The lower bound of P(own), or what it is; absent if no number was claimed.
  [[nodiscard]] std::optional<Rational> claimed() const;
  // P(own) is at least what is claimed, as it is written.
  [[nodiscard]] bool is_reached_by(const Rational& probability) const;

 private:
  // `by_grid`: what it counts is a lower bound.
  void count_threshold(const PolicyClaim& claim, bool by_grid);
};

// What makes no sense in a claim by itself; empty if nothing. Of its means, of a threshold's bracket, or
// of the tau alone, for any wealth.
std::string wrong_claim(const Policy& policy, const PolicyClaim& claim);
std::string wrong_means(const Policy& policy, const PolicyClaim& claim);
std::string wrong_threshold(const PolicyClaim& claim);
// Where it is claimed as a double and exactly.
std::string wrong_probability(const PolicyClaim& claim);
std::string wrong_tau(const PolicyClaim& claim);

}  // namespace quantiplan::checking
