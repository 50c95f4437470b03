// Inventory control: how much to order before the demand is known; what is missing is lost.
//
//     state   s = 0 .. capacity, the stock
//     order a a = 0 .. min(capacity - s, order_limit), delivered at once; then the demand d, by the law `demand`
//             next    s + a - sold,   sold = min(d, s + a)
//             reward  price * sold - shortage_cost * (d - sold)
//                     - [a > 0] * order_cost - unit_cost * a - holding_cost * (s + a)
//
// Source: [Puterman] sections 3.2 and 4.6, the defaults; horizon 3 is the worked example, whose
// greatest expected total from an empty stock is 67/16. There rewards are averaged over the demand,
// which means the same in expectation; quantiles need them as they fall out, one for each demand.
//
// The demand is a list of probabilities of 0, 1, 2, ..; or a Poisson law of the whole mean
// poisson_mean, cut off to 0 .. capacity and rounded to multiples of 10^-6 (poisson.hpp).
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "quantiplan/model.hpp"

namespace quantiplan {

struct InventoryParameters {
  std::uint32_t capacity = 3;
  std::uint32_t initial_stock = 0;
  std::optional<std::uint32_t> order_limit = std::nullopt;  // absent: as much as there is room for
  std::uint64_t horizon = 12;
  Rational discount = 1;
  std::vector<Rational> demand{Rational(1, 4), Rational(1, 2), Rational(1, 4)};
  std::uint32_t poisson_mean = 0;  // 0: the demand is as `demand` says
  Rational price = 8;
  Rational order_cost = 4;  // per order, whatever its size
  Rational unit_cost = 2;
  Rational holding_cost = 1;   // per unit in stock before the demand
  Rational shortage_cost = 0;  // per unit of demand that is lost

  // Throws Error(bad_request) naming the parameter, its value and the bound.
  void validate() const;
};

// States are named "stock=2", actions "order 1".
Model inventory(const InventoryParameters& parameters, WorkWatch* watch = nullptr);

}  // namespace quantiplan
