// The best mean that keeps a promise: a search over weights, for many promises at once.
//
//     promise      P(W >= q) >= theta      (lower side: > theta)
//     A, B         points (P, E) of the upper hull, A without the promise and B with it
//     next weight  l = (E_A - E_B) / (P_B - P_A),  the slope between them
//     bound        least over all l of  max { E + l P } - l theta:   no policy that keeps the promise,
//                  randomised or not, has a greater mean
//
// A pass for l gives a point C of the hull for every promise: it replaces B if it keeps the
// promise, A if not. Where max { E + l P } is no more than at A, the hull has no point between A
// and B, and the bound is attained by a coin between the two. Each pass serves all promises, and
// the next l is that of the promise whose gap is widest. Where a gap will do, no pass is made for a
// part of the hull that lies above the line from A to B by less than a hundredth of it. The best
// policy met that keeps the promise is kept; that it is the best of all deterministic ones is not
// claimed (that is NP-hard), the gap to the bound is shown.
// Source: criteria, section 2.
#pragma once

#include <cstddef>
#include <memory>
#include <vector>

#include "base/limits.hpp"
#include "promise/hull_oracle.hpp"
#include "quantiplan/query.hpp"
#include "quantiplan/shared.hpp"

namespace quantiplan {

struct Promise {
  Rational theta;
  Side side = Side::lower;
  // A policy that is known to keep it, and its mean: to be improved on. Absent: none is known.
  Shared<Rational> known_mean = {};
  std::size_t target = 0;  // of the passes, by position; many promises may share one
};

struct PointOfHull {
  Aim aim;
  Prospect at;
};
// One for all promises that met it.
using SharedPoint = std::shared_ptr<const PointOfHull>;

struct PromiseFound {
  Shared<Rational> bound;    // of the mean, in keys
  Shared<Rational> weight;   // l that gave it; absent: the promise is kept surely
  SharedPoint kept;          // a policy that keeps the promise, better than the known one
  SharedPoint below;         // A
  SharedPoint above;         // B
  bool is_finished = false;  // the gap asked for was reached, or the hull is exhausted
};

struct PromiseSearch {
  HullOracle& policies;          // rounded down, where wealth is rounded
  HullOracle* bounds = nullptr;  // rounded up; null: the same
  // The gap that is good enough, as a part of E_A - E_B at the start.
  Rational gap = 0;
  bool mean_first = true;  // false: only the policy with the greatest probability is asked for
};

// Ends early, with what holds by then, where the limits end it. Cost: the passes, of which there are
// no more than points of the hulls, and a few rationals for each pass and promise that is open.
std::vector<PromiseFound> search_promises(const PromiseSearch& search,
                                          const std::vector<Promise>& promises,
                                          Limits& limits,
                                          Work& work);

// Whether a policy certainly keeps a promise.
bool certainly_keeps(const Promise& promise, const Prospect& prospect);

}  // namespace quantiplan
