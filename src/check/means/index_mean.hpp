// The mean of a policy that goes by an index, wherever its choice depends on it.
//
//     n_t(s, j) = price_t(a) + sum p n_{t+1}( s', (j - key) 2^d - delta )      a = a_t(s, j), prices of
//                 potential.hpp;   E W = F_0(s0) - n_0(s0, j_0)
//                 at a cut  n_T(s) = v - V(s)  and E W is greater by v, V(s) what follows, v the greatest
//     low_t(s)    up to this need, of those that can be met, all choices to come are the same
//                 = min( where the first run ends, over its outcomes  key + floor((low' + delta) / 2^d) )
//     high_t(s)   from this need on, the same of the last run
//
// Values are kept between these, in arrays, two layers at once. All terms have one sign: the error
// is relative, as that of all sums of prices (priced_mixes.hpp).
#pragma once

#include <optional>

#include "check/common/check_case.hpp"
#include "check/common/demand.hpp"
#include "check/finite/cut_ends.hpp"

namespace quantiplan::checking {

// Needs a grid. Nullopt if there are too many needs, or the policy has no rule for one.
std::optional<Bounds> mean_by_index(const CheckCase& task, const EndsPair& ends);

}  // namespace quantiplan::checking
