// Labels and names of the states of a .tra.
#include <algorithm>

#include "base/quoted.hpp"
#include "io/explicit/tra_companions.hpp"

namespace quantiplan {
namespace {

constexpr std::string_view kDeclaration = "#DECLARATION";
constexpr std::string_view kEnd = "#END";

class LabReader {
 public:
  LabReader(std::uint64_t state_count, PlacedProblems& problems)
      : state_count_(state_count), problems_(problems) {}

  LabelSets read(std::string_view text) {
    if (without_blanks(text).starts_with(kDeclaration) || text.starts_with(kDeclaration)) {
      read_storm(text);
    } else {
      read_prism(text);
    }
    return std::move(sets_);
  }

 private:
  // 0="init" 1="deadlock": the number of a label is its position in sets_.
  void read_prism(std::string_view text) {
    FieldLines lines(text);
    if (!lines.next() || !declare_numbered(lines.whole(), lines.line())) return;
    while (!problems_.full() && lines.next()) {
      std::string_view rest = lines.whole();
      const std::size_t colon = rest.find(':');
      if (colon == std::string_view::npos) {
        problems_.add(lines.line(), "found " + in_quotes(rest) + ", must be 'state: label ...'");
        continue;
      }
      if (!begin_state(without_blanks(rest.substr(0, colon)), lines.line())) continue;
      for (rest = without_blanks(rest.substr(colon + 1)); !rest.empty();) {
        const std::size_t end = std::min(rest.find_first_of(" \t"), rest.size());
        give_numbered(rest.substr(0, end), lines.line());
        rest = without_blanks(rest.substr(end));
      }
    }
  }

  bool declare_numbered(std::string_view rest, std::uint64_t line) {
    while (!rest.empty()) {
      const std::size_t open = rest.find("=\"");
      const std::size_t close = open == std::string_view::npos ? open : rest.find('"', open + 2);
      const auto number =
          open == std::string_view::npos ? std::nullopt : whole_number(rest.substr(0, open));
      if (close == std::string_view::npos || !number || close == open + 2) {
        problems_.add(line, "found " + in_quotes(rest) + ", must be labels such as 0=\"init\"");
        return false;
      }
      const std::string_view name = rest.substr(open + 2, close - open - 2);
      if (*number != sets_.size()) {
        problems_.add(line,
                      "label " + in_quotes(name) + " has the number " + std::to_string(*number) +
                          ", must be " + std::to_string(sets_.size()));
        return false;
      }
      if (!declare(name, line)) return false;
      rest = without_blanks(rest.substr(close + 1));
    }
    return true;
  }

  void give_numbered(std::string_view text, std::uint64_t line) {
    const auto number = whole_number(text);
    if (!number || *number >= sets_.size()) {
      problems_.add(line,
                    "label: found " + in_quotes(text) + ", must be the number of a label, below " +
                        std::to_string(sets_.size()));
      return;
    }
    give(static_cast<std::uint32_t>(*number), line);
  }

  void read_storm(std::string_view text) {
    std::uint64_t line = 0;
    bool is_declaring = false;
    while (!text.empty() && !problems_.full()) {
      const std::string_view row = without_blanks(take_line(text));
      ++line;
      if (row == kDeclaration) {
        is_declaring = true;
      } else if (row == kEnd) {
        is_declaring = false;
      } else if (!row.empty() && row[0] != '#') {
        storm_row(row, line, is_declaring);
      }
    }
    if (is_declaring) problems_.add(line, "#DECLARATION is never closed, must have an #END");
  }

  void storm_row(std::string_view row, std::uint64_t line, bool is_declaring) {
    FieldLines fields(row);
    fields.next();
    std::size_t i = 0;
    if (!is_declaring && !begin_state(fields.fields()[i++], line)) return;
    for (; i < fields.fields().size(); ++i) {
      const std::string_view name = fields.fields()[i];
      if (is_declaring) {
        declare(name, line);
      } else if (!sets_.has(name)) {
        problems_.add(line, "label " + in_quotes(name) + " is not declared, must be");
      } else {
        give(sets_.add(name), line);
      }
    }
  }

  bool declare(std::string_view name, std::uint64_t line) {
    if (sets_.has(name)) {
      problems_.add(line, "label " + in_quotes(name) + " is declared twice, must be once");
      return false;
    }
    sets_.add(name);
    return true;
  }

  bool begin_state(std::string_view text, std::uint64_t line) {
    const auto found = state_number(text, "state", state_count_, line, problems_);
    if (!found) return false;
    if (found_.empty()) found_.resize(state_count_, false);
    if (found_[*found]) {
      problems_.add(line, "state " + std::to_string(*found) + " is given twice, must be once");
      return false;
    }
    found_[*found] = true;
    state_ = *found;
    return true;
  }

  void give(std::uint32_t label, std::uint64_t line) {
    if (sets_.give(label, State{state_})) return;
    problems_.add(line,
                  "state " + std::to_string(state_) + ": label " + in_quotes(sets_.name(label)) +
                      " is given twice, must be once");
  }

  std::uint64_t state_count_;
  PlacedProblems& problems_;
  LabelSets sets_;
  std::vector<bool> found_;  // by state
  std::uint32_t state_ = 0;
};

// "(a,b)" taken apart; empty if it is none.
std::vector<std::string_view> listed(std::string_view text) {
  if (text.size() < 2 || text.front() != '(' || text.back() != ')') return {};
  text = text.substr(1, text.size() - 2);
  std::vector<std::string_view> items;
  for (;;) {
    const std::size_t comma = text.find(',');
    items.push_back(without_blanks(text.substr(0, comma)));
    if (items.back().empty() || items.back().find_first_of("()= \t") != std::string_view::npos)
      return {};
    if (comma == std::string_view::npos) return items;
    text.remove_prefix(comma + 1);
  }
}

std::string valuation(const std::vector<std::string_view>& variables,
                      const std::vector<std::string_view>& values) {
  std::string name = "(";
  for (std::size_t i = 0; i < variables.size(); ++i) {
    if (i > 0) name += ',';
    name.append(variables[i]).append("=").append(values[i]);
  }
  return name + ")";
}

}  // namespace

LabelSets read_lab(std::string_view text, std::uint64_t state_count, PlacedProblems& problems) {
  return LabReader(state_count, problems).read(text);
}

StateNames read_sta(std::string_view text, std::uint64_t state_count, PlacedProblems& problems) {
  FieldLines lines(text);
  std::vector<std::string_view> variables;
  if (lines.next()) variables = listed(lines.whole());
  if (variables.empty()) {
    problems.add(lines.line(),
                 "found " + in_quotes(lines.whole()) + ", must be the variables, such as (x,y)");
    return {};
  }
  StateNames names;
  names.names.resize(state_count);
  NameInterner known;
  while (!problems.full() && lines.next()) {
    const std::string_view row = lines.whole();
    const std::size_t colon = std::min(row.find(':'), row.size());
    const auto state = state_number(
        without_blanks(row.substr(0, colon)), "state", state_count, lines.line(), problems);
    if (!state) continue;
    const std::string where = "state " + std::to_string(*state) + ": ";
    const auto values = listed(without_blanks(row.substr(std::min(colon + 1, row.size()))));
    if (values.size() != variables.size()) {
      problems.add(lines.line(),
                   where + "must have " + std::to_string(variables.size()) +
                       (variables.size() == 1 ? " value" : " values") + " in parentheses");
      continue;
    }
    std::string name = valuation(variables, values);
    if (!names.names[*state].empty()) {
      problems.add(lines.line(), where + "given twice, must be once");
      continue;
    }
    const std::size_t count = known.size();
    if (known.intern(name) < count)
      problems.add(lines.line(),
                   where + in_quotes(name) + " is also another state, must be one only");
    names.names[*state] = std::move(name);
  }
  for (std::size_t s = 0; s < names.names.size() && !problems.full(); ++s) {
    if (names.names[s].empty())
      problems.add(lines.line(),
                   "state " + std::to_string(s) + " is missing up to here, must be there");
  }
  return names;
}

}  // namespace quantiplan
