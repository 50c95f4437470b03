// A table for a terminal: columns as wide as their widest cell, numbers to the right.
//
//     tau  side   quantile
//     0.1  upper       -40
//
// Needs: rows as long as the header. Guarantees: no trailing blanks; at most `most_rows` rows, the
// first and the last of them, with "... N more" between.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace quantiplan {

enum class Align { left, right };

struct Column {
  std::string heading;
  Align align = Align::right;
  std::string group = {};  // heading above this column and those after it
};

class TextTable {
 public:
  explicit TextTable(std::vector<Column> columns) : columns_(std::move(columns)) {}

  // Cells may hold names: what cannot be seen is spelt out.
  void add(std::vector<std::string> cells);
  // most_rows 0: all of them. `hint` says where the rest is to be had.
  [[nodiscard]] std::string text(std::size_t most_rows = 0, std::string_view hint = {}) const;

 private:
  [[nodiscard]] std::vector<std::size_t> widths(std::size_t head, std::size_t tail) const;

  std::vector<Column> columns_;
  std::vector<std::vector<std::string>> rows_;
};

// Which rows of a long list are shown: the first `head` and the last `tail` of `count`.
struct Shown {
  std::size_t head = 0;
  std::size_t tail = 0;
};
Shown shown_rows(std::size_t count, std::size_t most_rows);

// Characters, not bytes, of UTF-8 text.
std::size_t display_width(std::string_view text);

// A bar of `fraction` (0 to 1) of `width` characters; a positive fraction is never an empty bar.
std::string bar(double fraction, std::size_t width, bool unicode);

}  // namespace quantiplan
