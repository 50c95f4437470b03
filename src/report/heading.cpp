#include "report/heading.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "base/quoted.hpp"
#include "report/figures.hpp"

namespace quantiplan {

std::string model_line(const ModelFacts& facts) {
  std::string line = facts.name.empty() ? "model" : in_quotes(facts.name);
  line += fmt::format(": {}, {}, {}",
                      count_figure(facts.states, "state", "states"),
                      count_figure(facts.choices, "choice", "choices"),
                      count_figure(facts.outcomes, "outcome", "outcomes"));
  line += fmt::format("; horizon {}, discount {}, from {}",
                      horizon_figure(facts.horizon),
                      wealth_figure(facts.discount),
                      initial_figure(facts.initial));
  if (facts.goal_states > 0)
    line += " to " + count_figure(facts.goal_states, "goal state", "goal states");
  if (facts.cost) line += "; costs";
  if (facts.wealth != WealthKind::sum) line += "; wealth by " + std::string(to_text(facts.wealth));
  if (facts.adversarial) line += "; adversarial";
  return line + '\n';
}

std::string initial_figure(const InitialNames& initial) {
  const auto& drawn = initial.drawn;
  if (drawn.size() == 1) return in_quotes(drawn.front().first);
  constexpr std::size_t kMost = 4;
  const bool all = drawn.size() <= kMost;
  const std::size_t named = all ? drawn.size() : kMost - 1;
  std::string text;
  for (std::size_t i = 0; i < named; ++i) {
    if (i > 0) text += all && i + 1 == named ? " or " : ", ";
    text += in_quotes(drawn[i].first) + " (" + wealth_figure(drawn[i].second) + ")";
  }
  return all ? text : text + fmt::format(" or one of {} more", drawn.size() - named);
}

std::string horizon_figure(std::uint64_t horizon) {
  return horizon == kInfiniteHorizon ? "infinite" : fmt::format("{}", horizon);
}

std::string work_lines(const EngineReport& engine, const Work& work) {
  std::string lines;
  if (!engine.used.empty())
    lines += fmt::format("Engine: {}, for --engine {}\n", engine.used, engine.given);
  if (!engine.why.empty()) lines += wrapped("Why: ", engine.why, kLineWidth);
  if (const auto& reduction = engine.reduction) {
    lines += fmt::format("Reduced: {}, solved as {} ({})\n",
                         count_figure(reduction->states, "state", "states"),
                         reduction->solved_as,
                         reduction->by);
  }
  if (!engine.left_out.empty()) lines += wrapped("Left out: ", engine.left_out, kLineWidth);
  const std::string levels =
      work.levels > 0 ? ", " + count_figure(work.levels, "level", "levels") : std::string();
  if (work.triples > 0) {
    return lines + fmt::format("Work: {}, {}, {}, {}\n",
                               seconds_figure(work.seconds),
                               count_figure(work.passes, "pass", "passes"),
                               count_figure(work.triples,
                                            "triple (time, state, wealth)",
                                            "triples (time, state, wealth)"),
                               bytes_figure(work.peak_bytes));
  }
  return lines + fmt::format("Work: {}, {}, {}{}, {}, {}\n",
                             seconds_figure(work.seconds),
                             count_figure(work.passes, "pass", "passes"),
                             count_figure(work.backups, "backup", "backups"),
                             levels,
                             count_figure(work.breakpoints, "breakpoint", "breakpoints"),
                             bytes_figure(work.peak_bytes));
}

std::string check_lines(const CheckReport& report, const ModelFacts& facts, std::size_t width) {
  std::string lines = fmt::format(
      "Independent check: {}{}.{}\n",
      report.passed             ? "passed"
      : report.ended_early      ? "not finished"
      : report.nothing_to_check ? "nothing to check"
                                : "FAILED",
      report.optimality_checked || !report.passed ? "" : " (optimality was not rechecked)",
      findings_note(facts));
  for (const std::string& finding : report.findings) lines += wrapped("  ", finding, width);
  return lines;
}

std::string_view findings_note(const ModelFacts& facts) {
  return facts.cost ? " W is minus the cost." : "";
}

std::string wrapped(std::string_view head, std::string_view sentence, std::size_t width) {
  const std::string shown = visible(sentence);
  std::string_view text = shown;
  std::string out(head);
  std::size_t used = head.size();
  bool at_begin = true;
  while (!text.empty()) {
    const std::string_view word = text.substr(0, text.find(' '));
    text.remove_prefix(std::min(text.size(), word.size() + 1));
    if (!at_begin && used + 1 + word.size() > width) {
      out += '\n';
      out.append(head.size(), ' ');
      used = head.size();
      at_begin = true;
    }
    if (!at_begin) out += ' ';
    out += word;
    used += word.size() + (at_begin ? 0 : 1);
    at_begin = false;
  }
  return out + '\n';
}

std::string indented(std::string_view text, std::string_view by) {
  std::string out;
  while (!text.empty()) {
    const std::size_t end = text.find('\n');
    const std::string_view line = text.substr(0, end);
    if (!line.empty()) out.append(by).append(line);
    out += '\n';
    text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
  }
  return out;
}

std::string left_out_line(std::size_t all, std::size_t rows, std::size_t paragraphs) {
  if (paragraphs == all) return {};
  return fmt::format(
      "\nThe time limit was met: the table has {} of {} results, {} of them are described.\n",
      rows,
      all,
      paragraphs);
}

}  // namespace quantiplan
