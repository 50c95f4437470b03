#include "domains/river.hpp"

#include <fmt/format.h>

#include "domains/parameter_checks.hpp"

namespace quantiplan {

void RiverParameters::validate() const {
  ParameterChecks check;
  check.whole("states", states, 2, 1'000'000);
  check.want(initial < states, "initial", initial, "below states");
  check.setting(horizon, discount);
  check.probability("forward", forward);
  // A wrong forward is named already.
  const bool fits = forward > 1 || back <= 1 - forward;
  check.want(back >= 0 && fits, "back", back, "from 0 to 1 - forward");
  check.done();
}

Model river(const RiverParameters& parameters, WorkWatch* watch) {
  const RiverParameters& p = parameters;
  p.validate();
  const std::uint32_t last = p.states - 1;
  const Number not_forward = Rational(1 - p.forward);
  const Number stays = Rational(1 - p.forward - p.back);

  ModelBuilder builder;
  builder.watched_by(watch);
  builder.name(fmt::format("river-{}", p.states)).horizon(p.horizon).discount(p.discount);
  builder.initial(fmt::format("s{}", p.initial));
  for (std::uint32_t s = 0; s < p.states; ++s) builder.declare_state(fmt::format("s{}", s));
  for (std::uint32_t s = 0; s < p.states; ++s) {
    builder.begin_choice(State{s}, "left");
    builder.add_outcome(State{s == 0 ? 0 : s - 1}, 1, s == 0 ? Number(p.small_reward) : Number(0));
    builder.begin_choice(State{s}, "right");
    if (s == last) {
      builder.add_outcome(State{last}, p.forward, p.large_reward);
      builder.add_outcome(State{last - 1}, not_forward, 0);
      continue;
    }
    builder.add_outcome(State{s + 1}, p.forward, 0);
    if (s > 0) builder.add_outcome(State{s - 1}, p.back, 0);
    builder.add_outcome(State{s}, s == 0 ? not_forward : stays, 0);
  }
  return builder.build();
}

}  // namespace quantiplan
