// What the memory of a device gives to loads like those of back_up: the roof that its speed is held against.
//
//     a warp reads rows of kTile entries, each from a random place of an array
//
// An array that fits the second-level cache shows the roof of that, a large one that of the memory.
#pragma once

#include "device/kernels.hpp"

namespace quantiplan::device {

struct ReadRows {
  u64 first_warp;
  u64 warps;
  const double* values;
  u64 entries;   // more than kTile
  u32 rows;      // for each warp
  double* sums;  // by warp
};

QUANTIPLAN_KERNEL(read_rows, ReadRows) {
  if (warp >= in.warps) return;
  QUANTIPLAN_LANES(lane) {
    double sum = 0;
    QUANTIPLAN_UNROLL(4)
    for (u32 row = 0; row < in.rows; ++row) {
      u64 place = (warp + 1) * 0x9E3779B97F4A7C15ULL + row * 0xD1B54A32D192ED03ULL;
      place = (place ^ place >> 29) * 0xBF58476D1CE4E5B9ULL;
      place = (place ^ place >> 32) % (in.entries - kTile);
      QUANTIPLAN_UNROLL()
      for (u32 r = 0; r < kTile / 32; ++r) sum += fixed(in.values + place + lane + 32 * r);
    }
    if (lane == 0) in.sums[warp] = sum;
  }
}

}  // namespace quantiplan::device
