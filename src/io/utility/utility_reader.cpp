#include "io/utility/utility_reader.hpp"

#include <utility>

#include "io/text/checked_text.hpp"
#include "quantiplan/error.hpp"
#include "quantiplan/formats.hpp"

namespace quantiplan {

void UtilityDraft::add(Utility::Point point, std::uint64_t line) {
  const std::size_t count = points_.size();
  if (count > 0 && point.x < points_.back().x) {
    problem(line,
            "found a point at " + to_text(point.x) + " after one at " + to_text(points_.back().x) +
                ", expected ascending wealths");
    return;
  }
  if (count > 1 && point.x == points_[count - 2].x) {
    problem(line,
            "found a third point at " + to_text(point.x) +
                ", expected at most two: the values before a step and from it on");
    return;
  }
  points_.push_back(std::move(point));
}

Utility UtilityDraft::finish() {
  return Utility::table(std::move(points_), slope_below.value_or(0), slope_above.value_or(0));
}

Utility parse_utility_table(std::string_view text, const std::string& source) {
  Problems problems;
  UtilityDraft draft(problems, source);
  if (const auto fault = check_text(text)) {
    draft.problem(fault->line, fault->message);
  } else {
    const auto first = text.find_first_not_of(" \t\r\n");
    const bool is_json = first != std::string_view::npos && text[first] == '{';
    (is_json ? read_json_utility : read_csv_utility)(text, draft);
  }
  if (!problems.any() && draft.is_empty())
    draft.problem(0, "found no points, expected at least one");
  problems.throw_if_any(ErrorCode::bad_request);
  return draft.finish();
}

Utility read_utility(const std::string& path) {
  return parse_utility_table(read_text(path), path == "-" ? "standard input" : path);
}

Utility utility_of(const std::string& name_or_path, const std::string& place) {
  return is_utility_name(name_or_path) ? parse_utility(name_or_path, place)
                                       : read_utility(name_or_path);
}

}  // namespace quantiplan
