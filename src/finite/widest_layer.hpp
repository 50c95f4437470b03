// The most states that are met at one time: whether several threads pay.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>

#include "finite/stages.hpp"

namespace quantiplan {

inline std::size_t widest_layer(const Stages& stages) {
  std::size_t most = 0;
  for (std::uint64_t t = 0; t <= stages.horizon(); ++t)
    most = std::max(most, stages.layer(t).size());
  return most;
}

}  // namespace quantiplan
