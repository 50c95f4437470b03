#include "domains/machine.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "domains/parameter_checks.hpp"

namespace quantiplan {
namespace {

void add_run(ModelBuilder& builder, const MachineParameters& p, std::uint32_t w) {
  const Rational share = Rational(w) / p.levels;
  const Rational breaks = p.failure * share;
  const Rational wears = (1 - breaks) * p.wear;
  const Rational earned = p.earnings / (1 + p.slowdown * share);
  builder.begin_choice(State{w}, "run");
  builder.add_outcome(State{p.levels}, breaks, Rational(earned - p.breakdown));
  builder.add_outcome(State{std::min(w + 1, p.levels - 1)}, wears, earned);
  builder.add_outcome(State{w}, Rational(1 - breaks - wears), earned);
}

void add_mending(ModelBuilder& builder, const MachineParameters& p, std::uint32_t w) {
  const Number cost = Rational(-p.repair_cost);
  builder.begin_choice(State{w}, "repair");
  builder.add_outcome(State{w / 2}, p.repair_success, cost);
  builder.add_outcome(State{w}, Rational(1 - p.repair_success), cost);
  builder.begin_choice(State{w}, "replace");
  builder.add_outcome(State{0}, 1, Rational(-p.replacement_cost));
}

}  // namespace

void MachineParameters::validate() const {
  ParameterChecks check;
  check.whole("levels", levels, 2, 1'000'000);
  check.want(initial_wear <= levels, "initial-wear", initial_wear, "at most levels");
  check.setting(horizon, discount);
  check.probability("wear", wear);
  check.probability("failure", failure);
  check.not_negative("earnings", earnings);
  check.not_negative("slowdown", slowdown);
  check.not_negative("breakdown", breakdown);
  check.not_negative("repair-cost", repair_cost);
  check.probability("repair-success", repair_success);
  check.not_negative("replacement-cost", replacement_cost);
  check.done();
}

Model machine(const MachineParameters& parameters, WorkWatch* watch) {
  const MachineParameters& p = parameters;
  p.validate();
  const auto name = [&](std::uint32_t w) {
    return w == p.levels ? std::string("broken") : fmt::format("wear={}", w);
  };
  ModelBuilder builder;
  builder.watched_by(watch);
  builder.name(fmt::format("machine-{}", p.levels));
  builder.horizon(p.horizon).discount(p.discount).initial(name(p.initial_wear));
  for (std::uint32_t w = 0; w <= p.levels; ++w) builder.declare_state(name(w));
  for (std::uint32_t w = 0; w <= p.levels; ++w) {
    if (w < p.levels) add_run(builder, p, w);
    if (w > 0) add_mending(builder, p, w);
  }
  return builder.build();
}

}  // namespace quantiplan
