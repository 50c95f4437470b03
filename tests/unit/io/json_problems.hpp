// What is wrong with a model's JSON.
#pragma once

#include <string>
#include <string_view>

#include "numbers/thrown.hpp"
#include "quantiplan/formats.hpp"

namespace quantiplan {

inline std::string json_problems(std::string_view text) {
  return thrown(ErrorCode::bad_model, [&] { parse_model(text, Format::json, "m.json"); });
}

}  // namespace quantiplan
