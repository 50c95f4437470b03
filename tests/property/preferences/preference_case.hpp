// Runs a property over many random models with wealth structures; a failure is shrunk, printed with
// its seed, and saved as harness.hpp does. A saved file moves to
// tests/property/preference_regressions, to be replayed for ever against every such property.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "harness/harness.hpp"
#include "preferences/preference_model.hpp"
#include "preferences/preference_oracle.hpp"
#include "preferences/preference_play.hpp"
#include "quantiplan/answer.hpp"
#include "quantiplan/options.hpp"
#include "quantiplan/query.hpp"

namespace quantiplan::testing {

class PreferenceCase {
 public:
  static bool fits(const PreferenceModel& preference) { return !preference.plain.is_infinite(); }
  PreferenceCase(std::uint64_t case_seed, const PreferenceModel& model_of_case);

  std::uint64_t seed;
  PreferenceModel preference;
  Model model;
  PreferenceOracle oracle;
  // 0, 1, a random one, and ties: 1 - P(class >= y) of the best and of other policies.
  std::vector<Rational> taus;

  [[nodiscard]] Query query(bool compare = false) const { return {taus, Sides::both, {}, compare}; }
  // From all policies where they can be counted, else from the recursion.
  [[nodiscard]] Optimum expected(const Rational& tau, Side side);
  [[nodiscard]] Law played(const Policy& policy) const {
    return play(preference, oracle, model, policy);
  }
  [[nodiscard]] bool has_residuals() const {
    return preference.wealth.kind != WealthKind::automaton &&
           preference.wealth.kind != WealthKind::table;
  }

 private:
  std::optional<std::vector<Law>> laws_;
};

struct PreferenceRun {
  std::string name;
  Options options;
};
// Every engine that knows the structure, in every arithmetic; 1 thread.
std::vector<PreferenceRun> preference_runs(const PreferenceCase& c);

// Exact where it is given, and the double within 1e-12.
void require_chance(const Value& found, const Rational& expected, const std::string& what);
// The class of an answer, in the oracle's positions; 0: none that is met.
std::size_t position_of(const PreferenceCase& c, const WealthClasses& classes, const Level& level);
// "forward exact, tau 1/2 lower: "
std::string place(const PreferenceRun& run, const Rational& tau, Side side);

struct PreferenceProperty {
  const char* name;
  bool (*fits)(const PreferenceModel& preference);
  void (*body)(std::uint64_t seed, const PreferenceModel& preference);
};
std::vector<PreferenceProperty>& preference_properties();
struct RegisterPreference {
  explicit RegisterPreference(const PreferenceProperty& property) {
    preference_properties().push_back(property);
  }
};
// Empty if the property holds for this model or says nothing about it, else what is wrong.
std::string violation(const PreferenceProperty& property,
                      std::uint64_t seed,
                      const PreferenceModel& preference);

using MakePreference = PreferenceModel (*)(std::uint64_t seed);
void run_preference(const char* name, MakePreference make, std::uint64_t cases);

// A kind of case is made from a seed and a model, and says which models it fits.
#define QUANTIPLAN_PREFERENCE_OF(Kind, name, make, share)                             \
  static void name(CaseOf<Kind> c);                                                   \
  static const RegisterPreference register_##name(                                    \
      {#name, Kind::fits, [](std::uint64_t seed, const PreferenceModel& preference) { \
         Kind of_kind(seed, preference);                                              \
         name(of_kind);                                                               \
       }});                                                                           \
  TEST(Preference, name) { run_preference(#name, make, case_count(share)); }          \
  static void name(CaseOf<Kind> c)
#define QUANTIPLAN_PREFERENCE(name, make, share) \
  QUANTIPLAN_PREFERENCE_OF(PreferenceCase, name, make, share)

}  // namespace quantiplan::testing
