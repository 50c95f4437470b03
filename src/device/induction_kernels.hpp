// The inductions that go before a pass: windows and expected rewards, a lane for each slot.
//
//     sure = max_a min_o ( R + sure' ), ..        E = max_a sum p ( R + E' )
//
// As windows.cpp and expectation.cpp have them, in the same order of operations. No choice shares a row.
#pragma once

#include "device/kernels.hpp"

namespace quantiplan::device {

struct SlotWindow {
  i64 sure;
  i64 possible;
  i64 least;
  u32 sure_choice;
  u32 unused;
};

struct FindWindows {
  u64 first_warp;
  ModelArrays model;
  u32 slots;
  const u32* state_of_slot;
  const u32* slot_of_state;  // of the next time
  const i64* key;            // by position of a reward
  u32 shift;                 // from steps of the next time to those of this one
  const SlotWindow* later;
  SlotWindow* now;
};

QUANTIPLAN_DEVICE SlotWindow window_of_state(const FindWindows& in, u32 state) {
  constexpr i64 kHighest = 0x7FFFFFFFFFFFFFFFLL;
  constexpr i64 kLowest = -kHighest - 1;
  const u32 first = in.model.choice_begin[state];
  const u32 last = in.model.choice_begin[state + 1];
  if (first == last) return {0, 0, 0, 0, 0};
  SlotWindow best{kLowest, kLowest, kHighest, 0, 0};
  for (u32 c = first; c < last; ++c) {
    i64 sure = kHighest;
    i64 possible = kLowest;
    i64 least = kHighest;
    for (u64 k = in.model.outcome_begin[c]; k < in.model.outcome_begin[c + 1]; ++k) {
      const ModelOutcome o = in.model.outcomes[k];
      const SlotWindow w = in.later[in.slot_of_state[o.next]];
      const i64 reward = in.key[o.reward];
      sure = clamped(reward + (w.sure >> in.shift), kLowest, sure);
      possible = clamped(reward + (w.possible >> in.shift), possible, kHighest);
      least = clamped(reward + (w.least >> in.shift), kLowest, least);
    }
    best.possible = best.possible < possible ? possible : best.possible;
    best.least = least < best.least ? least : best.least;
    if (sure > best.sure) {
      best.sure = sure;
      best.sure_choice = c;
    }
  }
  return best;
}

QUANTIPLAN_KERNEL(find_windows, FindWindows) {
  QUANTIPLAN_LANES(lane) {
    const u64 slot = warp * 32 + lane;
    if (slot < in.slots) in.now[slot] = window_of_state(in, in.state_of_slot[slot]);
  }
}

struct FindMeans {
  u64 first_warp;
  ModelArrays model;
  u32 slots;
  const u32* state_of_slot;
  const u32* slot_of_state;
  const double* reward;  // by position
  double scale;          // from steps of the next time to those of this one
  double rounding;       // of a backup, for a greatest term of 1
  const double* later;   // by slot of the next time
  double* of_choice;     // by choice
  double* value;         // by slot
  u32* choice;           // by slot
};

// The greatest value, and the first choice that is as good but for rounding.
QUANTIPLAN_KERNEL(find_means, FindMeans) {
  QUANTIPLAN_LANES(lane) {
    const u64 slot = warp * 32 + lane;
    if (slot < in.slots) {
      const u32 state = in.state_of_slot[slot];
      const u32 first = in.model.choice_begin[state];
      const u32 last = in.model.choice_begin[state + 1];
      double greatest = 0;
      double greatest_term = 0;
      for (u32 c = first; c < last; ++c) {
        double sum = 0;
        for (u64 k = in.model.outcome_begin[c]; k < in.model.outcome_begin[c + 1]; ++k) {
          const ModelOutcome o = in.model.outcomes[k];
          const double term = in.reward[o.reward] + in.later[in.slot_of_state[o.next]] * in.scale;
          const double magnitude = term < 0 ? -term : term;
          greatest_term = greatest_term < magnitude ? magnitude : greatest_term;
          sum += o.probability * term;
        }
        in.of_choice[c] = sum;
        if (c == first || greatest < sum) greatest = sum;
      }
      u32 chosen = first;
      while (chosen + 1 < last && !(in.of_choice[chosen] + in.rounding * greatest_term >= greatest))
        ++chosen;
      in.value[slot] = greatest;
      in.choice[slot] = first < last ? chosen : 0;
    }
  }
}

}  // namespace quantiplan::device
