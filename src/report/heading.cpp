#include "heading.hpp"

#include <fmt/format.h>

#include "figures.hpp"
#include "quoted.hpp"

namespace quantiplan {

std::string model_line(const ModelFacts& facts) {
  std::string line = facts.name.empty() ? "model" : quoted(facts.name);
  line += fmt::format(": {}, {}, {}",
                      count_figure(facts.states, "state", "states"),
                      count_figure(facts.choices, "choice", "choices"),
                      count_figure(facts.outcomes, "outcome", "outcomes"));
  line += fmt::format("; horizon {}, discount {}, from {}\n",
                      facts.horizon,
                      wealth_figure(facts.discount),
                      quoted(facts.initial));
  return line;
}

std::string work_lines(const EngineReport& engine, const Work& work) {
  std::string lines;
  if (!engine.used.empty())
    lines += fmt::format("Engine: {}, for --engine {}\n", engine.used, engine.given);
  if (!engine.why.empty()) lines += fmt::format("Why: {}\n", engine.why);
  return lines + fmt::format("Work: {}, {}, {}, {}, {}\n",
                             seconds_figure(work.seconds),
                             count_figure(work.passes, "pass", "passes"),
                             count_figure(work.backups, "backup", "backups"),
                             count_figure(work.breakpoints, "breakpoint", "breakpoints"),
                             bytes_figure(work.peak_bytes));
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

}  // namespace quantiplan
