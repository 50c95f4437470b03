// Lines that several text reports share.
#pragma once

#include <string>
#include <string_view>

#include "quantiplan/answer.hpp"

namespace quantiplan {

// "commute: 3 states, 3 choices, 5 outcomes; horizon 3, discount 1, from 'home'"
std::string model_line(const ModelFacts& facts);
// "Engine: ...", "Why: ..." and "Work: ...".
std::string work_lines(const EngineReport& engine, const Work& work);
// Every line of `text` moved to the right.
std::string indented(std::string_view text, std::string_view by = "  ");

// After "... 12 more".
inline constexpr std::string_view kMoreHint = " (use --all or --json)";

}  // namespace quantiplan
