// Mean minus lambda times variance for every lambda >= 0, from G (mean_variance.hpp).
//
//     V(lambda) = max over policies of { E W - lambda Var W }        convex, falling, a line for each policy
//               = max over c of  lambda ( G(c) - (c - h)^2 ),        h = 1 / (2 lambda),  at c = E W + h
//
// c is never below the least total, so the lines of G from there on are all the policies that V can need. Where G
// is known at neighbours and the line of the one passes through the other there is none between; elsewhere it is
// asked for where the two lines meet, and beyond the last c until the mean there is the greatest of all. In
// rationals this ends with every vertex of V; in doubles what was left open is in the brackets:
//
//     between neighbours      G <= chord               beyond the last c      G <= G(last) + 2 E* (c - last)
//
// A chord is a policy's line like any other, with a mean e' = slope / 2: at lambda it bounds V by
// e' + lambda (2 e e' - s' - e^2), e the nearest to e' of the c - h in between. In keys throughout.
#pragma once

#include <functional>
#include <optional>
#include <vector>

#include "finite/criteria/mean_variance.hpp"

namespace quantiplan {

// A policy that is best from this lambda on, up to that of the next.
struct VarianceVertex {
  QuadraticProbe at;
  Rational lambda;
  Rational variance;
  Rational variance_error;
  Rational lower;  // of V there; its policy has this at least
  Rational upper;
};
struct VarianceCurve {
  std::vector<VarianceVertex> vertices;  // ascending lambda, the first 0
  bool is_complete = false;              // every vertex of V
};

struct VarianceSearch {
  std::vector<QuadraticProbe> known;  // ascending c, the first at the least total; at least one
  Rational greatest_mean;             // of all policies, at least
  Rational gap;                       // about how much of V may stay open; 0: nothing
  std::size_t most_probes = 0;
  std::function<std::optional<QuadraticProbe>(const Rational& c)> probe;
};
// Nullopt if a probe was.
std::optional<VarianceCurve> find_variance_curve(VarianceSearch search);

}  // namespace quantiplan
