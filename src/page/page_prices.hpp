// The price of the promise on a page: a curve for each promise that was asked for, and, where the
// size of the file allows it, the decisions of its points.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "page/page_json.hpp"
#include "page/shown_policy.hpp"
#include "quantiplan/answer.hpp"
#include "quantiplan/model.hpp"
#include "quantiplan/options.hpp"
#include "quantiplan/tradeoff.hpp"

namespace quantiplan {

struct Price {
  Tradeoff curve;
  std::vector<std::string> tables = {};  // by point, as JSON; empty: none
};

// The promise of one result, at some forty levels.
TradeoffQuery price_query(const Result& result, const Setting& setting);

// All positions below `count`, the ends first and then what halves the widest gaps: wherever it
// ends, those before are spread over all.
std::vector<std::size_t> spread_order(std::size_t count);

// The policy with the best mean of those that promise as much as `result`, if its curve has it.
ShownPolicy best_mean_policy(const Model& model,
                             const std::vector<Price>& prices,
                             const Result& result,
                             const Options& options);

// A point: [level, probability, mean, bound], and its table if it has one.
void write_price(const Price& price, PageJson& json);

}  // namespace quantiplan
