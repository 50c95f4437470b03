// The kernels of a device: what one warp does, in text that a device's compiler and a C++ compiler both read.
//
//     value[i] = max over choices of  sum over terms of  p * ( below | at[i] | above ),   what[i] = who, and how clearly
//
// A kernel is a function of a warp's number (lanes.hpp). Compiled as C++ the same arithmetic gives the same bits as the
// host's kernels: terms are added in their order, products are rounded before they are added (--fmad=false).
// Needs: arrays as device_plan.hpp lays them out. Floor: one load of 8 bytes for each term and residual.
#pragma once

#include "device/lanes.hpp"

namespace quantiplan::device {

constexpr u32 kNobody = 0xFFFFFFFFU;
constexpr u32 kTile = 128;    // residuals of a warp that backs up
constexpr u32 kPiece = 1024;  // entries of a warp that goes over a layer

// ---- arrays

struct ModelOutcome {
  double probability;
  u32 next;
  u32 reward;  // position in the keys of a time
};

// The choices of a state, the outcomes of a choice; which mixture a choice shares, if any.
struct ModelArrays {
  const u32* choice_begin;
  const u64* outcome_begin;
  const ModelOutcome* outcomes;
  const u32* row_of_choice;  // null: none shares any
};

// A function on a layer: entry i is residual from + 1 + i; constants on either side.
struct Function {
  i64 from;
  i64 width;
  u64 begin;  // of its entries
  double below;
  double above;
};

// A mixture that choices share, as a function of residuals of the next time.
struct SharedMix {
  Function function;
  u64 terms;
  u32 example;  // a choice that has it
  u32 is_used;
};

// D of one outcome, seen from a function of this time: entry i is below for i < lo, at[i] for i < hi, above beyond.
// Whatever i is, at[i] may be read once i is put between lo and last, so that no load waits for a comparison.
struct alignas(16) Term {
  double probability;
  const double* at;
  i32 lo;
  i32 hi;
  double below;
  double above;
  i32 last;
  i32 unused;
};

// What a warp needs to know to back a function up.
struct Task {
  i64 from;
  u64 begin;   // of its entries
  u64 terms;   // its first term
  u64 choice;  // its first choice, in `ends` and `marks`
  u32 width;
  u32 choices;
};

// Read once and not again soon: it should not displace what is read often.
QUANTIPLAN_DEVICE Term passing(const Term* at) {
#ifdef __CUDACC_RTC__
  const double2* parts = reinterpret_cast<const double2*>(at);
  const double2 a = __ldcs(parts);
  const double2 b = __ldcs(parts + 1);
  const double2 c = __ldcs(parts + 2);
  const i64 range = __double_as_longlong(b.x);
  const i64 rest = __double_as_longlong(c.y);
  return {a.x,
          reinterpret_cast<const double*>(__double_as_longlong(a.y)),
          static_cast<i32>(range),
          static_cast<i32>(range >> 32),
          b.y,
          c.x,
          static_cast<i32>(rest),
          static_cast<i32>(rest >> 32)};
#else
  return *at;
#endif
}

// ---- the order of choices

struct ValueChoices {
  u64 first_warp;
  ModelArrays model;
  u32 slots;
  const u32* state_of_slot;
  const u32* slot_of_state;  // of the next time
  const double* reward;      // by position: the reward in steps of the time
  const double* later;       // by slot of the next time, in steps of this one
  const double* of_row;      // by row
  double* value;             // by choice
};

// A warp for each slot: the expected remaining reward of each of its choices.
QUANTIPLAN_KERNEL(value_choices, ValueChoices) {
  if (warp >= in.slots) return;
  const u32 state = in.state_of_slot[warp];
  const u32 first = in.model.choice_begin[state];
  const u32 last = in.model.choice_begin[state + 1];
  QUANTIPLAN_LANES(lane) {
    for (u32 c = first + lane; c < last; c += 32) {
      const u64 begin = in.model.outcome_begin[c];
      const u32 row = in.model.row_of_choice != nullptr ? in.model.row_of_choice[c] : kNobody;
      if (row != kNobody) {
        in.value[c] = in.reward[in.model.outcomes[begin].reward] + in.of_row[row];
        continue;
      }
      double sum = 0;
      for (u64 k = begin; k < in.model.outcome_begin[c + 1]; ++k) {
        const ModelOutcome o = in.model.outcomes[k];
        sum += o.probability * (in.reward[o.reward] + in.later[in.slot_of_state[o.next]]);
      }
      in.value[c] = sum;
    }
  }
}

struct RankChoices {
  u64 first_warp;
  ModelArrays model;
  u32 slots;
  const u32* state_of_slot;
  const double* value;           // null: the order of the model
  const u32* only;               // by slot: the one choice that is open; null: all are
  const unsigned char* allowed;  // by choice; null: all are
  u32* ranked;                   // by choice: those that are open, the greatest value first
  u32* open;                     // by slot: how many
};

QUANTIPLAN_DEVICE bool is_open_choice(const RankChoices& in, u64 slot, u32 c) {
  if (in.allowed != nullptr) return in.allowed[c] != 0;
  return in.only == nullptr || in.only[slot] == c;
}

// A warp for each slot; equals in the order of the model.
QUANTIPLAN_KERNEL(rank_choices, RankChoices) {
  if (warp >= in.slots) return;
  const u32 state = in.state_of_slot[warp];
  const u32 first = in.model.choice_begin[state];
  const u32 last = in.model.choice_begin[state + 1];
  QUANTIPLAN_LANES(lane) {
    for (u32 c = first + lane; c < last; c += 32) {
      if (!is_open_choice(in, warp, c)) continue;
      u32 rank = 0;
      for (u32 other = first; other < last; ++other) {
        if (other == c || !is_open_choice(in, warp, other)) continue;
        const double mine = in.value != nullptr ? in.value[c] : 0;
        const double its = in.value != nullptr ? in.value[other] : 0;
        if (its > mine || (its == mine && other < c)) ++rank;
      }
      in.ranked[first + rank] = c;
    }
    if (lane == 0) {
      u32 open = 0;
      for (u32 c = first; c < last; ++c) open += is_open_choice(in, warp, c) ? 1U : 0U;
      in.open[warp] = open;
    }
  }
}

// ---- terms

struct SpreadTerms {
  u64 first_warp;
  ModelArrays model;
  u32 slots;
  const u32* state_of_slot;
  const u32* slot_of_state;  // of the next time
  const i64* key;            // by position of a reward, at this time
  const Function* later;     // by slot of the next time
  const double* values;      // of the next time
  const Function* now;       // by slot
  const SharedMix* mixes;    // by row; null: none
  const double* mixed;       // their values
  const u32* ranked;
  const u32* open;
  Term* terms;  // by outcome, those of a state one choice after another
  u32* ends;    // by choice: where the terms of its choice in the order end, from the state's first
  u32* marks;   // by choice: what stands for it
  Task* tasks;  // by slot
};

QUANTIPLAN_DEVICE Term term_of(
    double probability, const Function& of, const double* values, i64 from, i64 reward, i64 width) {
  const i64 shift = from - reward - of.from;
  const i64 lo = clamped(-shift, 0, width);
  const i64 hi = clamped(of.width - shift, lo, width);
  // An address is a number here: the first entry may lie outside the array. Where nothing is stored, or nothing of it is
  // asked for, entry lo is the array's first.
  const u64 offset = lo < hi ? of.begin + static_cast<u64>(shift) : static_cast<u64>(-lo);
  return {probability,
          reinterpret_cast<const double*>(reinterpret_cast<u64>(values) + 8 * offset),
          static_cast<i32>(lo),
          static_cast<i32>(hi),
          of.below,
          of.above,
          static_cast<i32>(lo < hi ? hi - 1 : lo),
          0};
}

// A warp for each slot.
QUANTIPLAN_KERNEL(spread_terms, SpreadTerms) {
  if (warp >= in.slots) return;
  const u32 state = in.state_of_slot[warp];
  const u32 first = in.model.choice_begin[state];
  const Function function = in.now[warp];
  const u64 base = in.model.outcome_begin[first];
  const u32 open = function.width > 0 ? in.open[warp] : 0;
  QUANTIPLAN_LANES(lane) {
    if (lane == 0)
      in.tasks[warp] = {
          function.from, function.begin, base, first, static_cast<u32>(function.width), open};
    u32 used = 0;
    for (u32 n = 0; n < open; ++n) {
      const u32 c = in.ranked[first + n];
      const u64 begin = in.model.outcome_begin[c];
      const auto count = static_cast<u32>(in.model.outcome_begin[c + 1] - begin);
      const u32 row = in.mixes != nullptr ? in.model.row_of_choice[c] : kNobody;
      if (row != kNobody && in.mixes[row].is_used != 0) {
        if (lane == 0) {
          const i64 reward = in.key[in.model.outcomes[begin].reward];
          in.terms[base + used] =
              term_of(1.0, in.mixes[row].function, in.mixed, function.from, reward, function.width);
        }
        ++used;
      } else {
        for (u32 k = lane; k < count; k += 32) {
          const ModelOutcome o = in.model.outcomes[begin + k];
          in.terms[base + used + k] = term_of(o.probability,
                                              in.later[in.slot_of_state[o.next]],
                                              in.values,
                                              function.from,
                                              in.key[o.reward],
                                              function.width);
        }
        used += count;
      }
      if (lane == 0) {
        in.ends[first + n] = used;
        in.marks[first + n] = c - first;
      }
    }
  }
}

struct SpreadMixes {
  u64 first_warp;
  ModelArrays model;
  u32 rows;
  const u32* slot_of_state;
  const Function* later;
  const double* values;
  SharedMix* mixes;  // by row: the constants are found here
  Term* terms;
  u32* ends;    // by row
  u32* marks;   // by row
  Task* tasks;  // by row
};

// A warp for each row: a function of one choice without a reward.
QUANTIPLAN_KERNEL(spread_mixes, SpreadMixes) {
  if (warp >= in.rows) return;
  const SharedMix mix = in.mixes[warp];
  const u64 begin = in.model.outcome_begin[mix.example];
  const auto count =
      mix.is_used != 0 ? static_cast<u32>(in.model.outcome_begin[mix.example + 1] - begin) : 0U;
  QUANTIPLAN_LANES(lane) {
    for (u32 k = lane; k < count; k += 32) {
      const ModelOutcome o = in.model.outcomes[begin + k];
      in.terms[mix.terms + k] = term_of(o.probability,
                                        in.later[in.slot_of_state[o.next]],
                                        in.values,
                                        mix.function.from,
                                        0,
                                        mix.function.width);
    }
    if (lane == 0) {
      double below = 0;
      double above = 0;
      for (u32 k = 0; k < count; ++k) {
        const ModelOutcome o = in.model.outcomes[begin + k];
        const Function& function = in.later[in.slot_of_state[o.next]];
        below += o.probability * function.below;
        above += o.probability * function.above;
      }
      in.mixes[warp].function.below = below;
      in.mixes[warp].function.above = above;
      in.ends[warp] = count;
      in.marks[warp] = 0;
      in.tasks[warp] = {mix.function.from,
                        mix.function.begin,
                        mix.terms,
                        warp,
                        count > 0 ? static_cast<u32>(mix.function.width) : 0U,
                        count > 0 ? 1U : 0U};
    }
  }
}

}  // namespace quantiplan::device
