#include "base/quoted.hpp"
#include "io/csv/csv_rows.hpp"
#include "io/text/field_lines.hpp"
#include "io/utility/utility_reader.hpp"

namespace quantiplan {
namespace {

constexpr const char* kHeader = "wealth,utility";

bool is_header(const std::vector<std::string_view>& fields) {
  return fields.size() == 2 && lower_case(fields[0]) == "wealth" &&
         lower_case(fields[1]) == "utility";
}

std::optional<Rational> field_number(std::string_view field,
                                     const char* column,
                                     std::uint64_t line,
                                     UtilityDraft& draft) {
  std::string why;
  const auto number = Number::try_parse(field, &why);
  if (number) return number->rational();
  draft.problem(line, std::string(column) + ": " + why);
  return std::nullopt;
}

void read_slope(std::optional<Rational>& slope,
                const std::string& name,
                const std::optional<Rational>& given,
                std::uint64_t line,
                UtilityDraft& draft) {
  if (slope) draft.problem(line, in_quotes(name) + " is given twice, must be given once");
  if (given) slope = given;
}

void read_row(const CsvRows& rows, UtilityDraft& draft) {
  const auto& fields = rows.fields();
  if (fields.size() != 2) {
    draft.problem(rows.line(),
                  "found " + std::to_string(fields.size()) +
                      (fields.size() == 1 ? " field" : " fields") + ", expected two: " + kHeader);
    return;
  }
  const std::string word = lower_case(fields[0]);
  const bool is_below = word == "below";
  const auto u = field_number(
      fields[1], is_below || word == "above" ? "slope" : "utility", rows.line(), draft);
  if (is_below || word == "above")
    return read_slope(
        is_below ? draft.slope_below : draft.slope_above, word, u, rows.line(), draft);
  const auto x = field_number(fields[0], "wealth", rows.line(), draft);
  if (x && u) draft.add({*x, *u}, rows.line());
}

}  // namespace

void read_csv_utility(std::string_view text, UtilityDraft& draft) {
  CsvRows rows(text);
  if (!rows.next() || !is_header(rows.fields())) {
    if (!rows.fault())
      draft.problem(1,
                    std::string("found no header '") + kHeader +
                        "', expected it on the first line, or a JSON object");
  } else {
    while (!draft.is_full() && rows.next()) read_row(rows, draft);
  }
  if (rows.fault()) draft.problem(rows.fault()->line, rows.fault()->message);
}

}  // namespace quantiplan
