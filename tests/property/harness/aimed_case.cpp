#include "harness/aimed_case.hpp"

#include <algorithm>
#include <cstdlib>
#include <utility>

#include "harness/configurations.hpp"
#include "harness/random_model.hpp"
#include "oracles/infinite_reference.hpp"

namespace quantiplan::testing {
namespace {

std::unique_ptr<Truth> truth_of(const PlainModel& plain, Aim aim) {
  if (plain.is_infinite()) return std::make_unique<InfiniteReference>(plain, aim);
  return std::make_unique<Reference>(plain, aim);
}

std::string aimed_name(const Options& options) {
  std::string name = options.engine == Engine::epochs ? "epochs" : "automatic";
  name += options.arithmetic == Arithmetic::exact      ? " exact"
          : options.arithmetic == Arithmetic::floating ? " floating"
                                                       : " automatic";
  return name + " " + std::to_string(options.threads) + " threads";
}

}  // namespace

std::string name_of(Aim aim) { return aim == Aim::greatest ? "greatest" : "least"; }

bool AimedCase::fits(const PlainModel& plain) {
  if (!plain.is_infinite()) return true;
  return plain.discount == 1 && shape_of(plain) != Shape::mixed;
}

AimedCase::AimedCase(std::uint64_t case_seed, PlainModel plain_model)
    : seed(case_seed),
      plain(std::move(plain_model)),
      model(build(plain)),
      greatest_(truth_of(plain, Aim::greatest)),
      least_(truth_of(plain, Aim::least)),
      unit_(reward_unit(plain)) {}

std::vector<Rational> AimedCase::taus(Aim aim) {
  Dice dice(seed ^ 0x61696D6564U);
  std::vector<Rational> taus{0, 1, Rational(static_cast<unsigned long>(dice.between(1, 96)), 97)};
  taus.emplace_back(1 - truth(aim).at_least(Total::minus_infinity()));
  taus.emplace_back(1 - truth(aim).at_least(Total::plus_infinity()));
  if (auto* infinite = dynamic_cast<InfiniteReference*>(&truth(aim))) {
    taus.emplace_back(1 - infinite->limit());
    // A little to both sides: many levels to go, each with longer numbers.
    const Rational near(1, plain.states.size() > 4 ? 8 : 50);
    for (const Rational& off : {near, Rational(-near)}) {
      const Rational tau = 1 - infinite->limit() + off;
      if (tau > 0 && tau < 1) taus.push_back(tau);
    }
  }
  const std::vector<CurveStep> steps = truth(aim).steps();
  for (std::size_t i = 0; i < std::min<std::size_t>(steps.size(), 4); ++i)
    taus.emplace_back(1 - dice.pick(steps).probability);
  std::sort(taus.begin(), taus.end());
  taus.erase(std::unique(taus.begin(), taus.end()), taus.end());
  return taus;
}

Setting AimedCase::setting(Aim aim) {
  Setting setting;
  setting.adversarial = aim == Aim::least;
  return setting;
}

Query AimedCase::query(Aim aim) { return {taus(aim), Sides::both, setting(aim), false}; }

std::vector<Total> AimedCase::targets(Aim aim) {
  Dice dice(seed ^ 0x746172676574U);
  std::vector<Total> targets{0, Total::minus_infinity(), -100, 100, unit_, Rational(-unit_)};
  const std::vector<CurveStep> steps = truth(aim).steps();
  for (std::size_t i = 0; i < std::min<std::size_t>(steps.size(), 4); ++i) {
    const Rational level = dice.pick(steps).wealth;
    targets.emplace_back(level);
    targets.emplace_back(Rational(level + unit_ / 3));
  }
  return targets;
}

double patience_seconds() {
  const char* text = std::getenv("QUANTIPLAN_PATIENCE");
  return text != nullptr ? std::strtod(text, nullptr) : 60;
}

std::vector<AimedRun> aimed_runs(const AimedCase& c) {
  std::vector<AimedRun> runs;
  if (!c.plain.is_infinite()) {
    for (const Configuration& configuration : some_configurations(c.seed)) {
      // With a goal a discount leaves no exact grid.
      if (c.plain.discount != 1 && !c.plain.goal.empty() &&
          (configuration.options.engine != Engine::automatic ||
           configuration.options.arithmetic == Arithmetic::exact))
        continue;
      runs.push_back({configuration.name, configuration.options});
      runs.back().options.time_limit_seconds = patience_seconds();
    }
    return runs;
  }
  const bool is_acyclic = shape_of(c.plain) == Shape::acyclic;
  Dice dice(c.seed ^ 0x72756E73U);
  for (const Engine engine : {Engine::automatic, Engine::epochs}) {
    if (is_acyclic && engine == Engine::epochs) continue;
    for (const Arithmetic arithmetic :
         {Arithmetic::automatic, Arithmetic::exact, Arithmetic::floating}) {
      Options options;
      options.time_limit_seconds = patience_seconds();
      options.engine = engine;
      options.arithmetic = arithmetic;
      options.threads = dice.one_in(2) ? 1 : 3;
      runs.push_back({aimed_name(options), options});
    }
  }
  return runs;
}

std::string place(const AimedRun& run, Aim aim, const Rational& tau, Side side) {
  return run.name + ", " + name_of(aim) + ", tau " + shown(tau) + " " + std::string(to_text(side)) +
         ": ";
}

}  // namespace quantiplan::testing
