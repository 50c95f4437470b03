// Single values of a policy file: numbers, probabilities, whole numbers.
#include "base/quoted.hpp"
#include "io/policy/policy_reader.hpp"
#include "model/shown.hpp"

namespace quantiplan {

std::optional<Rational> PolicyReader::rational(JsonKind kind, std::string_view text) {
  const auto found = number(kind, text, [&] { return label(); });
  return found ? std::optional(found->rational()) : std::nullopt;
}

std::optional<Total> PolicyReader::total(JsonKind kind, std::string_view text) {
  if (kind == JsonKind::string) {
    for (const Total& end : {Total::miss(), Total::minus_infinity(), Total::plus_infinity()}) {
      if (text == to_text(end)) return end;
    }
    if (!Number::try_parse(text)) {
      problem(
          line(),
          label() + "found " + in_quotes(text, 40) + ", must be a number, 'inf', '-inf' or 'miss'");
      return std::nullopt;
    }
  }
  if (auto found = rational(kind, text)) return Total(*found);
  return std::nullopt;
}

std::optional<Rational> PolicyReader::probability(JsonKind kind, std::string_view text) {
  auto found = rational(kind, text);
  if (!found || (*found >= 0 && *found <= 1)) return found;
  problem(line(), label() + "found " + shown(*found) + ", must be from 0 to 1");
  return std::nullopt;
}

std::optional<std::uint64_t> PolicyReader::whole(JsonKind kind, std::string_view text) {
  const auto found = rational(kind, text);
  if (!found) return std::nullopt;
  if (found->get_den() == 1 && *found >= 0 && found->get_num().fits_ulong_p())
    return found->get_num().get_ui();
  problem(line(), label() + "found " + in_quotes(text, 40) + ", must be a whole number");
  return std::nullopt;
}

}  // namespace quantiplan
