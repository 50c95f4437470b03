// Two gambles in a row: the smallest problem in which a policy must remember what it has.
//
//     first    one action: +first or -first, at even odds
//     second   small: +small or -small, at even odds;  large: +large or -large, at even odds
//
// Whether the second gamble should be the small one depends on how the first went, though the state
// does not tell. Source: the example of [LZB].
#pragma once

#include <cstdint>

#include "quantiplan/model.hpp"

namespace quantiplan {

struct GambleParameters {
  Rational first = 50;
  Rational small = 20;
  Rational large = 100;
  std::uint64_t horizon = 2;  // 1: without the second
  Rational discount = 1;

  // Throws Error(bad_request) naming the parameter, its value and the bound.
  void validate() const;
};

// States "first", "second", "end"; actions "play", "small", "large".
Model gamble(const GambleParameters& parameters, WorkWatch* watch = nullptr);

}  // namespace quantiplan
