#include "harness/bracket_runs.hpp"

#include "kernels/backup.hpp"

namespace quantiplan::testing {

const std::vector<Engine>& rounding_engines() {
  static const std::vector<Engine> engines = {
      Engine::automatic, Engine::lattice, Engine::levels, Engine::search};
  return engines;
}

std::string name_of(Engine engine) {
  Options options;
  options.engine = engine;
  for (const OptionEntry& entry : option_table())
    if (entry.name == "engine") return entry.get(options);
  return {};
}

Rational range_of(const Case& c) {
  const Extremes& ahead = c.outlook.at(c.plain.horizon, c.plain.initial);
  return ahead.greatest - ahead.least;
}

std::optional<Rational> some_epsilon(const Case& c, Dice& dice) {
  const Rational range = range_of(c);
  if (range == 0) return dice.one_in(2) ? std::optional<Rational>(1) : std::nullopt;
  switch (dice.below(6)) {
    case 0:
      return std::nullopt;
    case 1:
      return range * 2;
    case 2:
      return range / 7;
    case 3:
      return range / 1'000;
    case 4:
      return range / 300'000;
    default:
      return range / Rational(Integer(1) << 70);
  }
}

BracketRun some_run(const Case& c, Engine engine, Dice& dice) {
  Options options;
  options.engine = engine;
  options.memory_limit_bytes = kMemoryLimit;
  options.epsilon = some_epsilon(c, dice);
  const bool is_coarse = !options.epsilon || *options.epsilon * 2'000 > range_of(c);
  static const std::vector<Representation> representations = {
      Representation::automatic, Representation::sparse, Representation::dense};
  options.representation = dice.pick(representations);
  if (options.representation == Representation::dense && !(is_coarse && engine == Engine::lattice))
    options.representation = Representation::automatic;
  std::vector<std::string> names{"auto"};
  for (const Kernel& kernel : kernels())
    if (kernel.supported()) names.emplace_back(kernel.name);
  options.kernel = dice.pick(names);
  options.threads = dice.one_in(8) ? 2 : 1;
  std::string name = name_of(engine);
  if (options.epsilon) name += ", epsilon " + shown(*options.epsilon);
  name += options.representation == Representation::dense    ? ", dense"
          : options.representation == Representation::sparse ? ", sparse"
                                                             : "";
  return {name + ", " + options.kernel + ", " + std::to_string(options.threads) + " threads",
          options};
}

Query some_query(const Case& c, Dice& dice) {
  Query query = c.query();
  if (dice.one_in(2)) return query;
  std::vector<Rational> inner;
  for (const Rational& tau : c.taus)
    if (tau > 0 && tau < 1) inner.push_back(tau);
  query.taus.clear();
  for (std::size_t i = dice.between(1, 3); i > 0; --i) query.taus.push_back(dice.pick(inner));
  return query;
}

}  // namespace quantiplan::testing
