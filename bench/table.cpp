#include "table.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

namespace quantiplan::bench {
namespace {

struct Prefix {
  double factor;
  const char* letter;
};

std::string scaled(double value, const std::string& unit) {
  constexpr std::array<Prefix, 6> kPrefixes{
      {{1e9, "G"}, {1e6, "M"}, {1e3, "k"}, {1, ""}, {1e-3, "m"}, {1e-6, "u"}}};
  if (value == 0 || !std::isfinite(value)) return fmt::format("{} {}", value, unit);
  // Seconds above 1 stay seconds: nobody reads kiloseconds.
  const bool plain = unit == "s" && value >= 1;
  const auto* prefix =
      plain ? &kPrefixes[3] : std::ranges::find_if(kPrefixes, [&](const Prefix& p) {
        return std::abs(value) >= p.factor * 0.9995;
      });
  if (prefix == kPrefixes.end()) prefix = &kPrefixes.back();
  const double shown = value / prefix->factor;
  const int decimals = shown >= 99.95 ? 0 : shown >= 9.995 ? 1 : 2;
  const std::string tail = prefix->letter + unit;
  return fmt::format("{:.{}f}{}{}", shown, decimals, tail.empty() ? "" : " ", tail);
}

struct CellText {
  std::string operator()(const std::string& word) const { return word; }
  std::string operator()(std::uint64_t count) const {
    return count < 100'000 ? fmt::format("{}", count) : scaled(static_cast<double>(count), "");
  }
  std::string operator()(const Quantity& q) const { return scaled(q.value, q.unit); }
};

struct CellJson {
  std::string operator()(const std::string& word) const { return in_quotes(word); }
  std::string operator()(std::uint64_t count) const { return fmt::format("{}", count); }
  std::string operator()(const Quantity& q) const { return fmt::format("{}", q.value); }

  // Titles and names are our own and hold no control characters.
  static std::string in_quotes(const std::string& word) {
    std::string text = "\"";
    for (const char c : word) {
      if (c == '"' || c == '\\') text += '\\';
      text += c;
    }
    return text + '"';
  }
};

std::string ratio_text(const Ratio& ratio) {
  const std::string line = fmt::format("  {:<62} {:>8.2f}", ratio.name, ratio.value);
  if (ratio.bound == Ratio::Bound::none) return line + "\n";
  return fmt::format(
      "{}   expected {:<7} {}\n", line, bound_text(ratio), ratio.holds() ? "PASS" : "MISS");
}

std::string ratio_json(const Ratio& ratio) {
  std::string text =
      fmt::format("{{\"name\": {}, \"value\": {}", CellJson::in_quotes(ratio.name), ratio.value);
  if (ratio.bound != Ratio::Bound::none) {
    text += fmt::format(
        ", \"expected\": {}, \"pass\": {}", CellJson::in_quotes(bound_text(ratio)), ratio.holds());
  }
  return text + "}";
}

std::string row_json(const Section& section, const std::vector<Cell>& row) {
  std::vector<std::string> cells;
  for (std::size_t i = 0; i < row.size(); ++i) {
    cells.push_back(fmt::format(
        "{}: {}", CellJson::in_quotes(section.columns[i]), std::visit(CellJson{}, row[i])));
  }
  return fmt::format("{{{}}}", fmt::join(cells, ", "));
}

}  // namespace

bool Ratio::holds() const {
  if (bound == Bound::none) return true;
  return bound == Bound::at_least ? value >= expected : value <= expected;
}

std::string bound_text(const Ratio& ratio) {
  if (ratio.bound == Ratio::Bound::none) return "";
  return fmt::format("{} {}", ratio.bound == Ratio::Bound::at_least ? ">=" : "<=", ratio.expected);
}

std::string cell_text(const Cell& cell) { return std::visit(CellText{}, cell); }

std::string section_text(const Section& section) {
  std::vector<std::size_t> widths;
  for (const std::string& column : section.columns) widths.push_back(column.size());
  for (const auto& row : section.rows) {
    for (std::size_t i = 0; i < row.size(); ++i)
      widths[i] = std::max(widths[i], cell_text(row[i]).size());
  }
  std::string text = fmt::format("{}\n  {}\n", section.title, section.about);
  const auto add_line = [&](auto entry) {
    std::string line;
    for (std::size_t i = 0; i < widths.size(); ++i) {
      // Names to the left, numbers to the right.
      line += i == 0 ? fmt::format("  {:<{}}", entry(i), widths[i])
                     : fmt::format("  {:>{}}", entry(i), widths[i]);
    }
    text += line + "\n";
  };
  if (!section.rows.empty()) add_line([&](std::size_t i) { return section.columns[i]; });
  for (const auto& row : section.rows) add_line([&](std::size_t i) { return cell_text(row[i]); });
  for (const Ratio& ratio : section.ratios) text += ratio_text(ratio);
  return text;
}

std::string sections_json(const std::vector<Section>& sections) {
  std::vector<std::string> parts;
  for (const Section& section : sections) {
    std::vector<std::string> rows;
    for (const auto& row : section.rows) rows.push_back(row_json(section, row));
    std::vector<std::string> ratios;
    for (const Ratio& ratio : section.ratios) ratios.push_back(ratio_json(ratio));
    parts.push_back(
        fmt::format("  {{\"title\": {},\n   \"rows\": [\n    {}],\n   \"ratios\": [\n    {}]}}",
                    CellJson::in_quotes(section.title),
                    fmt::join(rows, ",\n    "),
                    fmt::join(ratios, ",\n    ")));
  }
  return fmt::format("{{\"format\": \"quantiplan-bench/1\", \"sections\": [\n{}]}}\n",
                     fmt::join(parts, ",\n"));
}

}  // namespace quantiplan::bench
