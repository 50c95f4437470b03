// The distribution of a mixture of policies: that of its parts, weighted.
//
//     P(W >= w) = sum over parts of  weight * P_part(W >= w)       and so the mean
#pragma once

#include <utility>
#include <vector>

#include "quantiplan/distribution.hpp"

namespace quantiplan {

// Exact where all parts are. The weights are positive and sum to 1.
Distribution mixed_distribution(const std::vector<std::pair<Rational, Distribution>>& parts);

}  // namespace quantiplan
