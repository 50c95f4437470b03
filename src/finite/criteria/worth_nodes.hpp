// The best worth of totals in rationals, node by node (promise/node_graph.hpp).
//
// Ties go to the first choice of the model. Cost: a rational product for each outcome of each choice of each
// node, two with means.
#pragma once

#include <optional>

#include "finite/criteria/worth_curve.hpp"
#include "quantiplan/answer.hpp"

namespace quantiplan {

struct WorthNodesInput {
  WorthGround<Rational> ground;
  FinalWorth<Rational> worth;
  std::vector<std::int64_t> targets;  // ascending
  bool with_mean = false;
  std::uint64_t most_products = 0;
};

// Nullopt if there would be more products than that, memory is short, or the limits ended it.
std::optional<WorthCurve<Rational>> find_worths(const WorthNodesInput& input,
                                                Limits& limits,
                                                Work& work);

// The totals that some history attains, ascending; nullopt if there are more nodes than `most` on the way, or
// the limits ended it.
std::optional<std::vector<std::int64_t>> attainable_totals(const Stages& stages,
                                                           std::uint64_t most,
                                                           const Limits& limits);

}  // namespace quantiplan
