// Wealth that is no sum, as a page carries it: its states in whole numbers, to be walked without knowing
// what they mean.
//
//     texts[w]       the wealth so far; 0 is that of the empty history
//     steps[w]       [reward, next wealth, ..]: rewards by their positions on the page
//     class_of[w]    of a final wealth, from 0, the worst
//     classes[c]     as the quantile of a point names it
//     rewards[r]     what to call a reward that is no number; empty where all are
//
// Those that can be met in the states that are shown, whatever is done.
#pragma once

#include <cstddef>
#include <optional>
#include <string>

#include "page/page_model.hpp"
#include "quantiplan/model.hpp"
#include "quantiplan/query.hpp"

namespace quantiplan {

// Nullopt where they are too many.
std::optional<std::string> wealth_json(const Model& model,
                                       const ResolvedSetting& setting,
                                       const PageModel& shown,
                                       std::size_t most_bytes);

}  // namespace quantiplan
