// The variables of states whose names are valuations, "(x=1,b=true)", packed into bits.
//
//     b : bool      1 bit       x in [0, 3] : uint      2 bits      y in [-1, 5] : int      4 bits
//
// The first variable lies in the least significant bits of a state's little-endian number, which is
// padded to whole bytes.
#pragma once

#include <optional>
#include <string>

#include "quantiplan/model.hpp"

namespace quantiplan {

struct UmbValuations {
  std::string json;   // of the index
  std::string bytes;  // of all states
};

// Nullopt unless every name is a valuation of the same variables, each whole or a truth value.
std::optional<UmbValuations> umb_valuations(const Model& model);

}  // namespace quantiplan
