// The kernels that go over the entries of a layer: backing it up, coding its decisions, making it coarser.
//
// See kernels.hpp for what a kernel is. A warp that backs up has `kTile` residuals of one function, four a lane, and
// goes through the terms of all choices, 32 at a time. Tile after tile, all functions before the next tile, the values
// that are read stay in the second-level cache; function after function, terms are what is read again.
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
  QUANTIPLAN_LANES(lane) {
    QUANTIPLAN_UNROLL()
    for (u32 r = 0; r < kOwn; ++r) {
      held[QUANTIPLAN_MINE(lane)].best[r] = in.none;
      held[QUANTIPLAN_MINE(lane)].second[r] = in.none;
      held[QUANTIPLAN_MINE(lane)].chosen[r] = 0;
    }
  }
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
    QUANTIPLAN_LANES(lane) {
      QUANTIPLAN_UNROLL()
      for (u32 r = 0; r < kOwn; ++r) held[QUANTIPLAN_MINE(lane)].sum[r] = 0;
    }
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
        Held& mine = held[QUANTIPLAN_MINE(lane)];
        const i32 own = first + static_cast<i32>(lane);
        u32 j = k;
        if ((inside & asked) == asked) {
          for (; j + kAtOnce <= stop; j += kAtOnce) add_inside<kAtOnce>(batch + j % 32, own, mine);
          for (; j < stop; ++j) add_inside<1>(batch + j % 32, own, mine);
        } else {
          for (; j + kAtOnce <= stop; j += kAtOnce) add_terms<kAtOnce>(batch + j % 32, own, mine);
          for (; j < stop; ++j) add_terms<1>(batch + j % 32, own, mine);
        }
      }
      k = stop;
    }
    QUANTIPLAN_LANES(lane) {
      Held& mine = held[QUANTIPLAN_MINE(lane)];
      QUANTIPLAN_UNROLL()
      for (u32 r = 0; r < kOwn; ++r) {
        const double value = mine.sum[r];
        const bool better = value > mine.best[r];
        const double loser = better ? mine.best[r] : value;
        mine.second[r] = mine.second[r] < loser ? loser : mine.second[r];
        mine.best[r] = better ? value : mine.best[r];
        mine.chosen[r] = better ? marks[n % 32] : mine.chosen[r];
      }
    }
  }
  QUANTIPLAN_LANES(lane) {
    const Held& mine = held[QUANTIPLAN_MINE(lane)];
    QUANTIPLAN_UNROLL()
    for (u32 r = 0; r < kOwn; ++r) {
      const i32 i = first + static_cast<i32>(lane + 32 * r);
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
}

// ---- pieces: `kPiece` entries of one function

struct Pieces {
  const u64* begin;  // by slot: the pieces before it; one more than slots
  u32 slots;
  u64 count;
};

// Where a warp's piece lies.
struct Piece {
  u32 slot;
  i64 first;
  i64 end;
};

QUANTIPLAN_DEVICE Piece piece_of(const Pieces& pieces, const Function* functions, u64 warp) {
  const u32 slot = position_of(pieces.begin, pieces.slots, warp);
  const auto first = static_cast<i64>((warp - pieces.begin[slot]) * kPiece);
  const i64 width = functions[slot].width;
  return {slot, first, first + kPiece < width ? first + kPiece : width};
}

struct CountRuns {
  u64 first_warp;
  Pieces pieces;
  const Function* functions;
  const u32* what;
  u32* counts;  // by piece: the runs that end in it
};

// True if a run ends at entry i of a function.
QUANTIPLAN_DEVICE bool ends_run(const u32* what, i64 i, i64 width) {
  return i + 1 == width || what[i] != what[i + 1];
}

QUANTIPLAN_KERNEL(count_runs, CountRuns) {
  if (warp >= in.pieces.count) return;
  const Piece piece = piece_of(in.pieces, in.functions, warp);
  const Function function = in.functions[piece.slot];
  const u32* what = in.what + function.begin;
  u32 count = 0;
  for (i64 at = piece.first; at < piece.end; at += 32) {
    count += ones_of(votes([&](u32 lane) {
      return at + lane < piece.end && ends_run(what, at + lane, function.width);
    }));
  }
  QUANTIPLAN_LANES(lane) {
    if (lane == 0) in.counts[warp] = count;
  }
}

struct WriteRuns {
  u64 first_warp;
  Pieces pieces;
  const Function* functions;
  const u32* what;
  const u64* begin;  // by piece: the runs before it
  i64* run_upto;
  u32* run_what;
};

QUANTIPLAN_KERNEL(write_runs, WriteRuns) {
  if (warp >= in.pieces.count) return;
  const Piece piece = piece_of(in.pieces, in.functions, warp);
  const Function function = in.functions[piece.slot];
  const u32* what = in.what + function.begin;
  u64 written = in.begin[warp];
  for (i64 at = piece.first; at < piece.end; at += 32) {
    const u32 ends = votes([&](u32 lane) {
      return at + lane < piece.end && ends_run(what, at + lane, function.width);
    });
    QUANTIPLAN_LANES(lane) {
      if ((ends >> lane & 1U) != 0) {
        const u64 place = written + ones_of(ends & ((1U << lane) - 1));
        in.run_upto[place] = function.from + 1 + at + lane;
        in.run_what[place] = what[at + lane];
      }
    }
    written += ones_of(ends);
  }
}

struct SpellOut {
  u64 first_warp;
  Pieces pieces;
  const Function* functions;
  const u64* step_begin;  // by slot; one more than slots
  const i64* step_upto;
  const double* step_value;
  double* values;
};

// Functions given by breakpoints.
QUANTIPLAN_KERNEL(spell_out, SpellOut) {
  if (warp >= in.pieces.count) return;
  const Piece piece = piece_of(in.pieces, in.functions, warp);
  const Function function = in.functions[piece.slot];
  QUANTIPLAN_LANES(lane) {
    for (i64 i = piece.first + lane; i < piece.end; i += 32) {
      const i64 residual = function.from + 1 + i;
      u64 low = in.step_begin[piece.slot];
      for (u64 high = in.step_begin[piece.slot + 1]; low < high;) {
        const u64 middle = low + (high - low) / 2;
        if (in.step_upto[middle] < residual) {
          low = middle + 1;
        } else {
          high = middle;
        }
      }
      in.values[function.begin + static_cast<u64>(i)] = in.step_value[low];
    }
  }
}

struct Coarsen {
  u64 first_warp;
  Pieces pieces;  // of the coarse functions
  const Function* fine;
  const Function* coarse;
  u32 shift;
  const double* from;
  double* to;
};

// Keeps every 2^shift-th level.
QUANTIPLAN_KERNEL(coarsen, Coarsen) {
  if (warp >= in.pieces.count) return;
  const Piece piece = piece_of(in.pieces, in.coarse, warp);
  const Function fine = in.fine[piece.slot];
  const Function coarse = in.coarse[piece.slot];
  QUANTIPLAN_LANES(lane) {
    for (i64 i = piece.first + lane; i < piece.end; i += 32) {
      const i64 residual = (coarse.from + 1 + i) * (i64{1} << in.shift);
      in.to[coarse.begin + static_cast<u64>(i)] =
          in.from[fine.begin + static_cast<u64>(residual - fine.from - 1)];
    }
  }
}

struct CountSteps {
  u64 first_warp;
  Pieces pieces;
  const Function* functions;
  const double* values;
  u32* counts;  // by piece: entries that are the first, or differ from the one before
};

QUANTIPLAN_KERNEL(count_steps, CountSteps) {
  if (warp >= in.pieces.count) return;
  const Piece piece = piece_of(in.pieces, in.functions, warp);
  const double* values = in.values + in.functions[piece.slot].begin;
  u32 count = 0;
  for (i64 at = piece.first; at < piece.end; at += 32) {
    count += ones_of(votes([&](u32 lane) {
      const i64 i = at + lane;
      return i < piece.end && (i == 0 || values[i] != values[i - 1]);
    }));
  }
  QUANTIPLAN_LANES(lane) {
    if (lane == 0) in.counts[warp] = count;
  }
}

// ---- the ends of functions

// Entries before `first` are within `drop` of 1, those from `last` on of 0; and values there.
struct Ends {
  i64 first;
  i64 last;
  double front;
  double before_first;
  double at_last;
};

struct FindEnds {
  u64 first_warp;
  const Function* functions;
  u32 slots;
  const double* values;
  double drop;
  Ends* ends;
};

// The first entry from `first` on that is less than `bound`, or `end`; values do not increase.
QUANTIPLAN_DEVICE i64 first_below(const double* values, i64 first, i64 end, double bound) {
  while (first < end) {
    const i64 middle = first + (end - first) / 2;
    if (values[middle] >= bound) {
      first = middle + 1;
    } else {
      end = middle;
    }
  }
  return first;
}

// A lane for each slot. At least one entry stays.
QUANTIPLAN_KERNEL(find_ends, FindEnds) {
  QUANTIPLAN_LANES(lane) {
    const u64 slot = warp * 32 + lane;
    if (slot < in.slots && in.functions[slot].width > 0) {
      const i64 width = in.functions[slot].width;
      const double* values = in.values + in.functions[slot].begin;
      const i64 first = first_below(values, 0, width - 1, 1 - in.drop);
      const i64 last = first_below(values, first + 1, width, in.drop);
      in.ends[slot] = {first,
                       last,
                       values[0],
                       first > 0 ? values[first - 1] : 0,
                       last < width ? values[last] : 0};
    }
  }
}

}  // namespace quantiplan::device
