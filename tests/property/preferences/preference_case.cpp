#include "preferences/preference_case.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>

#include "harness/comparisons.hpp"
#include "harness/random_model.hpp"
#include "harness/shrink.hpp"

namespace quantiplan::testing {
namespace {

std::string save(const char* name, std::uint64_t seed, const PreferenceModel& preference) {
  const char* folder = std::getenv("QUANTIPLAN_FAILURES");
  std::error_code none;
  const std::filesystem::path file =
      (folder != nullptr ? std::filesystem::path(folder)
                         : std::filesystem::temp_directory_path(none)) /
      (std::string(name) + "-" + std::to_string(seed) + ".json");
  std::ofstream(file) << json_text(preference);
  return file.string();
}

PreferenceModel shrunk(const PreferenceProperty& property,
                       std::uint64_t seed,
                       const PreferenceModel& model) {
  const auto fails = [&](const PlainModel& plain) {
    const PreferenceModel candidate{plain, model.wealth};
    if (!makes_sense(candidate)) return false;
    try {
      static_cast<void>(resolve(build(candidate), {}));
    } catch (const Error&) {
      return false;
    }
    return !violation(property, seed, candidate).empty();
  };
  return {shrink(model.plain, fails), model.wealth};
}

}  // namespace

PreferenceCase::PreferenceCase(std::uint64_t case_seed, const PreferenceModel& model_of_case)
    : seed(case_seed),
      preference(model_of_case),
      model(build(preference)),
      oracle(preference),
      laws_(preference.plain.states.size() <= 5 ? oracle.laws(kMostLaws) : std::nullopt) {
  constexpr std::size_t kMostOfEach = 5;
  Dice dice(seed ^ 0x746175U);
  taus = {0, 1, Rational(static_cast<unsigned long>(dice.between(1, 96)), 97)};
  const std::vector<CurveStep> steps = oracle.steps();
  for (std::size_t i = 0; i < std::min(steps.size(), kMostOfEach); ++i)
    taus.emplace_back(1 - dice.pick(steps).probability);
  for (std::size_t i = 0; laws_ && i < kMostOfEach; ++i) {
    const Law& law = dice.pick(*laws_);
    auto atom = law.begin();
    std::advance(atom, static_cast<std::ptrdiff_t>(dice.below(law.size())));
    taus.emplace_back(1 - at_least(law, atom->first));
  }
  std::sort(taus.begin(), taus.end());
  taus.erase(std::unique(taus.begin(), taus.end()), taus.end());
}

Optimum PreferenceCase::expected(const Rational& tau, Side side) {
  return laws_ ? optimum(*laws_, tau, side) : oracle.optimum(tau, side);
}

std::vector<PreferenceRun> preference_runs(const PreferenceCase& c) {
  std::vector<PreferenceRun> runs;
  for (const Engine engine : {Engine::automatic, Engine::forward, Engine::ranked}) {
    if (engine == Engine::ranked && !c.has_residuals()) continue;
    for (const Arithmetic arithmetic :
         {Arithmetic::automatic, Arithmetic::floating, Arithmetic::exact}) {
      Options options;
      options.engine = engine;
      options.arithmetic = arithmetic;
      options.threads = 1;
      std::string name = engine == Engine::automatic ? "automatic"
                         : engine == Engine::forward ? "forward"
                                                     : "ranked";
      name += arithmetic == Arithmetic::automatic  ? " automatic"
              : arithmetic == Arithmetic::floating ? " floating"
                                                   : " exact";
      runs.push_back({name, options});
    }
  }
  return runs;
}

void require_chance(const Value& found, const Rational& expected, const std::string& what) {
  if (found.exact || found.is != Value::Is::rounded) require_label(found, expected, what);
  require(abs(Rational(found.nearest) - expected) <= Rational(1, 1'000'000'000'000),
          what + " is " + shown(found.nearest) + ", must be " + shown(expected));
}

std::size_t position_of(const PreferenceCase& c, const WealthClasses& classes, const Level& level) {
  require(level.is_class() && level.position() >= 1 && level.position() <= classes.size(),
          "no class of " + std::to_string(classes.size()));
  require(level.class_text() == classes.text(level.position()) &&
              level.rank() == classes.rank(level.position()),
          "a class of another list");
  return c.oracle.position(level.class_text());
}

std::string place(const PreferenceRun& run, const Rational& tau, Side side) {
  return place(run.name, tau, side);
}

std::vector<PreferenceProperty>& preference_properties() {
  static std::vector<PreferenceProperty> all;
  return all;
}

std::string violation(const PreferenceProperty& property,
                      std::uint64_t seed,
                      const PreferenceModel& preference) {
  if (!property.fits(preference)) return {};
  try {
    property.body(seed, preference);
  } catch (const std::exception& e) {
    return *e.what() == '\0' ? "an exception without a word" : e.what();
  }
  return {};
}

void run_preference(const char* name, MakePreference make, std::uint64_t cases) {
  const auto& all = preference_properties();
  const auto property = std::find_if(all.begin(), all.end(), [&](const PreferenceProperty& p) {
    return p.name == std::string(name);
  });
  ASSERT_NE(property, all.end());
  for (std::uint64_t seed = 1; seed <= cases; ++seed) {
    const PreferenceModel model = make(seed);
    const std::string found = violation(*property, seed, model);
    if (found.empty()) continue;
    const PreferenceModel small = shrunk(*property, seed, model);
    FAIL() << "seed " << seed << ": " << found << "\nshrunk: " << violation(*property, seed, small)
           << "\n"
           << json_text(small) << "saved as " << save(name, seed, small);
  }
}

}  // namespace quantiplan::testing
