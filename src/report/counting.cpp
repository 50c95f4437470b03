#include "report/counting.hpp"

#include <fmt/format.h>

namespace quantiplan {

Total Counting::shown(const Total& wealth) const { return is_cost_ ? wealth.negated() : wealth; }

ShownEnds Counting::ends(const Total& lower, const Total& upper) const {
  return is_cost_ ? ShownEnds{shown(upper), shown(lower)} : ShownEnds{lower, upper};
}

Value Counting::mean(const Value& mean) const {
  if (!is_cost_) return mean;
  Value cost{-mean.nearest, std::nullopt};
  if (mean.exact) cost.exact = -*mean.exact;
  return cost;
}

QuantileOfDistribution Counting::quantile(const QuantileOfDistribution& quantile) const {
  const ShownEnds both = ends(quantile.lower, quantile.upper);
  return {quantile.tau,
          quantile.side,
          both.lower,
          both.upper,
          is_cost_ ? quantile.open_above : quantile.open_below,
          is_cost_ ? quantile.open_below : quantile.open_above};
}

std::string Counting::reach(std::string_view level) const {
  return is_cost_ ? fmt::format("P(C <= {})", level) : fmt::format("P(W >= {})", level);
}

}  // namespace quantiplan
