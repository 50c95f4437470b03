// What a benchmark prints: sections of rows, and ratios held against an expected bound.
//
// The text form is for reading in a terminal; the JSON form has the same cells with full precision:
//     { "format": "quantiplan-bench/1", "sections": [ { "title": .., "rows": [ {column: cell} ],
//       "ratios": [ {"name": .., "value": .., "expected": ">= 10", "pass": true} ] } ] }
#pragma once

#include <cstdint>
#include <string>
#include <variant>
#include <vector>

namespace quantiplan::bench {

// A word, a count, or a quantity with its unit ("s", "B", "/s", "" for a plain number).
struct Quantity {
  double value;
  std::string unit;
};
using Cell = std::variant<std::string, std::uint64_t, Quantity>;

struct Ratio {
  enum class Bound { none, at_least, at_most };

  std::string name;
  double value = 0;
  Bound bound = Bound::none;
  double expected = 0;

  // False only if there is a bound and it is missed.
  [[nodiscard]] bool holds() const;
};

struct Section {
  std::string title;
  std::string about;  // what is measured, one sentence
  std::vector<std::string> columns;
  std::vector<std::vector<Cell>> rows;  // as wide as columns
  std::vector<Ratio> ratios;
};

// Three significant digits, with a prefix where that is shorter: "12.3 ms", "4.56 M", "24.0 B".
std::string cell_text(const Cell& cell);
// ">= 10", or nothing without a bound.
std::string bound_text(const Ratio& ratio);
std::string section_text(const Section& section);
std::string sections_json(const std::vector<Section>& sections);

}  // namespace quantiplan::bench
