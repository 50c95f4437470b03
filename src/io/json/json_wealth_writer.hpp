// Writes "wealth" of a model file (docs/model-format.md).
#pragma once

#include <string>
#include <vector>

#include "quantiplan/number.hpp"
#include "quantiplan/wealth.hpp"

namespace quantiplan {

// A comma, and the key with its value.
void append_json_wealth(std::string& out, const Wealth& wealth);
// [1, "1/3"]
void append_json_vector(std::string& out, const std::vector<Rational>& numbers);

}  // namespace quantiplan
