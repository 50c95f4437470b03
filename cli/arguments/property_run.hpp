// One question of the model checkers, asked of one model: which of our queries it is, and what they find.
#pragma once

#include <optional>
#include <vector>

#include "arguments/arguments.hpp"
#include "arguments/property_report.hpp"
#include "quantiplan/model_checkers.hpp"

namespace quantiplan::cli {

struct PropertyAnswer {
  std::vector<PropertyValue> values;  // of each initial state
  std::optional<Rational> compared;   // what they are compared with, but by quantiles
};

// `constants`: of the properties. Throws Error(refused) for what is out of scope, by its name.
PropertyAnswer answer_property(const Property& property,
                               const std::vector<Definition>& constants,
                               const ReadModel& read,
                               const SettingArguments& setting,
                               const Options& options,
                               bool quiet);

}  // namespace quantiplan::cli
