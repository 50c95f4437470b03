// A mean counted the other way: as a cost, or as the adversary counts it. Bounds change sides.
#pragma once

#include "quantiplan/value.hpp"

namespace quantiplan {

inline Value negative_of(const Value& mean) {
  using Is = Value::Is;
  Value out{-mean.nearest, std::nullopt, mean.is};
  if (mean.exact) out.exact = -*mean.exact;
  if (mean.is == Is::upper_bound) out.is = Is::lower_bound;
  if (mean.is != Is::lower_bound) return out;
  if (mean.most)
    out.nearest = -*mean.most, out.most = -mean.nearest;
  else
    out.is = Is::upper_bound;
  return out;
}

}  // namespace quantiplan
