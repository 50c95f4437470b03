// Runs a property over many random models; a failure is shrunk, printed with its seed, and saved.
//
//     QUANTIPLAN_PROPERTY_CASES   number of tiny models (default 600)
//     QUANTIPLAN_FAILURES         folder for failing models (default: that of the test program)
//
// A saved file moves to tests/property/regressions to be replayed for ever, against every property.
#pragma once

#include <cstdint>
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

#include "oracles/brute_force.hpp"
#include "oracles/plain_model.hpp"
#include "quantiplan/query.hpp"

namespace quantiplan::testing {

// A model with all that is known of it without the library's engines: finite horizon, rewards, no
// goal. Other kinds: aimed_case.hpp.
class Case {
 public:
  static bool fits(const PlainModel& plain) {
    return !plain.is_infinite() && plain.goal.empty() && !plain.cost;
  }
  Case(std::uint64_t case_seed, PlainModel plain_model);
  Case(const Case&) = delete;
  Case& operator=(const Case&) = delete;

  std::uint64_t seed;
  PlainModel plain;
  Model model;
  Reference reference;
  Outlook outlook;
  // 0, 1, a random one, and ties: 1 - G(w) for levels w of the best and of other policies.
  std::vector<Rational> taus;

  // By definition from all policies where they can be counted, else from the reference.
  [[nodiscard]] Optimum expected(const Rational& tau, Side side);
  // All (tau, side) pairs of the taus.
  // The greatest probability: what the references know. The mean has properties of its own.
  [[nodiscard]] Query query() const { return {taus, Sides::both, {}, true, Prefer::probability}; }

 private:
  std::optional<std::vector<Law>> laws_;
};

// Thrown by a property that does not hold; any other exception of a property counts the same.
struct Violation : std::runtime_error {
  using std::runtime_error::runtime_error;
};
void require(bool holds, const std::string& otherwise);
std::string shown(const Rational& value);
std::string shown(const Total& value);
std::string shown(double value);

struct Property {
  const char* name;  // also the name of the file a failure is saved in
  // Whether it says anything about such a model.
  bool (*fits)(const PlainModel& plain);
  void (*body)(std::uint64_t seed, const PlainModel& plain);
};
// All that are registered, in the order of registration.
std::vector<Property>& properties();
struct RegisterProperty {
  explicit RegisterProperty(const Property& property) { properties().push_back(property); }
};

// Empty if the property holds for this model or says nothing about it, else what is wrong.
std::string violation(const Property& property, std::uint64_t seed, const PlainModel& plain);

// The number of models for a property that takes `share` of the usual number.
std::uint64_t case_count(double share);

using MakeModel = PlainModel (*)(std::uint64_t seed);
// Fails the running test at the first model that violates the property.
void run_property(const char* name, MakeModel make, std::uint64_t cases);

template <class Kind>
using CaseOf = Kind&;

// Tests the property and registers it, so that saved failures are replayed against it. A kind of
// case is made from a seed and a model, and says which models it fits.
#define QUANTIPLAN_PROPERTY_OF(Kind, name, make, share)                     \
  static void name(CaseOf<Kind> c);                                         \
  static const RegisterProperty register_##name(                            \
      {#name, Kind::fits, [](std::uint64_t seed, const PlainModel& plain) { \
         Kind of_kind(seed, plain);                                         \
         name(of_kind);                                                     \
       }});                                                                 \
  TEST(Property, name) { run_property(#name, make, case_count(share)); }    \
  static void name(CaseOf<Kind> c)
#define QUANTIPLAN_PROPERTY(name, make, share) QUANTIPLAN_PROPERTY_OF(Case, name, make, share)

}  // namespace quantiplan::testing
