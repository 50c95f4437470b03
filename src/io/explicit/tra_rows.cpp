#include "io/explicit/tra_rows.hpp"

#include <limits>

#include "base/quoted.hpp"

namespace quantiplan {

bool TraRows::next(TraRow& row) {
  while (!problems_.full()) {
    if (listed_at_ < listed_end_) {
      ++count_;
      if (read_listed(row)) return true;
      continue;
    }
    if (!lines_.next()) return false;
    const auto& fields = lines_.fields();
    if (fields.size() > 1 && fields[1].find(':') != std::string_view::npos) {
      start_list(row);
      continue;
    }
    ++count_;
    if (read_line(row)) return true;
  }
  return false;
}

bool TraRows::read_line(TraRow& row) {
  const auto& fields = lines_.fields();
  const std::size_t width = header_.is_dtmc ? 3 : 4;
  row.line = lines_.line();
  if (fields.size() != width && fields.size() != width + 1) {
    problems_.add(row.line,
                  "the row has " + std::to_string(fields.size()) + " fields, must be '" +
                      (header_.is_dtmc ? "state next " : "state choice next ") + what_ +
                      "' and perhaps an action");
    return false;
  }
  row.choice = 0;
  if (!header_.is_dtmc) {
    const auto choice = whole_number(fields[1]);
    if (!choice || *choice >= std::numeric_limits<std::uint32_t>::max()) {
      problems_.add(row.line, "choice: found " + in_quotes(fields[1]) + ", must be a whole number");
      return false;
    }
    row.choice = static_cast<std::uint32_t>(*choice);
  }
  row.label = fields.size() > width ? fields[width] : std::string_view();
  const bool has_states =
      read_state(fields[0], "state", row.state) && read_state(fields[width - 2], "next", row.next);
  return has_states && read_value(fields[width - 1], row.value);
}

bool TraRows::start_list(TraRow& row) {
  const auto& fields = lines_.fields();
  row.line = lines_.line();
  listed_.line = row.line;
  if (!read_state(fields[0], "state", listed_.state)) return false;
  if (last_listed_state_ && listed_.state < *last_listed_state_) {
    problems_.add(row.line,
                  "state " + std::to_string(listed_.state) + " stands behind state " +
                      std::to_string(*last_listed_state_) +
                      ", must be in ascending order where a row is a whole choice");
    return false;
  }
  const bool goes_on = last_listed_state_ == listed_.state;
  if (goes_on && header_.is_dtmc) {
    problems_.add(
        row.line,
        "state " + std::to_string(listed_.state) + " has two rows, must have one in a DTMC");
    return false;
  }
  listed_.choice = goes_on ? listed_.choice + 1 : 0;
  last_listed_state_ = listed_.state;
  const bool has_label = fields.back().find(':') == std::string_view::npos;
  listed_.label = has_label ? fields.back() : std::string_view();
  listed_at_ = 1;
  listed_end_ = fields.size() - (has_label ? 1 : 0);
  return true;
}

bool TraRows::read_listed(TraRow& row) {
  const std::string_view pair = lines_.fields()[listed_at_++];
  row = listed_;
  const std::size_t colon = pair.find(':');
  if (colon == std::string_view::npos) {
    problems_.add(row.line, "found " + in_quotes(pair) + ", must be " + what_ + ":next");
    return false;
  }
  return read_state(pair.substr(colon + 1), "next", row.next) &&
         read_value(pair.substr(0, colon), row.value);
}

bool TraRows::read_state(std::string_view text, const char* name, std::uint32_t& into) {
  const auto found = state_number(text, name, header_.states, lines_.line(), problems_);
  if (found) into = *found;
  return found.has_value();
}

bool TraRows::read_value(std::string_view text, Number& into) {
  auto found = number_of(text, what_, lines_.line(), problems_);
  if (!found) return false;
  into = *std::move(found);
  return true;
}

std::optional<std::uint32_t> state_number(std::string_view text,
                                          const char* name,
                                          std::uint64_t states,
                                          std::uint64_t line,
                                          PlacedProblems& problems) {
  const auto found = whole_number(text);
  if (found && *found < states) return static_cast<std::uint32_t>(*found);
  problems.add(line,
               std::string(name) + ": found " + in_quotes(text) +
                   ", must be a whole number below " + std::to_string(states) +
                   ", the number of states");
  return std::nullopt;
}

std::optional<Number> number_of(std::string_view text,
                                const char* name,
                                std::uint64_t line,
                                PlacedProblems& problems) {
  std::string why;
  auto found = Number::try_parse(text, &why);
  if (!found && text.starts_with('['))
    why = "found the interval " + in_quotes(text) +
          ", must be a number: interval MDPs and chains are not solved";
  if (!found) problems.add(line, std::string(name) + ": " + why);
  return found;
}

void check_said_count(const char* what,
                      std::uint64_t said,
                      std::uint64_t found,
                      std::uint64_t line,
                      PlacedProblems& problems) {
  if (said == found || problems.full()) return;
  problems.add(line,
               "the first line says " + std::to_string(said) + " " + what + ", but there are " +
                   std::to_string(found));
}

}  // namespace quantiplan
