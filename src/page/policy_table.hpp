// A policy's table as a page carries it: whole numbers, to be followed without any rounding.
//
//     i_0 = target / H_0,   i_{t+1} = ( i_t - floor(gamma^t r_t / H_t) ) * H_t / H_{t+1}
//     rule [t, upto, action, upto, action, .., action]: the first with i_t <= upto decides
//
// A policy that goes by residuals is put into the same form: its H is a unit of which every
// gamma^t r is a multiple, so that nothing is rounded. Actions are counted within their state.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "quantiplan/model.hpp"
#include "quantiplan/policy.hpp"

namespace quantiplan {

// Where a state stands on the page; kNotShown if it does not.
using PagePositions = std::vector<std::size_t>;
constexpr std::size_t kNotShown = ~std::size_t{0};

// The unit of a policy's wealth: that of its grid, or one that no reward leaves.
Rational table_unit(const Model& model, const Policy& policy);

// Rules of the states on the page. Nullopt where whole numbers of 53 bits, which scripts have, do
// not hold it: `why` says so.
std::optional<std::string> table_json(const Model& model,
                                      const Policy& policy,
                                      const PagePositions& positions,
                                      std::size_t shown,
                                      std::string& why);

}  // namespace quantiplan
