// The kernels that go over the entries of a layer once it is backed up (backup_kernel.hpp): coding its decisions,
// spelling out its steps, making it coarser, finding its ends.
//
// See kernels.hpp for what a kernel is. A warp has a piece of `kPiece` entries of one function.
#pragma once

#include "device/kernels.hpp"

namespace quantiplan::device {

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
