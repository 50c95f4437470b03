// Lines of fields with blanks between them, as explicit model files have them.
//
//     # a comment         skipped, as blank lines are; comments before the first line are kept
//     0 0 1 0.5 a         fields, on a line counted from 1
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace quantiplan {

// A text and the name shown in messages.
struct NamedText {
  std::string source;
  std::string text;
};

class FieldLines {
 public:
  explicit FieldLines(std::string_view text) : rest_(text) {}

  // Goes to the next line with fields; false at the end.
  bool next();
  // Of the current line; valid as long as the text.
  [[nodiscard]] const std::vector<std::string_view>& fields() const { return fields_; }
  [[nodiscard]] std::string_view whole() const { return whole_; }
  [[nodiscard]] std::uint64_t line() const { return line_; }
  // The comments that stand before the current line, without '#'.
  [[nodiscard]] const std::vector<std::string_view>& comments() const { return comments_; }

 private:
  void split();

  std::string_view rest_;
  std::string_view whole_;
  std::uint64_t line_ = 0;
  std::vector<std::string_view> fields_;
  std::vector<std::string_view> comments_;
};

// A whole number of digits only; nullopt for anything else, and from 2^63 on.
std::optional<std::uint64_t> whole_number(std::string_view text);
// ASCII letters alone.
std::string lower_case(std::string_view text);
// Without blanks, tabs and carriage returns around.
std::string_view without_blanks(std::string_view text);
// The lines of a text, without their ends: the first is taken off.
std::string_view take_line(std::string_view& text);

}  // namespace quantiplan
