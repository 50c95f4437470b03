#include "markdown.hpp"

#include <fmt/format.h>

#include <stdexcept>
#include <vector>

namespace quantiplan::bench {
namespace {

std::string line_of(const std::vector<std::string>& cells) {
  return fmt::format("| {} |\n", fmt::join(cells, " | "));
}

std::string table_of(const std::vector<std::string>& columns,
                     const std::vector<std::vector<std::string>>& rows) {
  std::string text = line_of(columns) + line_of(std::vector<std::string>(columns.size(), "---"));
  for (const auto& row : rows) text += line_of(row);
  return text;
}

}  // namespace

std::string section_markdown(const Section& section) {
  std::string text = section.about + "\n";
  if (!section.rows.empty()) {
    std::vector<std::vector<std::string>> rows;
    for (const auto& row : section.rows) {
      rows.emplace_back();
      for (const Cell& cell : row) rows.back().push_back(cell_text(cell));
    }
    text += "\n" + table_of(section.columns, rows);
  }
  if (!section.ratios.empty()) {
    std::vector<std::vector<std::string>> rows;
    for (const Ratio& ratio : section.ratios) {
      rows.push_back({ratio.name, fmt::format("{:.2f}", ratio.value), bound_text(ratio)});
    }
    text += "\n" + table_of({"ratio", "measured", "expected"}, rows);
  }
  return text;
}

std::string with_block(const std::string& page, const std::string& name, const std::string& block) {
  const std::string open = fmt::format("<!-- bench: {} -->\n", name);
  const std::size_t begin = page.find(open);
  const std::size_t end = page.find("<!-- end of bench -->", begin);
  if (begin == std::string::npos || end == std::string::npos) {
    throw std::runtime_error(fmt::format("the page has no place for section '{}'", name));
  }
  return page.substr(0, begin + open.size()) + block + page.substr(end);
}

}  // namespace quantiplan::bench
