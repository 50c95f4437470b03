// Measures that are sums over a law: the standard deviation, and the expected utility.
//
// The deviation does not grow with wealth, so two laws do not bracket it. But Var W = min_c E (W - c)^2, and each
// probability has a relative error of at most e: with V the least sum of p (w - c)^2 over the computed p,
//
//     (1 - e) V  <=  Var W  <=  (1 + e) V + (what absolute errors and the rest add at that c)
//
// and where wealth was rounded down by at most d, its deviation moves by at most d / 2.
#pragma once

#include "measures/law.hpp"
#include "numbers/enclosure.hpp"
#include "quantiplan/distribution.hpp"
#include "quantiplan/measures.hpp"
#include "quantiplan/utility.hpp"

namespace quantiplan {

// All totals must be finite, those of a rest as well.
Enclosure deviation_of(const Distribution& distribution);

// All totals must be finite.
TotalBracket expected_utility(const Law& law, const Utility& utility);

}  // namespace quantiplan
