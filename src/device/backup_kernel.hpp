// The kernel that backs up a layer: for each function and residual the best of the choices' mixed values, and its
// runner-up.
//
//     value(slot, i) = max over choices c of  sum over c's terms k of  p(k) * later(k, i)
//
// See kernels.hpp for what a kernel is. A warp has `kTile` residuals of one function, four a lane, and goes through the
// terms of all choices, 32 at a time. Tile after tile, all functions before the next tile, the values that are read stay
// in the second-level cache; function after function, terms are what is read again.
#pragma once

#include "device/kernels.hpp"

namespace quantiplan::device {

struct BackUp {
  u64 first_warp;
  const Task* tasks;
  u32 count;
  const u64*
      tile_begin;  // by task: the tiles before it; null: the first tiles of all, the second, ..
  u64 warps;
  const Term* terms;
  const u32* ends;
  const u32* marks;
  double* values;
  u32* what;      // 2 * choice + contested; null: nobody asks
  double none;    // less than every value
  double factor;  // contested: a runner-up of this part of the best (contested.hpp)
  u32 asks_contested;
};

constexpr u32 kOwn = kTile / 32;

// What a lane holds of its residuals.
struct Held {
  double sum[kOwn];
  double best[kOwn];
  double second[kOwn];
  u32 chosen[kOwn];
};

constexpr u32 kAtOnce = 4;  // terms whose values are loaded before the first is used

// Adds terms to the sums of a lane, in their order: those that are stored wherever the tile asks, or any.
template <u32 count>
QUANTIPLAN_DEVICE void add_inside(const Term* terms, i32 own, Held& mine) {
  double stored[count][kOwn];
  QUANTIPLAN_UNROLL()
  for (u32 k = 0; k < count; ++k) {
    QUANTIPLAN_UNROLL()
    for (u32 r = 0; r < kOwn; ++r) stored[k][r] = fixed(terms[k].at + own + 32 * r);
  }
  QUANTIPLAN_UNROLL()
  for (u32 k = 0; k < count; ++k) {
    QUANTIPLAN_UNROLL()
    for (u32 r = 0; r < kOwn; ++r) mine.sum[r] += terms[k].probability * stored[k][r];
  }
}
template <u32 count>
QUANTIPLAN_DEVICE void add_terms(const Term* terms, i32 own, Held& mine) {
  double stored[count][kOwn];
  QUANTIPLAN_UNROLL()
  for (u32 k = 0; k < count; ++k) {
    QUANTIPLAN_UNROLL()
    for (u32 r = 0; r < kOwn; ++r) {
      const i32 i = own + static_cast<i32>(32 * r);
      const i32 least = i < terms[k].lo ? terms[k].lo : i;
      stored[k][r] = fixed(terms[k].at + (least < terms[k].last ? least : terms[k].last));
    }
  }
  QUANTIPLAN_UNROLL()
  for (u32 k = 0; k < count; ++k) {
    const double below = terms[k].below;
    const double above = terms[k].above;
    QUANTIPLAN_UNROLL()
    for (u32 r = 0; r < kOwn; ++r) {
      const i32 i = own + static_cast<i32>(32 * r);
      const double value = i < terms[k].lo ? below : i < terms[k].hi ? stored[k][r] : above;
      mine.sum[r] += terms[k].probability * value;
    }
  }
}

// Adds terms k to stop of a batch of 32 to a lane's sums; `all_inside`: each is stored wherever the tile asks.
QUANTIPLAN_DEVICE void add_batch(
    const Term* batch, u32 k, u32 stop, bool all_inside, i32 own, Held& mine) {
  u32 j = k;
  if (all_inside) {
    for (; j + kAtOnce <= stop; j += kAtOnce) add_inside<kAtOnce>(batch + j % 32, own, mine);
    for (; j < stop; ++j) add_inside<1>(batch + j % 32, own, mine);
  } else {
    for (; j + kAtOnce <= stop; j += kAtOnce) add_terms<kAtOnce>(batch + j % 32, own, mine);
    for (; j < stop; ++j) add_terms<1>(batch + j % 32, own, mine);
  }
}

// A choice whose sums are complete: the best and the runner-up so far; of equals the first stays.
QUANTIPLAN_DEVICE void keep_better(u32 mark, Held& mine) {
  QUANTIPLAN_UNROLL()
  for (u32 r = 0; r < kOwn; ++r) {
    const double value = mine.sum[r];
    const bool better = value > mine.best[r];
    const double loser = better ? mine.best[r] : value;
    mine.second[r] = mine.second[r] < loser ? loser : mine.second[r];
    mine.best[r] = better ? value : mine.best[r];
    mine.chosen[r] = better ? mark : mine.chosen[r];
  }
}

// A lane's residuals of one function, into the layer.
QUANTIPLAN_DEVICE void put_held(const BackUp& in, const Task& task, i32 own, const Held& mine) {
  QUANTIPLAN_UNROLL()
  for (u32 r = 0; r < kOwn; ++r) {
    const i32 i = own + static_cast<i32>(32 * r);
    if (static_cast<u32>(i) >= task.width) continue;
    const double best = mine.best[r];
    put_passing(in.values + task.begin + static_cast<u32>(i), best);
    if (in.what == nullptr) continue;
    const bool is_open =
        in.asks_contested != 0 && (mine.second[r] >= best * in.factor || best < 1e-290);
    put_passing(in.what + task.begin + static_cast<u32>(i),
                2 * mine.chosen[r] + (is_open ? 1U : 0U));
  }
}

QUANTIPLAN_DEVICE void begin_function(double none, Held& mine) {
  QUANTIPLAN_UNROLL()
  for (u32 r = 0; r < kOwn; ++r) {
    mine.best[r] = none;
    mine.second[r] = none;
    mine.chosen[r] = 0;
  }
}

QUANTIPLAN_DEVICE void begin_choice(Held& mine) {
  QUANTIPLAN_UNROLL()
  for (u32 r = 0; r < kOwn; ++r) mine.sum[r] = 0;
}

QUANTIPLAN_KERNEL(back_up, BackUp) {
  if (warp >= in.warps) return;
  const u32 position = in.tile_begin != nullptr ? position_of(in.tile_begin, in.count, warp)
                                                : static_cast<u32>(warp % in.count);
  const Task task = in.tasks[position];
  const u64 begin =
      (in.tile_begin != nullptr ? warp - in.tile_begin[position] : warp / in.count) * kTile;
  if (task.choices == 0 || begin >= task.width) return;
  const auto first = static_cast<i32>(begin);
  QUANTIPLAN_SHARED(Term, batch, 32);
  QUANTIPLAN_SHARED(u32, ends, 32);
  QUANTIPLAN_SHARED(u32, marks, 32);
  Held held[QUANTIPLAN_LANES_HELD];
  QUANTIPLAN_LANES(lane) { begin_function(in.none, held[QUANTIPLAN_MINE(lane)]); }
  u32 k = 0;
  u32 inside = 0;  // which terms of the batch are stored wherever the tile asks
  for (u32 n = 0; n < task.choices; ++n) {
    if (n % 32 == 0) {
      QUANTIPLAN_MEET;
      QUANTIPLAN_LANES(lane) {
        if (n + lane < task.choices) {
          ends[lane] = in.ends[task.choice + n + lane];
          marks[lane] = in.marks[task.choice + n + lane];
        }
      }
      QUANTIPLAN_MEET;
    }
    QUANTIPLAN_LANES(lane) { begin_choice(held[QUANTIPLAN_MINE(lane)]); }
    const u32 end = ends[n % 32];
    while (k < end) {
      if (k % 32 == 0) {
        // The last batch may reach beyond this function: its terms are there, and not looked at.
        QUANTIPLAN_MEET;
        QUANTIPLAN_LANES(lane) { batch[lane] = passing(in.terms + task.terms + k + lane); }
        QUANTIPLAN_MEET;
        inside = votes([&](u32 lane) {
          return batch[lane].lo <= first && first + static_cast<i32>(kTile) <= batch[lane].hi;
        });
      }
      const u32 stop = k / 32 * 32 + 32 < end ? k / 32 * 32 + 32 : end;
      const u32 asked = (~0U << k % 32) & (~0U >> (31 - (stop - 1) % 32));
      QUANTIPLAN_LANES(lane) {
        add_batch(batch,
                  k,
                  stop,
                  (inside & asked) == asked,
                  first + static_cast<i32>(lane),
                  held[QUANTIPLAN_MINE(lane)]);
      }
      k = stop;
    }
    QUANTIPLAN_LANES(lane) { keep_better(marks[n % 32], held[QUANTIPLAN_MINE(lane)]); }
  }
  QUANTIPLAN_LANES(lane) {
    put_held(in, task, first + static_cast<i32>(lane), held[QUANTIPLAN_MINE(lane)]);
  }
}

}  // namespace quantiplan::device
