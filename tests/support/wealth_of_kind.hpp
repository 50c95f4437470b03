// A wealth of which nothing but the kind is said.
#pragma once

#include "quantiplan/model.hpp"

namespace quantiplan::testing {

inline Wealth of_kind(WealthKind kind) {
  Wealth wealth;
  wealth.kind = kind;
  return wealth;
}

}  // namespace quantiplan::testing
