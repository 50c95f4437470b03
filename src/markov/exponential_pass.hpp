// The best exponential moment of the total, without wealth: the recursion behind entropic risk.
//
//     U_T(s) = exp(-beta gamma^T v(s))        U_t(s) = min_a sum p exp(-beta gamma^t r) U_{t+1}(s')
//     h = -(1/beta) ln sum mu(s0) U_0(s0)  =  max over policies of -(1/beta) ln E exp(-beta W)            [HoM]
//
// in units of time 0, so that no power of U is taken. Only products and sums of positive numbers: in doubles
// with an exponent of their own, which neither overflow nor underflow, the relative error of U_0 is at most
// gamma_n (numbers/rounding_bound.hpp), n = T (b + 5), and that of the policy that was chosen as well.
// exp is taken once for each time and each reward that differs, by MPFR.
#pragma once

#include <cstdint>
#include <vector>

#include "base/limits.hpp"
#include "markov/reachable_states.hpp"
#include "quantiplan/number.hpp"

namespace quantiplan {

struct EntropicValue {
  // The best entropic value lies between, and that of the policy, too.
  Rational lower;
  Rational upper;
  bool is_missed = false;  // no policy reaches the goal surely: there is no value
};

// `steps`: T. `rest`: v by position, what follows after T; empty for nothing. `decisions` may be null, or has
// room for T times. Throws MarkovPassEnded at a limit.
EntropicValue exponential_pass(const ReachableStates& reachable,
                               const Rational& beta,
                               std::uint64_t steps,
                               const std::vector<double>& rest,
                               MarkovDecisions* decisions,
                               const Limits& limits);

}  // namespace quantiplan
