// The truth by definition, twice: every policy enumerated, and the plain recursion of G*.
//
// Enumeration: a deterministic history-dependent policy picks a choice, then one such policy of its
// own after each outcome. The set of return distributions is therefore
//
//     P_0(s) = { 0 surely },   P_k(s) = union over choices of
//              { sum over outcomes o of p_o * (r_o + gamma * X_o) : X_o in P_{k-1}(s'_o) }
//
// Equal distributions are kept once. Randomised policies mix these and have no better quantile.
#pragma once

#include <cstddef>
#include <map>
#include <optional>
#include <tuple>
#include <vector>

#include "plain_model.hpp"
#include "quantiplan/policy.hpp"
#include "quantiplan/query.hpp"

namespace quantiplan::testing {

// Wealth to probability, all positive, summing to 1.
using Law = std::map<Rational, Rational>;

Rational at_least(const Law& law, const Rational& wealth);  // G(w) = P(W >= w)
Rational at_most(const Law& law, const Rational& wealth);   // F(w) = P(W <= w)
Rational mean(const Law& law);
// By definition: min{ w : F(w) >= tau } or max{ w : G(w) >= 1 - tau }.
Rational quantile(const Law& law, const Rational& tau, Side side);

// The laws of all policies from the initial state; nullopt if there are more than `most` anywhere.
std::optional<std::vector<Law>> all_laws(const PlainModel& model, std::size_t most);

// What every solver must answer.
struct Optimum {
  Rational quantile;
  Rational probability;  // the greatest P(W >= quantile) of any policy
};
Optimum optimum(const std::vector<Law>& laws, const Rational& tau, Side side);

// G*(w) by the recursion D_k(s,y) of the semantics, memoised, in rationals.
class Reference {
 public:
  explicit Reference(const PlainModel& model) : model_(model) {}
  Rational best_at_least(const Rational& wealth) {
    return best(model_.horizon, model_.initial, wealth);
  }
  // The levels where G* falls, with G* there; ascending.
  std::vector<std::pair<Rational, Rational>> steps();
  Optimum optimum(const Rational& tau, Side side);
  // Every wealth some history attains; ascending.
  std::vector<Rational> levels();

 private:
  Rational best(std::uint64_t steps_to_go, std::size_t state, const Rational& residual);
  const PlainModel& model_;
  std::map<std::tuple<std::uint64_t, std::size_t, Rational>, Rational> known_;
  std::vector<std::pair<Rational, Rational>> steps_;
};

// Expectation by backward induction: value[k][s], and the greatest and least return of any policy.
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
