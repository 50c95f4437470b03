// How values of the library look to Python, and the options and settings that come from there.
//
//     Rational           fractions.Fraction; in the other direction always text, read exactly
//     Total              Fraction, float('inf'), float('-inf'), or the string "miss"
//     Value              (float, Fraction or None, "exact" | "rounded" | "at least" | "at most",
//                         float or None)
//
// Totals are shown as the model counts them: where rewards are costs, `sign` is -1.
#pragma once

#include <nanobind/nanobind.h>

#include <optional>
#include <string>
#include <vector>

#include "quantiplan/quantiplan.hpp"

namespace nb = nanobind;

namespace quantiplan::python {

nb::object fraction(const Rational& value);
// The name of the initial state, or a dict from names to probabilities (as text, where it is given).
nb::object initial_object(const InitialNames& initial);
InitialNames initial_of(nb::handle given);
nb::object fraction_or_none(const std::optional<Rational>& value);
// Of the table of rewards: a Fraction; a label or None, or a tuple of Fractions, where rewards are such.
nb::object reward_object(const Model& model, const Rational& reward);
nb::object total_object(const Total& total, int sign);
nb::object total_or_none(const std::optional<Total>& total, int sign);
// `sign` turns a mean; a probability is left as it is.
nb::object value_object(const Value& value, int sign = 1);
nb::object value_or_none(const std::optional<Value>& value, int sign = 1);
// (episodes, seed, confidence, band).
nb::object sample_object(const std::optional<Sample>& sample);
nb::object check_object(const CheckReport& report);
nb::dict facts_object(const ModelFacts& facts);
nb::dict work_object(const Work& work);
nb::dict engine_object(const EngineReport& engine);

// A number or a total from its text; `place` is the argument's name.
Rational rational_of(const std::string& text, const char* place);
Total total_of(const std::string& text, int sign, const char* place);

// {"threads": "2", ...} by the table of options.
Options options_of(const nb::dict& given);
// Keys: horizon (an int, -1 for no end), discount (text), initial (name), goal (a list of names),
// cost, adversarial, structure.
Setting setting_of(const nb::dict& given);
// -1 where totals are costs.
int sign_of(const Model& model, const Setting& setting);

}  // namespace quantiplan::python
