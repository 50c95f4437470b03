#include "domains/gamble.hpp"

#include "domains/parameter_checks.hpp"

namespace quantiplan {

void GambleParameters::validate() const {
  ParameterChecks check;
  check.not_negative("first", first);
  check.not_negative("small", small);
  check.not_negative("large", large);
  check.setting(horizon, discount);
  check.done();
}

Model gamble(const GambleParameters& parameters, WorkWatch* watch) {
  parameters.validate();
  ModelBuilder builder;
  builder.watched_by(watch);
  builder.name("gamble").horizon(parameters.horizon).discount(parameters.discount);
  builder.initial("first");
  for (const char* state : {"first", "second", "end"}) builder.declare_state(state);
  const auto even =
      [&](const char* state, const char* action, const Rational& stake, const char* next) {
        builder.begin_choice(state, action);
        builder.add_outcome(next, Rational(1, 2), stake);
        builder.add_outcome(next, Rational(1, 2), Rational(-stake));
      };
  even("first", "play", parameters.first, "second");
  even("second", "small", parameters.small, "end");
  even("second", "large", parameters.large, "end");
  return builder.build();
}

}  // namespace quantiplan
