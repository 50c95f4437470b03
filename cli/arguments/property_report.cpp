#include "arguments/property_report.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "quantiplan/number.hpp"
#include "quantiplan/visible.hpp"

namespace quantiplan::cli {
namespace {

std::string decimal(const Total& value) {
  if (!value.is_finite()) return to_text(value) == "-inf" ? "-inf" : "inf";
  return fmt::format("{}", to_nearest_double(value.value()));
}

std::string quoted(const std::string& text) {
  std::string out = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') out += '\\';
    out += static_cast<unsigned char>(c) < ' ' ? ' ' : c;
  }
  return out + '"';
}

std::string bracket(const PropertyValue& value) {
  if (value.is_exact) return decimal(value.low);
  return decimal(value.low) + " to " + decimal(value.high);
}

}  // namespace

std::optional<bool> holds(const PropertyValue& value,
                          const std::string& comparison,
                          const Rational& p) {
  const auto compare = [&](const Total& found) {
    const Total wanted(p);
    return comparison == ">"    ? found > wanted
           : comparison == ">=" ? found >= wanted
           : comparison == "<"  ? found < wanted
                                : found <= wanted;
  };
  const bool low = compare(value.low);
  return low == compare(value.high) ? std::optional(low) : std::nullopt;
}

PropertyReport report_of(const Property& property,
                         const std::vector<PropertyValue>& values,
                         const std::optional<Rational>& compared) {
  PropertyReport out;
  out.text = (property.name.empty() ? "" : "\"" + visible(property.name) + "\": ") +
             visible(property.text) + "\n";
  out.json = "    {\"name\": " + (property.name.empty() ? "null" : quoted(property.name)) +
             ", \"property\": " + quoted(property.text);
  const auto number = [](const Total& t) {
    return t.is_finite() ? fmt::format("{}", to_nearest_double(t.value())) : quoted(decimal(t));
  };
  if (compared) {
    std::vector<std::string> verdicts;
    for (const PropertyValue& value : values) {
      const auto truth = holds(value, property.comparison, *compared);
      verdicts.emplace_back(!truth ? "unknown" : *truth ? "true" : "false");
    }
    const bool all =
        std::ranges::all_of(verdicts, [](const std::string& v) { return v == "true"; });
    const bool unknown = std::ranges::find(verdicts, "unknown") != verdicts.end();
    const std::string verdict = all ? "true" : unknown ? "unknown" : "false";
    out.text += "  result       " + verdict + "\n";
    out.json += ", \"result\": " + (verdict == "unknown" ? "null" : verdict);
  }
  const auto least = std::ranges::min_element(values, {}, &PropertyValue::low);
  const auto most = std::ranges::max_element(values, {}, &PropertyValue::high);
  if (values.size() == 1) {
    const PropertyValue& value = values.front();
    out.text += (compared ? "  value        " : "  result       ") + bracket(value) + "\n";
    if (!value.exact.empty() && value.exact != bracket(value))
      out.text += "  exactly      " + value.exact + "\n";
    if (!compared) out.json += ", \"result\": " + number(value.low);
    out.json += ", \"low\": " + number(value.low) + ", \"high\": " + number(value.high);
    if (!value.exact.empty()) out.json += ", \"exact\": " + quoted(value.exact);
    out.json +=
        std::string(", \"certificate\": \"") + (value.is_exact ? "exact" : "bracket") + "\"}";
    return out;
  }
  out.text += fmt::format("  result       [{}, {}], over {} initial states\n",
                          decimal(least->low),
                          decimal(most->high),
                          values.size());
  if (!compared)
    out.json += ", \"result\": [" + number(least->low) + ", " + number(most->high) + "]";
  out.json += ", \"initial_states\": [";
  for (std::size_t i = 0; i < values.size(); ++i) {
    constexpr std::size_t kMost = 50;
    if (i < kMost)
      out.text += fmt::format("    {}  {}\n", visible(values[i].state), bracket(values[i]));
    out.json += fmt::format("{}{{\"state\": {}, \"low\": {}, \"high\": {}}}",
                            i == 0 ? "" : ", ",
                            quoted(values[i].state),
                            number(values[i].low),
                            number(values[i].high));
  }
  out.json += "]}";
  return out;
}

}  // namespace quantiplan::cli
