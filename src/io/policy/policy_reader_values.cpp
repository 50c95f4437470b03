// Single values of a policy file: numbers, probabilities, whole numbers.
#include "base/quoted.hpp"
#include "io/policy/policy_reader.hpp"
#include "model/shown.hpp"

namespace quantiplan {

std::optional<Rational> PolicyReader::rational(JsonValue found) {
  const auto value = number(found);
  return value ? std::optional(value->rational()) : std::nullopt;
}

std::optional<Total> PolicyReader::total(JsonValue found) {
  if (found.kind == JsonKind::string) {
    for (const Total& end : {Total::miss(), Total::minus_infinity(), Total::plus_infinity()}) {
      if (found.text == to_text(end)) return end;
    }
    if (!Number::try_parse(found.text)) {
      problem(line(),
              label() + "found " + in_quotes(found.text, 40) +
                  ", must be a number, 'inf', '-inf' or 'miss'");
      return std::nullopt;
    }
  }
  if (auto value = rational(found)) return Total(*value);
  return std::nullopt;
}

std::optional<Rational> PolicyReader::probability(JsonValue found) {
  auto value = rational(found);
  if (!value || (*value >= 0 && *value <= 1)) return value;
  problem(line(), label() + "found " + shown(*value) + ", must be from 0 to 1");
  return std::nullopt;
}

std::optional<std::uint64_t> PolicyReader::whole(JsonValue found) {
  const auto value = rational(found);
  if (!value) return std::nullopt;
  if (value->get_den() == 1 && *value >= 0 && value->get_num().fits_ulong_p())
    return value->get_num().get_ui();
  problem(line(), label() + "found " + in_quotes(found.text, 40) + ", must be a whole number");
  return std::nullopt;
}

}  // namespace quantiplan
