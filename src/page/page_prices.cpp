#include "page/page_prices.hpp"

#include <algorithm>
#include <deque>
#include <utility>

#include "quantiplan/solve.hpp"

namespace quantiplan {

TradeoffQuery price_query(const Result& result, const Setting& setting) {
  constexpr std::size_t kMostPrices = 40;
  TradeoffQuery query;
  query.tau = result.tau;
  query.side = result.side;
  query.setting = setting;
  query.most_points = kMostPrices;
  return query;
}

std::vector<std::size_t> spread_order(std::size_t count) {
  std::vector<std::size_t> order;
  if (count == 0) return order;
  order.push_back(count - 1);
  if (count == 1) return order;
  order.push_back(0);
  std::deque<std::pair<std::size_t, std::size_t>> gaps{{0, count - 1}};
  while (!gaps.empty()) {
    const auto [first, last] = gaps.front();
    gaps.pop_front();
    if (last - first < 2) continue;
    const std::size_t middle = first + (last - first) / 2;
    order.push_back(middle);
    gaps.emplace_back(first, middle);
    gaps.emplace_back(middle, last);
  }
  return order;
}

ShownPolicy best_mean_policy(const Model& model,
                             const std::vector<Price>& prices,
                             const Result& result,
                             const Options& options) {
  const auto price = std::ranges::find_if(prices, [&](const Price& p) {
    return p.curve.tau == result.tau && p.curve.side == result.side;
  });
  if (price == prices.end() || price->curve.points.empty() || !result.quantile) return {};
  const TradeoffPoint& last = price->curve.points.back();
  if (!last.policy || !(last.level == result.quantile->total())) return {};
  const auto law = [&model, policy = last.policy, options] {
    return evaluate(model, policy(), options);
  };
  return {last.policy, law, last.probability, last.mean};
}

void write_price(const Price& price, PageJson& json) {
  const Tradeoff& curve = price.curve;
  json.begin_object().key("tau").text(to_text(*curve.tau));
  json.key("side").text(to_text(curve.side));
  json.key("status").text(to_text(curve.status)).key("levels").count(curve.levels);
  json.key("points").begin_list();
  for (std::size_t i = 0; i < curve.points.size(); ++i) {
    const TradeoffPoint& point = curve.points[i];
    json.begin_list().total(point.level).value(point.probability);
    json.value(point.mean).value(point.mean_bound);
    if (i < price.tables.size() && !price.tables[i].empty()) json.raw(price.tables[i]);
    json.end_list();
  }
  json.end_list().end_object();
}

}  // namespace quantiplan
