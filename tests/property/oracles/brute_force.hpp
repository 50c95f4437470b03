// The truth by definition, twice: every policy enumerated, and the plain recursion of G*.
//
// Enumeration: a deterministic history-dependent policy picks a choice, then one such policy of its
// own after each outcome. The set of return distributions is therefore
//
//     P_0(s) = { 0 surely },   P_k(s) = union over choices of
//              { sum over outcomes o of p_o * (r_o + gamma * X_o) : X_o in P_{k-1}(s'_o) }
//
// and P_0(s) = { miss surely } where there is a goal and s is none. Equal distributions are kept
// once. Randomised policies mix these, and have no better and no worse quantile.
#pragma once

#include <cstddef>
#include <map>
#include <optional>
#include <tuple>
#include <vector>

#include "harness/truth.hpp"
#include "oracles/plain_model.hpp"
#include "quantiplan/policy.hpp"
#include "quantiplan/query.hpp"

namespace quantiplan::testing {

// Wealth to probability, all positive, summing to 1.
using Law = std::map<Total, Rational>;

Rational at_least(const Law& law, const Total& wealth);  // G(w) = P(W >= w)
Rational at_most(const Law& law, const Total& wealth);   // F(w) = P(W <= w)
Rational mean(const Law& law);                           // of numbers only
// By definition: min{ w : F(w) >= tau } or max{ w : G(w) >= 1 - tau }.
Total quantile(const Law& law, const Rational& tau, Side side);

// The laws of all policies from the initial state; nullopt if there are more than `most` anywhere.
std::optional<std::vector<Law>> all_laws(const PlainModel& model, std::size_t most);
// Beyond this many, properties ask the recursion alone.
constexpr std::size_t kMostLaws = 200;

Optimum optimum(const std::vector<Law>& laws,
                const Rational& tau,
                Side side,
                Aim aim = Aim::greatest);

// G*(w) by the recursion D_k(s,y) of the semantics, memoised, in rationals.
class Reference : public Truth {
 public:
  explicit Reference(const PlainModel& model, Aim aim = Aim::greatest) : model_(model), aim_(aim) {}
  Rational at_least(const Total& wealth) override;
  std::vector<CurveStep> steps() override;
  Optimum optimum(const Rational& tau, Side side) override;
  // Every number some history attains; ascending.
  std::vector<Rational> levels();

 private:
  Rational best(std::uint64_t steps_to_go, std::size_t state, const Rational& residual);
  const PlainModel& model_;
  Aim aim_;
  std::map<std::tuple<std::uint64_t, std::size_t, Rational>, Rational> known_;
  std::optional<std::vector<CurveStep>> steps_;
};

// Expectation by backward induction: value[k][s], and the greatest and least return of any policy.
// For models without a goal.
struct Extremes {
  Rational expectation, least, greatest;
};
class Outlook {
 public:
  explicit Outlook(const PlainModel& model);
  [[nodiscard]] const Extremes& at(std::uint64_t steps_to_go, std::size_t state) const {
    return table_[steps_to_go][state];
  }
  // Expected return of one choice, followed by the best.
  [[nodiscard]] Rational worth(std::uint64_t steps_to_go,
                               std::size_t state,
                               std::size_t choice) const;

 private:
  const PlainModel& model_;
  std::vector<std::vector<Extremes>> table_;
};

}  // namespace quantiplan::testing
