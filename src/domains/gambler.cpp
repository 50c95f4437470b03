#include "domains/gambler.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "domains/parameter_checks.hpp"

namespace quantiplan {
namespace {

std::uint32_t start_of(const GamblerParameters& p) {
  return p.initial_capital.value_or((p.goal - 1) / 3 + 1);
}

}  // namespace

void GamblerParameters::validate() const {
  ParameterChecks check;
  check.whole("goal", goal, 2, 5000);
  const std::uint32_t start = start_of(*this);
  check.want(start <= goal, "initial-capital", start, "at most goal");
  check.setting(horizon, discount);
  check.probability("win", win);
  check.whole("least-bet", least_bet, 0, 1);
  if (greatest_bet) {
    check.want(*greatest_bet >= 1, "greatest-bet", *greatest_bet, "at least 1");
  }
  check.done();
}

Model gambler(const GamblerParameters& parameters, WorkWatch* watch) {
  const GamblerParameters& p = parameters;
  p.validate();
  const Number wins = p.win;
  const Number loses = Rational(1 - p.win);
  const bool capital_counts = p.reward_of == GamblerParameters::RewardOf::capital;

  ModelBuilder builder;
  builder.watched_by(watch);
  builder.name(fmt::format("gambler-{}", p.goal)).horizon(p.horizon).discount(p.discount);
  builder.initial(fmt::format("capital={}", start_of(p)));
  for (std::uint32_t c = 0; c <= p.goal; ++c) builder.declare_state(fmt::format("capital={}", c));
  for (std::uint32_t c = 1; c < p.goal; ++c) {
    const std::uint32_t most = std::min({c, p.goal - c, p.greatest_bet.value_or(p.goal)});
    for (std::uint32_t bet = p.least_bet; bet <= most; ++bet) {
      const std::int64_t stake = capital_counts ? bet : 0;
      const std::int64_t prize = capital_counts ? stake : (c + bet == p.goal ? 1 : 0);
      builder.begin_choice(State{c}, fmt::format("bet {}", bet));
      builder.add_outcome(State{c + bet}, wins, prize);
      builder.add_outcome(State{c - bet}, loses, -stake);
    }
  }
  return builder.build();
}

}  // namespace quantiplan
