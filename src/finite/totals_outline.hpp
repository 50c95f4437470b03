// The totals of all episodes and what a dense solve would hold, without laying anything out.
//
//     forward    which states are met at each time: the rewards met, and until when
//     backward   the windows of a time from those of the next (windows.hpp)
//
// Two times are held at once, and for each state the first and the last time it is met; a state is
// taken to be met in between, so that the bytes are an estimate from above. Needs: a plain setting
// of finite horizon. Cost: O(T * outcomes), O(states) memory.
#pragma once

#include <cstdint>
#include <optional>

#include "base/work_watch.hpp"
#include "quantiplan/model.hpp"
#include "quantiplan/query.hpp"

namespace quantiplan {

struct TotalsOutline {
  Rational unit;  // every total is an integer multiple of it
  Rational least;
  Rational greatest;
  std::uint64_t dense_bytes = 0;
};

// Nullopt if totals have no common unit whose multiples fit 64-bit integers. Throws Error(refused)
// at a limit.
std::optional<TotalsOutline> outline_totals(const Model& model,
                                            const ResolvedSetting& setting,
                                            WorkWatch& watch);

}  // namespace quantiplan
