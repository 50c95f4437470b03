#include "io/csv/csv_rows.hpp"

#include <algorithm>

#include "base/quoted.hpp"
#include "io/text/field_lines.hpp"

namespace quantiplan {

char separator_of(std::string_view text) {
  std::string_view line;
  while (without_blanks(line).empty() && !text.empty()) line = take_line(text);
  for (const char each : {',', ';', '\t'}) {
    if (without_blanks(line).find(each) != std::string_view::npos) return each;
  }
  return ',';
}

std::string_view CsvRows::trimmed(std::string_view field) const {
  const std::size_t begin = field.find_first_not_of(blanks_);
  if (begin == std::string_view::npos) return {};
  return field.substr(begin, field.find_last_not_of(blanks_) - begin + 1);
}

bool CsvRows::next() {
  while (!rest_.empty() && !fault_) {
    std::string_view below = rest_;
    const std::string_view row = take_line(below);
    line_ = next_line_;
    if (row.find('"') != std::string_view::npos) return split_quoted();
    rest_ = below;
    ++next_line_;
    if (without_blanks(row).empty()) continue;
    split_plain(row);
    return true;
  }
  return false;
}

void CsvRows::split_plain(std::string_view row) {
  fields_.clear();
  for (;;) {
    const std::size_t comma = row.find(separator_);
    fields_.push_back(trimmed(row.substr(0, comma)));
    if (comma == std::string_view::npos) return;
    row.remove_prefix(comma + 1);
  }
}

bool CsvRows::split_quoted() {
  fields_.clear();
  unquoted_.clear();
  const std::string ends{separator_, '\n'};
  for (;;) {
    rest_.remove_prefix(std::min(rest_.find_first_not_of(blanks_), rest_.size()));
    if (rest_.starts_with('"')) {
      if (!quoted_field()) return false;
    } else {
      const std::size_t end = std::min(rest_.find_first_of(ends), rest_.size());
      fields_.push_back(trimmed(rest_.substr(0, end)));
      rest_.remove_prefix(end);
      if (fields_.back().find('"') != std::string_view::npos) {
        fault_ = {next_line_,
                  "found a quote inside the field " + in_quotes(fields_.back()) +
                      ", must be around the whole field and doubled inside"};
        return false;
      }
    }
    const bool more = rest_.starts_with(separator_);
    if (!rest_.empty()) rest_.remove_prefix(1);
    if (!more) break;
  }
  ++next_line_;
  return true;
}

// Takes "...", and the blanks behind it, up to the comma or the end of the line.
bool CsvRows::quoted_field() {
  std::string& text = unquoted_.emplace_back();
  const std::uint64_t first_line = next_line_;
  rest_.remove_prefix(1);
  for (;;) {
    const std::size_t quote = rest_.find('"');
    if (quote == std::string_view::npos) {
      fault_ = {first_line, "found a quote that is never closed, must have a second one"};
      return false;
    }
    const std::string_view part = rest_.substr(0, quote);
    next_line_ += static_cast<std::uint64_t>(std::count(part.begin(), part.end(), '\n'));
    text += part;
    rest_.remove_prefix(quote + 1);
    if (!rest_.starts_with('"')) break;
    text += '"';
    rest_.remove_prefix(1);
  }
  rest_.remove_prefix(std::min(rest_.find_first_not_of(blanks_), rest_.size()));
  if (!rest_.empty() && rest_[0] != separator_ && rest_[0] != '\n') {
    fault_ = {next_line_,
              "found text behind the quoted field " + in_quotes(text) + ", must be " +
                  (separator_ == ','   ? "a comma"
                   : separator_ == ';' ? "a semicolon"
                                       : "a tab")};
    return false;
  }
  fields_.push_back(text);
  return true;
}

}  // namespace quantiplan
