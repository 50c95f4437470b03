// The plain method, the one written in an afternoon: a baseline.
//
//     y_j = L + j h,  j = 0 .. points - 1,  h = (U - L) / (points - 1)
//     D_k(s, j) = max_a  sum over outcomes (s', p, r) of  p * D_{k-1}(s', round((y_j - r)/gamma))
//
// One uniform grid for all states and times over [L, U], the range of attainable returns; residuals
// in current-time units, as the recursion of docs/mathematics.md has them. Two passes: indices
// rounded up give a lower bound of G*, rounded down an upper one. Doubles, one thread, two layers,
// no windows. Indices do not depend on time or state, so each reward's are made once: that is 1.8
// times faster than making them in the inner loop.
//
//     upper - lower  <=  h * min(T, 1/(1 - gamma))  +  h
//
// a step of rounding at each time, discounted, and one because targets are read on the grid only.
// Unlike the engines' brackets this one is not certified: rounding of doubles is not accounted for,
// and a probability equal to theta goes either way. Cost: 2 T * outcomes * points multiply-adds,
// 16 * states * points bytes and 4 * rewards * points.
#pragma once

#include <cstddef>

#include "quantiplan/answer.hpp"
#include "quantiplan/model.hpp"
#include "quantiplan/query.hpp"

namespace quantiplan::bench {

struct PlainGrid {
  Answer answer;     // one result, a bracket without a policy; work: multiply-adds, passes, bytes
  double step = 0;   // h
  double bound = 0;  // of the bracket's width, by the formula above
};

// Needs 2 <= points < 2^32 and a model whose returns are not all equal.
PlainGrid plain_grid(const Model& model,
                     const Setting& setting,
                     const Question& question,
                     std::size_t points = 1'000'000);

}  // namespace quantiplan::bench
