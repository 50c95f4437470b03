// Lines that several text reports share.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "quantiplan/answer.hpp"
#include "quantiplan/report.hpp"

namespace quantiplan {

// "commute: 3 states, 3 choices, 5 outcomes; horizon 3, discount 1, from 'home'", and "to 2 goal
// states", "; costs" and "; adversarial" where that is so.
std::string model_line(const ModelFacts& facts);
// "'home'", or of several, the first of them named, "'home' (1/2) or 'office' (1/2)".
std::string initial_figure(const InitialNames& initial);
// "3", or "infinite".
std::string horizon_figure(std::uint64_t horizon);
// "Engine: ...", "Why: ..." and "Work: ...".
std::string work_lines(const EngineReport& engine, const Work& work);
// The verdict on a result, and what it rests on; `width` is that of a line.
std::string check_lines(const CheckReport& report, const ModelFacts& facts, std::size_t width);
// Checkers speak of W; where rewards are costs, that it is minus the cost. Else empty.
std::string_view findings_note(const ModelFacts& facts);
// Every line of `text` moved to the right.
std::string indented(std::string_view text, std::string_view by = "  ");

// Calls `tell` for one result after the other until the time is up: how many it was called for. So
// many as take no time to mention are told in any case.
template <class Results, class Tell>
std::size_t told_in_time(const Results& results, const ReportOptions& options, const Tell& tell) {
  constexpr std::size_t kAlways = 1000;
  std::size_t told = 0;
  for (const auto& result : results) {
    if (told >= kAlways && options.is_over && options.is_over()) break;
    tell(result);
    ++told;
  }
  return told;
}
// Of so many results in all, so many have a row, and so many of those a paragraph; empty if all do.
std::string left_out_line(std::size_t all, std::size_t rows, std::size_t paragraphs);

// After "... 12 more".
inline constexpr std::string_view kMoreHint = " (use --all or --json)";
// Sentences are wrapped at this width.
constexpr std::size_t kLineWidth = 100;
// `head` and `sentence` on lines of at most `width` bytes where words allow; the sentence stays in a
// column of its own.
std::string wrapped(std::string_view head, std::string_view sentence, std::size_t width);

}  // namespace quantiplan
