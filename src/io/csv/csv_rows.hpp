// Comma-separated rows after RFC 4180: "quoted, fields" with "" for a quote, CRLF or LF.
//
// Kinder than the RFC in three ways: white space around an unquoted field is dropped, and so are
// blank lines; and fields may be separated by semicolons or tabs instead (separator_of). Cost: one look at every byte; a row without quotes is not copied.
#pragma once

#include <cstdint>
#include <deque>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "io/text/checked_text.hpp"

namespace quantiplan {

// By the first line that is not blank: a comma if there is one, else a semicolon or a tab if there
// is one.
char separator_of(std::string_view text);

class CsvRows {
 public:
  explicit CsvRows(std::string_view text, char separator = ',')
      : separator_(separator), blanks_(separator == '\t' ? " \r" : " \t\r"), rest_(text) {}

  // Goes to the next row that is not blank; false at the end of the text or at a fault.
  bool next();
  // Of the current row; valid until next().
  [[nodiscard]] const std::vector<std::string_view>& fields() const { return fields_; }
  // The line the row begins on, from 1.
  [[nodiscard]] std::uint64_t line() const { return line_; }
  // Quotes that do not match: nothing can be read after them.
  [[nodiscard]] const std::optional<TextFault>& fault() const { return fault_; }

 private:
  void split_plain(std::string_view row);
  bool split_quoted();
  bool quoted_field();

  [[nodiscard]] std::string_view trimmed(std::string_view field) const;

  char separator_;
  std::string_view blanks_;  // around fields, and no separator
  std::string_view rest_;
  std::uint64_t line_ = 0;
  std::uint64_t next_line_ = 1;
  std::vector<std::string_view> fields_;
  std::deque<std::string> unquoted_;  // what quoted fields of the row say
  std::optional<TextFault> fault_;
};

}  // namespace quantiplan
