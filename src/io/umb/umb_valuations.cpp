#include "io/umb/umb_valuations.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cstdint>
#include <limits>
#include <vector>

#include "base/whole_text.hpp"
#include "io/prism/language/condition.hpp"
#include "io/text/json_text.hpp"

namespace quantiplan {
namespace {

struct PackedVariable {
  std::string name;
  bool is_truth = false;
  std::int64_t low = std::numeric_limits<std::int64_t>::max();
  std::int64_t high = std::numeric_limits<std::int64_t>::min();

  [[nodiscard]] bool is_signed() const { return low < 0; }
  [[nodiscard]] std::uint32_t bits() const {
    if (is_truth) return 1;
    const auto width = [](std::int64_t value) {
      const auto magnitude = static_cast<std::uint64_t>(value < 0 ? ~value : value);
      return static_cast<std::uint32_t>(std::bit_width(magnitude));
    };
    const std::uint32_t wide = std::max(width(low), width(high));
    return std::max(1U, is_signed() ? wide + 1 : wide);
  }
};

std::optional<std::int64_t> value_of(std::string_view text) {
  if (text == "true") return 1;
  if (text == "false") return 0;
  return number_in<std::int64_t>(text);
}

// Calls act(state, variable, value, is_truth); false where a name is no such valuation.
template <class Act>
bool for_each_value(const Model& model, std::vector<std::string>& names, const Act& act) {
  for (std::uint32_t s = 0; s < model.state_count(); ++s) {
    const std::string_view name = model.state_name(State{s});
    const auto values = variables_of_name(name);
    if (values.empty() || (s > 0 && values.size() != names.size())) return false;
    std::string again;
    for (std::size_t v = 0; v < values.size(); ++v) {
      if (s == 0) names.emplace_back(values[v].name);
      if (values[v].name != names[v]) return false;
      const auto value = value_of(values[v].value);
      const bool is_truth = values[v].value == "true" || values[v].value == "false";
      if (!value || !act(s, v, *value, is_truth)) return false;
      again += (v == 0 ? "(" : ",") + names[v] + "=";
      again += is_truth ? std::string(values[v].value) : std::to_string(*value);
    }
    if (again + ")" != name) return false;  // only what is read back as the same name
  }
  return true;
}

}  // namespace

std::optional<UmbValuations> umb_valuations(const Model& model) {
  std::vector<PackedVariable> variables;
  std::vector<std::string> names;
  const auto measure =
      [&](std::uint32_t s, std::size_t v, std::int64_t value, bool is_truth) -> bool {
    if (s == 0) variables.emplace_back().is_truth = is_truth;
    PackedVariable& variable = variables[v];
    variable.low = std::min(variable.low, value);
    variable.high = std::max(variable.high, value);
    return variable.is_truth == is_truth;
  };
  if (!for_each_value(model, names, measure)) return std::nullopt;
  std::uint32_t bits = 0;
  UmbValuations out;
  out.json = "{\"states\": {\"unique\": true, \"classes\": [{\"variables\": [";
  for (std::size_t v = 0; v < variables.size(); ++v) {
    const PackedVariable& variable = variables[v];
    out.json += v == 0 ? "\n    {\"name\": " : ",\n    {\"name\": ";
    append_json_string(out.json, names[v]);
    const char* type = variable.is_truth ? "bool" : variable.is_signed() ? "int" : "uint";
    out.json += fmt::format(R"(, "type": {{"type": "{}", "size": {}}}}})", type, variable.bits());
    bits += variable.bits();
  }
  const std::uint32_t bytes = (bits + 7) / 8;
  if (bits % 8 != 0) out.json += fmt::format(",\n    {{\"padding\": {}}}", 8 - bits % 8);
  out.json += "]}]}}";
  out.bytes.assign(model.state_count() * bytes, '\0');
  std::size_t at = 0;
  names.clear();
  for_each_value(model, names, [&](std::uint32_t s, std::size_t v, std::int64_t value, bool) {
    if (v == 0) at = 0;
    for (std::uint32_t b = 0; b < variables[v].bits(); ++b, ++at) {
      const bool is_set = (static_cast<std::uint64_t>(value) >> b & 1U) != 0;
      if (is_set)
        out.bytes[s * bytes + at / 8] = static_cast<char>(
            static_cast<unsigned char>(out.bytes[s * bytes + at / 8]) | 1U << (at % 8));
    }
    return true;
  });
  return out;
}

}  // namespace quantiplan
