#include "report/text_table.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "base/quoted.hpp"

namespace quantiplan {
namespace {

void append_row(std::string& out,
                const std::vector<std::string>& cells,
                const std::vector<Column>& columns,
                const std::vector<std::size_t>& widths) {
  std::string line;
  for (std::size_t c = 0; c < columns.size(); ++c) {
    const std::string blanks(widths[c] - display_width(cells[c]), ' ');
    if (c > 0) line += "  ";
    line += columns[c].align == Align::left ? cells[c] + blanks : blanks + cells[c];
  }
  line.erase(line.find_last_not_of(' ') + 1);
  out += line + '\n';
}

void append_groups(std::string& out,
                   const std::vector<Column>& columns,
                   const std::vector<std::size_t>& widths) {
  std::string line;
  std::size_t place = 0;
  for (std::size_t c = 0; c < columns.size(); ++c) {
    if (!columns[c].group.empty()) {
      line.resize(std::max(line.size(), place), ' ');
      line += columns[c].group;
    }
    place += widths[c] + 2;
  }
  if (!line.empty()) out += line + '\n';
}

}  // namespace

void TextTable::add(std::vector<std::string> cells) {
  for (std::string& cell : cells) cell = visible(cell);
  rows_.push_back(std::move(cells));
}

std::vector<std::size_t> TextTable::widths(std::size_t head, std::size_t tail) const {
  std::vector<std::size_t> widths;
  for (const Column& column : columns_) widths.push_back(display_width(column.heading));
  for (std::size_t r = 0; r < rows_.size(); ++r) {
    if (r >= head && r < rows_.size() - tail) continue;
    for (std::size_t c = 0; c < widths.size(); ++c)
      widths[c] = std::max(widths[c], display_width(rows_[r][c]));
  }
  return widths;
}

std::string TextTable::text(std::size_t most_rows, std::string_view hint) const {
  const Shown shown = shown_rows(rows_.size(), most_rows);
  const std::vector<std::size_t> columns = widths(shown.head, shown.tail);
  const std::size_t hidden = rows_.size() - shown.head - shown.tail;
  std::string out;
  append_groups(out, columns_, columns);
  std::vector<std::string> headings;
  for (const Column& column : columns_) headings.push_back(column.heading);
  if (std::ranges::any_of(headings, [](const auto& h) { return !h.empty(); }))
    append_row(out, headings, columns_, columns);
  for (std::size_t r = 0; r < rows_.size(); ++r) {
    if (r == shown.head && hidden > 0) {
      out += fmt::format("... {} more{}\n", hidden, hint);
      r += hidden;
      if (r == rows_.size()) break;
    }
    append_row(out, rows_[r], columns_, columns);
  }
  return out;
}

Shown shown_rows(std::size_t count, std::size_t most_rows) {
  if (most_rows == 0 || count <= most_rows) return {count, 0};
  return {most_rows - most_rows / 2, most_rows / 2};
}

std::size_t display_width(std::string_view text) {
  return static_cast<std::size_t>(std::ranges::count_if(
      text, [](char c) { return (static_cast<unsigned char>(c) & 0xC0U) != 0x80U; }));
}

std::string bar(double fraction, std::size_t width, bool unicode) {
  if (!(fraction > 0)) return {};
  constexpr std::array kEighths = {"", "▏", "▎", "▍", "▌", "▋", "▊", "▉"};
  const double length = std::min(fraction, 1.0) * static_cast<double>(width);
  std::string text;
  if (!unicode) {
    text.assign(std::max<std::size_t>(1, static_cast<std::size_t>(std::lround(length))), '#');
    return text;
  }
  const auto eighths = std::max<std::size_t>(1, static_cast<std::size_t>(std::lround(length * 8)));
  for (std::size_t i = 0; i < eighths / 8; ++i) text += "█";
  return text + kEighths[eighths % 8];
}

}  // namespace quantiplan
