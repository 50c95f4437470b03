#include "harness/comparisons.hpp"

namespace quantiplan::testing {

namespace {

Rational roundings(const Case& c) {
  return Rational(2 * c.plain.horizon * (c.model.most_outcomes() + 2));
}

// Each rounding may also lose up to the least double, by underflow.
Rational underflow(const Case& c) { return roundings(c) * Rational(0x1p-1074); }

}  // namespace

Rational certified_error(const Case& c) { return roundings(c) * Rational(0x1p-53); }

void require_label(const Value& found, const Rational& expected, const std::string& what) {
  if (found.exact) {
    require(*found.exact == expected,
            what + " is exactly " + shown(*found.exact) + ", must be " + shown(expected));
    require(found.nearest == to_nearest_double(expected),
            what + " is shown as " + shown(found.nearest) + ", must be " + shown(expected));
    return;
  }
  require(found.is != Value::Is::rounded, what + " says nothing of how far it is from the truth");
  require(found.least() <= expected && expected <= found.greatest(),
          what + " is said to lie in [" + shown(found.least()) + ", " + shown(found.greatest()) +
              "], and is " + shown(expected));
}

void require_probability(const Case& c,
                         const Value& found,
                         const Rational& expected,
                         const std::string& what) {
  if (found.exact || found.is != Value::Is::rounded) require_label(found, expected, what);
  require(abs(Rational(found.nearest) - expected) <= certified_error(c) * expected + underflow(c),
          what + " is " + shown(found.nearest) + ", must be " + shown(expected));
}

void require_mean(const Case& c, const Value& found, const Law& law, const std::string& what) {
  const Rational expected = mean(law);
  if (found.exact || found.is != Value::Is::rounded) {
    require_label(found, expected, what);
    return;
  }
  Rational size = 0;
  for (const auto& [w, p] : law) size += abs(w.value()) * p;
  require(abs(Rational(found.nearest) - expected) <= certified_error(c) * size + underflow(c),
          what + " is " + shown(found.nearest) + ", must be " + shown(expected));
}

void require_law(const Case& c,
                 const Distribution& found,
                 const Law& law,
                 const std::string& what) {
  require(found.atoms.size() == law.size(),
          what + " has " + std::to_string(found.atoms.size()) + " levels, must have " +
              std::to_string(law.size()));
  std::size_t i = 0;
  for (const auto& [wealth, probability] : law) {
    const Atom& atom = found.atoms[i++];
    require(atom.wealth == wealth,
            what + " has level " + shown(atom.wealth) + ", must be " + shown(wealth));
    require_probability(c, atom.probability, probability, what + ", P(W = " + shown(wealth) + ")");
    require_probability(
        c, found.at_least(wealth), at_least(law, wealth), what + ", P(W >= " + shown(wealth) + ")");
  }
  require_mean(c, found.mean, law, what + ", mean");
}

std::string place(const std::string& configuration, const Rational& tau, Side side) {
  return configuration + ", tau " + shown(tau) + " " + std::string(to_text(side)) + ": ";
}

std::string verdict(const CheckReport& report) {
  std::string text = report.passed ? "passed" : "failed";
  for (const std::string& finding : report.findings) text.append("\n  ").append(finding);
  return text;
}

}  // namespace quantiplan::testing
