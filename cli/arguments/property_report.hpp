// The answer to a question of the model checkers, in words and as JSON: the number that they print, or the
// range over several initial states.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "quantiplan/model_checkers.hpp"
#include "quantiplan/total.hpp"

namespace quantiplan::cli {

// One question's answer from one state.
struct PropertyValue {
  std::string state;
  Total low;  // ends of a bracket; equal where it is exact
  Total high;
  bool is_exact = true;
  std::string exact;  // as a fraction, where that is known
};

// Whether a bracket settles a comparison (">", ">=", "<", "<=") with p, and how.
std::optional<bool> holds(const PropertyValue& value,
                          const std::string& comparison,
                          const Rational& p);

struct PropertyReport {
  std::string text;
  std::string json;
};

// `compared`: what a question such as P > 1/2 compares with; its result is true or false.
PropertyReport report_of(const Property& property,
                         const std::vector<PropertyValue>& values,
                         const std::optional<Rational>& compared);

}  // namespace quantiplan::cli
