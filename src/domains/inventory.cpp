#include "domains/inventory.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>

#include "domains/parameter_checks.hpp"
#include "domains/poisson.hpp"

namespace quantiplan {
namespace {

using Law = std::vector<Rational>;  // entry d: probability of the demand d

Law law_of(const InventoryParameters& p) {
  constexpr std::uint64_t kGrid = 1'000'000;
  if (p.poisson_mean == 0) return p.demand;
  Law law;
  for (const std::uint64_t units : poisson_units(p.poisson_mean, 0, p.capacity, kGrid)) {
    Rational probability(units, kGrid);
    probability.canonicalize();
    law.push_back(std::move(probability));
  }
  return law;
}

void add_order(ModelBuilder& builder,
               const InventoryParameters& p,
               const Law& law,
               std::uint32_t stock,
               std::uint32_t order) {
  const std::uint32_t available = stock + order;
  const Rational fixed = order > 0 ? p.order_cost : Rational(0);
  const Rational cost = fixed + p.unit_cost * order + p.holding_cost * available;
  builder.begin_choice(State{stock}, fmt::format("order {}", order));
  for (std::uint32_t demand = 0; demand < law.size(); ++demand) {
    const std::uint32_t sold = std::min(demand, available);
    const Rational reward = p.price * sold - p.shortage_cost * (demand - sold) - cost;
    builder.add_outcome(State{available - sold}, law[demand], reward);
  }
}

}  // namespace

void InventoryParameters::validate() const {
  ParameterChecks check;
  check.whole("capacity", capacity, 1, 300);
  check.want(initial_stock <= capacity, "initial-stock", initial_stock, "at most capacity");
  check.setting(horizon, discount);
  check.want(demand.size() <= 1000, "demand", demand.size(), "at most 1000 probabilities");
  for (const Rational& probability : demand) check.probability("demand", probability);
  const Rational sum = std::accumulate(demand.begin(), demand.end(), Rational(0));
  check.want(sum == 1, "demand", fmt::format("a sum of {}", shown(sum)), "probabilities of sum 1");
  check.whole("poisson-mean", poisson_mean, 0, 300);
  check.done();
}

Model inventory(const InventoryParameters& parameters, WorkWatch* watch) {
  const InventoryParameters& p = parameters;
  p.validate();
  const Law law = law_of(p);
  ModelBuilder builder;
  builder.watched_by(watch);
  builder.name(fmt::format("inventory-{}", p.capacity)).horizon(p.horizon).discount(p.discount);
  builder.initial(fmt::format("stock={}", p.initial_stock));
  for (std::uint32_t s = 0; s <= p.capacity; ++s) builder.declare_state(fmt::format("stock={}", s));
  for (std::uint32_t s = 0; s <= p.capacity; ++s) {
    const std::uint32_t most = std::min(p.capacity - s, p.order_limit.value_or(p.capacity));
    for (std::uint32_t order = 0; order <= most; ++order) {
      add_order(builder, p, law, s, order);
    }
  }
  return builder.build();
}

}  // namespace quantiplan
