// The grid of a rounded problem: how fine wealth is kept at each time, and which way it is rounded.
//
//     H_t = unit / 2^e_t,   e_0 = 0 <= e_1 <= e_2 <= ...          steps, in time-0 units
//     key_t(r) = floor(gamma^t r / H_t)  (down)   or   ceil(gamma^t r / H_t)  (up)
//     i_{t+1} = ( i_t - key_t(r) ) * 2^(e_{t+1} - e_t)            residual, in steps of its time
//
// The problem rounded down is the true one with every reward a little smaller, W^- <= W, and the
// one rounded up has W <= W^+; both have integer rewards, so the exact engines apply to them, and
// the quantiles of the two bracket the true one. W^+ - W^- <= sum of the H_t at which a reward is
// not a multiple of H_t. Steps shrink over time because discounting narrows what is left to decide.
// Source: semantics of rounding in docs/mathematics.md. Two grids are nested if every step of one
// is a power of two times the other's: then so are the brackets.
#pragma once

#include <cstdint>
#include <vector>

#include "quantiplan/number.hpp"

namespace quantiplan {

enum class Rounding { down, up };

struct Grid {
  Rational unit = 1;                    // H_0
  std::vector<std::uint32_t> halvings;  // e_t, by time 0 .. horizon

  [[nodiscard]] Rational step(std::uint64_t time) const {
    Rational h = unit;
    mpq_div_2exp(h.get_mpq_t(), h.get_mpq_t(), halvings[time]);
    return h;
  }
};

}  // namespace quantiplan
