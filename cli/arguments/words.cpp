// What is written on the command line, as numbers, sides and lists.
#include "arguments/words.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>

#include "arguments/arguments.hpp"
#include "quantiplan/error.hpp"
#include "quantiplan/visible.hpp"

namespace quantiplan::cli {

Error unexpected(const std::string& text, const char* flag, const char* expected) {
  return {ErrorCode::bad_request,
          flag,
          fmt::format("found '{}', expected {}", visible(text), expected)};
}

std::string without_blanks_around(const std::string& text) {
  const std::size_t begin = text.find_first_not_of(" \t");
  if (begin == std::string::npos) return {};
  return text.substr(begin, text.find_last_not_of(" \t") + 1 - begin);
}

Rational to_number(const std::string& text, const char* flag) {
  std::string why;
  const std::optional<Number> number = Number::try_parse(text, &why);
  if (!number) throw Error(ErrorCode::bad_request, flag, why);
  return number->rational();
}

Rational to_chance(const std::string& text, const char* flag) {
  const bool has_sign = text.ends_with('%');
  const auto number = Number::try_parse(has_sign ? text.substr(0, text.size() - 1) : text);
  if (!number || (!has_sign && number->rational() <= 1)) return to_number(text, flag);
  const Rational share = number->rational() / 100;
  throw Error(
      ErrorCode::bad_request,
      flag,
      fmt::format("found {}, must be from 0 to 1{}",
                  text,
                  share >= 0 && share <= 1 ? fmt::format("; did you mean {}?", to_text(share))
                                           : std::string()));
}

std::vector<Rational> to_chances(const std::vector<std::string>& texts, const char* flag) {
  const auto is_whole = [](const std::string& text) {
    return !text.empty() && text.find_first_not_of("0123456789") == std::string::npos;
  };
  std::vector<Rational> out;
  for (std::size_t i = 0; i < texts.size(); ++i) {
    if (i > 0 && texts[i - 1] == "0" && is_whole(texts[i]) && to_number(texts[i], flag) > 1)
      throw Error(
          ErrorCode::bad_request,
          flag,
          fmt::format("found {0}, must be from 0 to 1; did you mean 0.{0} for 0,{0}?", texts[i]));
    out.push_back(to_chance(texts[i], flag));
  }
  return out;
}

Total to_total(const std::string& text, const char* flag) {
  if (text == "inf") return Total::plus_infinity();
  if (text == "-inf") return Total::minus_infinity();
  return to_number(text, flag);
}

void refuse_unmet_class(const char* flag, const std::string& text, const WealthClasses& met) {
  throw Error(
      ErrorCode::bad_request,
      flag,
      fmt::format("found '{}', expected a wealth that the policy may end with, such as '{}'",
                  visible(text),
                  visible(met.text(met.size()))));
}

Total to_wealth(const Total& given, bool is_cost) { return is_cost ? given.negated() : given; }

bool has_costs(const Model& model, const Setting& setting) {
  return setting.cost.value_or(model.has_costs());
}

std::uint64_t to_whole(const std::string& text,
                       const char* flag,
                       std::uint64_t least,
                       const char* expected) {
  std::uint64_t value = 0;
  const char* end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, value);
  if (text.empty() || error != std::errc{} || stop != end || value < least)
    throw unexpected(text, flag, expected);
  return value;
}

Side to_side(const std::string& text, const char* expected) {
  if (text == "lower") return Side::lower;
  if (text == "upper") return Side::upper;
  throw unexpected(text, "--side", expected);
}

std::vector<std::string> split(const std::vector<std::string>& lists) {
  std::vector<std::string> items;
  for (const std::string& list : lists) {
    std::size_t begin = 0;
    int depth = 0;
    for (std::size_t i = 0; i < list.size(); ++i) {
      depth += list[i] == '(' ? 1 : list[i] == ')' ? -1 : 0;
      if (list[i] != ',' || depth > 0) continue;
      items.push_back(without_blanks_around(list.substr(begin, i - begin)));
      begin = i + 1;
    }
    items.push_back(without_blanks_around(list.substr(begin)));
  }
  return items;
}

const std::vector<std::string>& usual_taus() {
  static const std::vector<std::string> taus = {
      "0.01", "0.05", "0.1", "0.25", "0.5", "0.75", "0.9", "0.95", "0.99"};
  return taus;
}

}  // namespace quantiplan::cli
