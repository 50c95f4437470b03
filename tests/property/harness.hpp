// Runs a property over many random models; a failure is shrunk, printed with its seed, and saved.
//
//     QUANTIPLAN_PROPERTY_CASES   number of tiny models (default 2000)
//     QUANTIPLAN_FAILURES         folder for failing models (default: that of the test program)
//
// A saved file moves to tests/property/regressions to be replayed for ever, against every property.
#pragma once

#include <cstdint>
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

#include "brute_force.hpp"
#include "plain_model.hpp"
#include "quantiplan/query.hpp"

namespace quantiplan::testing {

// A model with all that is known of it without the library's engines.
class Case {
 public:
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
  [[nodiscard]] Query query() const { return {taus, Sides::both, {}}; }

 private:
  std::optional<std::vector<Law>> laws_;
};

// Thrown by a property that does not hold; any other exception of a property counts the same.
struct Violation : std::runtime_error {
  using std::runtime_error::runtime_error;
};
void require(bool holds, const std::string& otherwise);
std::string shown(const Rational& value);
std::string shown(double value);

using PropertyBody = void (*)(Case&);
struct Property {
  const char* name;  // also the name of the file a failure is saved in
  PropertyBody body;
};
// All that are registered, in the order of registration.
std::vector<Property>& properties();
struct RegisterProperty {
  RegisterProperty(const char* name, PropertyBody body) { properties().push_back({name, body}); }
};

// Empty if the property holds for this model, else what is wrong.
std::string violation(const Property& property, std::uint64_t seed, const PlainModel& plain);

// The number of models for a property that takes `share` of the usual number.
std::uint64_t case_count(double share);

using MakeModel = PlainModel (*)(std::uint64_t seed);
// Fails the running test at the first model that violates the property.
void run_property(const char* name, MakeModel make, std::uint64_t cases);

// Tests the property and registers it, so that saved failures are replayed against it.
#define QUANTIPLAN_PROPERTY(name, make, share)                           \
  static void name(Case& c);                                             \
  static const RegisterProperty register_##name(#name, name);            \
  TEST(Property, name) { run_property(#name, make, case_count(share)); } \
  static void name(Case& c)

}  // namespace quantiplan::testing
