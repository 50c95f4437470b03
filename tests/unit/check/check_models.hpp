// Small models and hand-written policies for the tests of the checker.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "quantiplan/answer.hpp"
#include "quantiplan/model.hpp"
#include "quantiplan/policy.hpp"
#include "small_models.hpp"

namespace quantiplan::checking {

inline Rational number(const char* text) { return Number(text).rational(); }

using testing::commute;

// Example 2 of the paper: at s1, a1 goes on with probability 0.1 for a reward of 1, else ends with
// -1; a2 ends with 1. Discount 0.9.
inline Model example_two(std::uint64_t horizon) {
  ModelBuilder b;
  b.horizon(horizon).discount("0.9").initial("s1");
  b.begin_choice("s1", "a1").add_outcome("s1", "0.1", 1).add_outcome("s2", "0.9", -1);
  b.begin_choice("s1", "a2").add_outcome("s2", 1, 1);
  b.begin_choice("s2", "stay").add_outcome("s2", 1, 0);
  return b.build();
}

// A choice between two lotteries in one step.
struct Prize {
  const char* probability;
  const char* reward;
};
inline Model lotteries(const std::vector<std::vector<Prize>>& all) {
  ModelBuilder b;
  b.horizon(1).initial("start");
  for (std::size_t i = 0; i < all.size(); ++i) {
    b.begin_choice("start", std::string("take ").append(std::to_string(i)));
    for (const Prize& p : all[i]) b.add_outcome("end", p.probability, p.reward);
  }
  return b.build();
}

struct NamedRun {
  std::optional<Rational> upto;
  const char* action;
};

inline Setting adversary() {
  Setting setting;
  setting.adversarial = true;
  return setting;
}

inline Policy empty_policy(const Model& model,
                           std::optional<Rational> target = std::nullopt,
                           const Setting& setting = {}) {
  Policy policy;
  policy.setting = resolve(model, setting);
  policy.target = std::move(target);
  return policy;
}

inline void add_rule(Policy& policy,
                     const Model& model,
                     std::uint64_t time,
                     const char* state,
                     const std::vector<NamedRun>& runs) {
  PolicyRule rule{time, model.find_state(state).value(), {}};
  for (const NamedRun& run : runs)
    rule.runs.push_back({run.upto, model.find_choice(rule.state, run.action).value()});
  policy.rules.push_back(std::move(rule));
}

inline PolicyClaim claim(const char* tau,
                         Side side,
                         const char* quantile,
                         double probability,
                         std::optional<Rational> exact = std::nullopt) {
  return {number(tau), side, number(quantile), probability, std::move(exact)};
}

// As above, and no policy has a quantile above `upper`.
inline PolicyClaim bracket(
    const char* tau, Side side, const char* quantile, double p, const char* upper) {
  PolicyClaim made = claim(tau, side, quantile, p);
  made.upper = number(upper);
  return made;
}

// P(W >= target) is `probability` exactly, or between it and `most`.
inline PolicyClaim threshold_claim(const Total& target,
                                   const Rational& probability,
                                   std::optional<double> most = std::nullopt) {
  PolicyClaim claim;
  claim.kind = PolicyClaim::Kind::threshold;
  claim.quantile = target;
  claim.probability = to_nearest_double(probability);
  if (!most) claim.exact_probability = probability;
  claim.most_probability = most;
  return claim;
}

inline std::string all_findings(const std::vector<std::string>& findings) {
  std::string text;
  for (const std::string& finding : findings) text += finding + "\n";
  return text;
}

}  // namespace quantiplan::checking
