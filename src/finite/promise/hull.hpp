// The upper hull of all attainable (P, E) at one target: its vertices, each with a policy.
//
//     E |  A---.                A: the greatest mean           (weight 0)
//       |       ` C             B: the greatest probability    (no weight: vertical)
//       |          \            C: the best of E + l P for the slope l between A and B, if that
//       |           B              is above the line; then on with A-C and C-B
//       +------------- P
//
// A point found with weight l has a tangent  E <= M_l - l P  there, so the tangents of two neighbours
// say how far the hull can lie above the line between them: the widest such gap is looked at next,
// and none that is narrow enough. Source: criteria, section 2.
#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include "base/limits.hpp"
#include "finite/promise/promise_passes.hpp"
#include "promise/promise_search.hpp"

namespace quantiplan {

struct HullSearch {
  PromisePasses& policies;          // of one target; rounded down, where wealth is rounded
  PromisePasses* bounds = nullptr;  // rounded up; null: the same
  Rational gap = 0;                 // that is narrow enough, as a part of E_A - E_B
  std::size_t most_points = 2;
};

struct Vertex {
  PointOfHull point;
  Rational bound;  // no policy with as great a probability has a greater mean, in keys
};

struct Hull {
  std::vector<Vertex> vertices;   // ascending P, descending E
  std::optional<Rational> above;  // no policy lies further above the line through the vertices
  bool is_finished = false;       // else the limits ended it, or there are more vertices
};

Hull trace_hull(const HullSearch& search, Limits& limits, Work& work);

}  // namespace quantiplan
