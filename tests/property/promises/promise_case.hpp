// A model of a finite horizon with all that is known of its promises without the engines.
//
// A promise is a level q with P(W >= q) >= theta, on the lower side > theta; the questions ask for
// the optimal quantile of tau = 1 - theta.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "harness/harness.hpp"
#include "oracles/brute_force.hpp"
#include "oracles/plain_model.hpp"
#include "promises/promise_reference.hpp"
#include "quantiplan/answer.hpp"
#include "quantiplan/options.hpp"
#include "quantiplan/policy.hpp"
#include "quantiplan/query.hpp"
#include "quantiplan/value.hpp"

namespace quantiplan::testing {

class PromiseCase {
 public:
  // Without a goal; costs and discounts as they come.
  static bool fits(const PlainModel& plain) { return !plain.is_infinite() && plain.goal.empty(); }
  PromiseCase(std::uint64_t case_seed, PlainModel plain_model);
  PromiseCase(const PromiseCase&) = delete;
  PromiseCase& operator=(const PromiseCase&) = delete;

  std::uint64_t seed;
  PlainModel plain;
  Model model;
  Reference truth;
  PromiseReference promises;
  // 0, 1, random ones, and those whose theta is the P(W >= q) of some policy at its own q.
  std::vector<Rational> taus;

  [[nodiscard]] Query query(Prefer prefer) const;
  // No sum of the absolute rewards of an episode is greater.
  [[nodiscard]] Rational size() const;
  // 2 T (b + 2) 2^-53: twice the bound of semantics for one backward pass.
  [[nodiscard]] Rational rounding() const;
};

// The same where episodes are to reach a goal, without a discount.
class PromisedGoalCase : public PromiseCase {
 public:
  using PromiseCase::PromiseCase;
  static bool fits(const PlainModel& plain) {
    return !plain.is_infinite() && !plain.goal.empty() && plain.discount == 1;
  }
};

// One way to run the engines that know promises.
struct PromiseRun {
  std::string name;
  Options options;
  [[nodiscard]] bool is_exact() const { return options.arithmetic == Arithmetic::exact; }
};
// Exact, floating and automatic arithmetic, the rest drawn by the seed.
std::vector<PromiseRun> promise_runs(std::uint64_t seed);

// The law of a policy followed by the book; of a mixture, the mixture of the laws.
Law law_of(const PlainModel& plain, const Model& model, const Policy& policy);

// The promise that a result is about: the level of its quantile, and theta.
struct Promise {
  Rational level;
  Rational theta;
  Side side;
  [[nodiscard]] bool kept_with(const Rational& probability) const {
    return keeps(probability, theta, side);
  }
};
Promise promise_of(const Result& result);

// A value by its label; without one within rounding, as a mean is an absolute error of `size`.
void require_stated(const PromiseCase& c,
                    const Value& found,
                    const Rational& expected,
                    const std::string& what);

}  // namespace quantiplan::testing
