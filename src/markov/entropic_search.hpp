// The best entropic value for one beta after another, on the same reachable.
//
// Between the mean and the mean less beta R^2 / 8 (Hoeffding's lemma, R the range of totals), whatever the
// policy: a small beta needs no pass. At an infinite horizon the pass is cut at T [HPG], where
//
//     E(s) - beta gamma^T D^2 / 8  <=  v_T(s)  <=  E(s),     D = range of what follows
//
// and a policy that goes on as if it were risk-neutral has the lower end. In units of time 0 the gap is
// gamma^{2T} beta D^2 / 8. Entropic values are cash-additive, so one pass with E(s) gives both ends.
#pragma once

#include <cstdint>

#include "base/limits.hpp"
#include "markov/exponential_pass.hpp"
#include "markov/reachable_states.hpp"
#include "markov/recursive_value.hpp"

namespace quantiplan {

class EntropicSearch {
 public:
  EntropicSearch(const ReachableStates& reachable,
                 const Rational& epsilon,
                 bool exact,
                 const Limits& limits);

  [[nodiscard]] const RecursiveValue& mean() const { return mean_; }
  // At most epsilon wide, if doubles can tell that much.
  EntropicValue at(const Rational& beta, MarkovDecisions* decisions = nullptr);
  [[nodiscard]] std::uint64_t passes() const { return passes_; }
  // Beyond it, exp(-beta r) has exponents that are not computed.
  [[nodiscard]] Rational greatest_beta() const;

 private:
  EntropicValue finite(const Rational& beta, MarkovDecisions* decisions);
  EntropicValue infinite(const Rational& beta, MarkovDecisions* decisions);

  const ReachableStates& reachable_;
  Rational epsilon_;
  const Limits& limits_;
  RecursiveValue mean_;
  std::uint64_t passes_ = 1;
};

}  // namespace quantiplan
