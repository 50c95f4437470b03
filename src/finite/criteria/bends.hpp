// The taus at which the level that is optimal for CVaR changes.
//
//     tau CVaR*_tau = max over y of { tau y - H(y) },   H(y) = -U(y) >= 0 the least shortfall
//
// is the conjugate of H: convex in tau, a line for each vertex of the lower hull of H, which bends at the slopes of the hull's
// edges. Between two of these taus one level y is optimal, and CVaR* = y - H(y) / tau.
#pragma once

#include <vector>

#include "finite/criteria/worth_curve.hpp"

namespace quantiplan {

struct Bends {
  std::vector<Rational> taus;  // ascending, 0 and 1 among them
  bool are_all = true;
};
// In doubles as near to them as 15 digits are, and no more than some thousand, evenly chosen.
template <class N>
Bends bends_of(const WorthCurve<N>& curve);

extern template Bends bends_of(const WorthCurve<double>&);
extern template Bends bends_of(const WorthCurve<Rational>&);

}  // namespace quantiplan
