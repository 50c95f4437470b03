#include "finite/tradeoff/level_rows.hpp"

#include <algorithm>
#include <utility>

namespace quantiplan {
namespace {

bool is_less(const Value& a, const Value& b) {
  return a.exact && b.exact ? *a.exact < *b.exact : a.nearest < b.nearest;
}

}  // namespace

std::vector<std::int64_t> thinned(const std::vector<std::int64_t>& levels, std::size_t most) {
  const std::size_t rows = std::max<std::size_t>(most, 2);
  if (levels.size() <= rows) return levels;
  std::vector<std::int64_t> out;
  out.reserve(rows);
  for (std::size_t i = 0; i < rows; ++i)
    out.push_back(levels[i * (levels.size() - 1) / (rows - 1)]);
  return out;
}

void nest(std::vector<TradeoffPoint>& points) {
  for (std::size_t i = points.size(); i-- > 1;) {
    TradeoffPoint& lower = points[i - 1];
    if (!is_less(lower.mean, points[i].mean)) continue;
    lower.mean = points[i].mean;
    lower.policy = points[i].policy;
    lower.probability = Value::at_least(points[i].probability.least());
  }
  for (std::size_t i = 1; i < points.size(); ++i) {
    if (is_less(points[i - 1].mean_bound, points[i].mean_bound))
      points[i].mean_bound = points[i - 1].mean_bound;
  }
}

void drop_free(std::vector<TradeoffPoint>& points) {
  std::size_t kept = 0;
  for (std::size_t i = 0; i < points.size(); ++i) {
    const bool is_free = i + 1 < points.size() && !is_less(points[i + 1].mean, points[i].mean) &&
                         (!is_less(points[i + 1].mean_bound, points[i].mean_bound) ||
                          !is_less(points[i].mean, points[i].mean_bound));
    if (is_free) continue;
    if (kept != i) points[kept] = std::move(points[i]);
    ++kept;
  }
  points.resize(kept);
}

}  // namespace quantiplan
