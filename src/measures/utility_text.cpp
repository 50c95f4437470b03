#include <algorithm>
#include <array>
#include <functional>

#include "base/nearest_name.hpp"
#include "base/quoted.hpp"
#include "quantiplan/error.hpp"
#include "quantiplan/utility.hpp"

namespace quantiplan {
namespace {

using Parameters = std::vector<Rational>;

struct FamilyForm {
  std::string_view name;
  std::string_view form;
  std::size_t least;  // how many parameters there must be
  std::size_t most;
  Utility (*make)(const Parameters&);
};

constexpr std::string_view kTable = "table";
constexpr std::array<FamilyForm, 4> kFamilies{{
    {"exponential",
     "exponential(beta)",
     1,
     1,
     [](const Parameters& p) { return Utility::exponential(p[0]); }},
    {"power",
     "power(exponent) or power(exponent, origin)",
     1,
     2,
     [](const Parameters& p) { return Utility::power(p[0], p.size() > 1 ? p[1] : Rational(0)); }},
    {"logarithm",
     "logarithm or logarithm(origin)",
     0,
     1,
     [](const Parameters& p) { return Utility::logarithm(p.empty() ? Rational(0) : p[0]); }},
    {"target",
     "target(level, penalty)",
     2,
     2,
     [](const Parameters& p) { return Utility::target(p[0], p[1]); }},
}};

std::string_view without_blanks_around(std::string_view text) {
  constexpr std::string_view kBlanks = " \t";
  const auto first = text.find_first_not_of(kBlanks);
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(kBlanks) - first + 1);
}

const FamilyForm& family_named(std::string_view name, const std::string& place) {
  const auto found = std::ranges::find(kFamilies, name, &FamilyForm::name);
  if (found != kFamilies.end()) return *found;
  NearestName nearest(name);
  std::string forms;
  for (const FamilyForm& family : kFamilies) {
    nearest.offer(family.name);
    forms += (forms.empty() ? "" : ", ") + std::string(family.form);
  }
  throw Error(ErrorCode::bad_request,
              place,
              "found " + in_quotes(name) + ", expected " + forms + nearest.suggestion());
}

Parameters parameters_in(std::string_view list,
                         const FamilyForm& family,
                         const std::string& place) {
  Parameters parameters;
  if (without_blanks_around(list).empty()) return parameters;
  while (true) {
    const auto comma = list.find(',');
    std::string why;
    const auto number = Number::try_parse(without_blanks_around(list.substr(0, comma)), &why);
    if (!number) throw Error(ErrorCode::bad_request, place, std::string(family.name) + ": " + why);
    parameters.push_back(number->rational());
    if (comma == std::string_view::npos) return parameters;
    list.remove_prefix(comma + 1);
  }
}

// What is wrong with a utility, at its place.
template <class Make>
Utility placed(const std::string& place, const Make& make) {
  try {
    return make();
  } catch (const Error& error) {
    throw Error(error.code(), place, error.problems().front().message);
  }
}

// "0 0, 10 5, 10 8; 2, 1/2": points, and the slopes before and after them where they are not 0.
Utility table_of(std::string_view text, const std::string& place) {
  const auto numbers_in = [&](std::string_view list, std::string_view between) {
    std::vector<Rational> numbers;
    while (true) {
      list = without_blanks_around(list);
      const auto end = std::min(list.find_first_of(between), list.size());
      std::string why;
      const auto number = Number::try_parse(without_blanks_around(list.substr(0, end)), &why);
      if (!number) throw Error(ErrorCode::bad_request, place, "table: " + why);
      numbers.push_back(number->rational());
      if (end == list.size()) return numbers;
      list.remove_prefix(end + 1);
    }
  };
  const auto semicolon = text.find(';');
  std::vector<Utility::Point> points;
  std::string_view list = text.substr(0, semicolon);
  for (bool is_last = false; !is_last;) {
    const auto comma = std::min(list.find(','), list.size());
    is_last = comma == list.size();
    const std::vector<Rational> point = numbers_in(list.substr(0, comma), " \t");
    if (point.size() != 2)
      throw Error(ErrorCode::bad_request,
                  place,
                  "table: found " + in_quotes(without_blanks_around(list.substr(0, comma)), 40) +
                      ", expected a wealth and its utility, with a blank between");
    points.push_back({point[0], point[1]});
    if (!is_last) list.remove_prefix(comma + 1);
  }
  std::vector<Rational> slopes(2);
  if (semicolon != std::string_view::npos) slopes = numbers_in(text.substr(semicolon + 1), ",");
  if (slopes.size() != 2)
    throw Error(ErrorCode::bad_request,
                place,
                "table: expected two slopes after the semicolon, below and above the points");
  return placed(place, [&] { return Utility::table(std::move(points), slopes[0], slopes[1]); });
}

}  // namespace

std::string to_whole_text(const Utility& utility) {
  if (utility.family() != Utility::Family::table) return to_text(utility);
  std::string out = "table(";
  for (const Utility::Point& point : utility.points()) {
    if (out.back() != '(') out += ", ";
    out += to_text(point.x) + ' ' + to_text(point.u);
  }
  if (utility.slope_below() != 0 || utility.slope_above() != 0)
    out += "; " + to_text(utility.slope_below()) + ", " + to_text(utility.slope_above());
  return out + ')';
}

std::string to_text(const Utility& utility) {
  const auto in_brackets = [](const char* name, const std::string& parameters) {
    return name + ("(" + parameters + ")");
  };
  const std::string origin = to_text(utility.origin());
  const std::string parameter = to_text(utility.parameter());
  switch (utility.family()) {
    case Utility::Family::exponential:
      return in_brackets("exponential", parameter);
    case Utility::Family::power:
      return in_brackets("power", parameter + (utility.origin() == 0 ? "" : ", " + origin));
    case Utility::Family::logarithm:
      return in_brackets("logarithm", origin);
    case Utility::Family::target:
      return in_brackets("target", origin + ", " + parameter);
    case Utility::Family::table:
      break;
  }
  const std::size_t count = utility.points().size();
  return "table of " + std::to_string(count) + (count == 1 ? " point" : " points");
}

bool is_utility_name(std::string_view text) {
  text = without_blanks_around(text);
  if (text == "logarithm" || text.ends_with(')')) return true;
  const auto open = text.find('(');
  const std::string_view name = without_blanks_around(text.substr(0, open));
  return open != std::string_view::npos &&
         (name == kTable ||
          std::ranges::find(kFamilies, name, &FamilyForm::name) != kFamilies.end());
}

Utility parse_utility(std::string_view text, const std::string& place) {
  text = without_blanks_around(text);
  const auto open = text.find('(');
  const std::string_view name = without_blanks_around(text.substr(0, open));
  const bool is_table = name == kTable && open != std::string_view::npos;
  const FamilyForm* family = is_table ? nullptr : &family_named(name, place);
  std::string_view list;
  if (open != std::string_view::npos) {
    if (text.back() != ')') {
      throw Error(ErrorCode::bad_request,
                  place,
                  "found " + in_quotes(text) + ", expected a closing parenthesis at its end");
    }
    list = text.substr(open + 1, text.size() - open - 2);
  }
  if (is_table) return table_of(list, place);
  const Parameters parameters = parameters_in(list, *family, place);
  if (parameters.size() < family->least || parameters.size() > family->most) {
    throw Error(ErrorCode::bad_request,
                place,
                "found " + in_quotes(text) + ", expected " + std::string(family->form));
  }
  return placed(place, [&] { return family->make(parameters); });
}

}  // namespace quantiplan
