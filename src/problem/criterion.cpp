#include "quantiplan/criterion.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <utility>

#include "base/nearest_name.hpp"
#include "quantiplan/error.hpp"
#include "quantiplan/visible.hpp"

namespace quantiplan {
namespace {

using Kind = Criterion::Kind;

struct Name {
  Kind kind;
  std::string_view text;
  std::string_view parameter;  // what stands behind the colon; empty: nothing
};
constexpr std::array<Name, 10> kNames{{{Kind::quantile, "quantile", ""},
                                       {Kind::cvar, "cvar", ""},
                                       {Kind::mean_cvar, "mean-cvar", "WEIGHT"},
                                       {Kind::worst_case, "worst-case", ""},
                                       {Kind::expectation, "expectation", ""},
                                       {Kind::utility, "utility", "FILE or NAME(parameters)"},
                                       {Kind::entropic, "entropic", "BETA"},
                                       {Kind::evar, "evar", ""},
                                       {Kind::mean_variance, "mean-variance", "LAMBDA"},
                                       {Kind::nested_cvar, "nested-cvar", ""}}};

const Name& name_of(Kind kind) {
  return *std::ranges::find_if(kNames, [&](const Name& name) { return name.kind == kind; });
}

std::string all_names() {
  std::string out;
  for (const Name& name : kNames) {
    if (!out.empty()) out += name.kind == Kind::nested_cvar ? " or " : ", ";
    out += name.text;
    if (!name.parameter.empty()) out += fmt::format(":{}", name.parameter);
  }
  return out;
}

// Words that ask for what is refused, and why.
[[noreturn]] void refuse_name(std::string_view text, const std::string& place) {
  const std::string_view name = text.substr(0, text.find(':'));
  const char* why = nullptr;
  if (name == "variance")
    why =
        "a bound on the variance, or the least variance among policies with some mean, is NP-hard";
  if (name == "upper-cvar" || name == "cvar-upper" || name == "best-cvar")
    why =
        "the mean of the best share is concave in the distribution: its optimum tosses a coin, and "
        "no one policy has it. Instead: utility:FILE with the one point (y, 0) and the slope 1 "
        "above, for the level y at which y + value / tau is least; a coin between the best "
        "policies "
        "for it has the optimum";
  if (name == "cpt" || name == "prospect" || name == "prospect-theory")
    why =
        "cumulative prospect theory is no maximum of linear functions of the distribution: it can "
        "be "
        "evaluated, not optimised by a pass";
  if (why != nullptr)
    throw Error(ErrorCode::refused, place, fmt::format("found '{}': {}", visible(text), why));
  NearestName nearest(name);
  for (const Name& each : kNames) nearest.offer(each.text);
  throw Error(
      ErrorCode::bad_request,
      place,
      fmt::format("found '{}', expected {}{}", visible(text), all_names(), nearest.suggestion()));
}

}  // namespace

std::string_view to_text(Criterion::Kind kind) { return name_of(kind).text; }

std::string to_text(const Criterion& criterion) {
  const Name& name = name_of(criterion.kind);
  if (name.parameter.empty()) return std::string(name.text);
  return fmt::format("{}:{}",
                     name.text,
                     criterion.kind == Kind::utility
                         ? (criterion.utility ? to_text(*criterion.utility) : std::string("none"))
                         : to_text(criterion.parameter));
}

void Criterion::validate() const {
  const auto require = [&](bool holds, const char* expected) {
    if (!holds)
      throw Error(ErrorCode::bad_request,
                  "--criterion",
                  fmt::format("found '{}', expected {}", visible(to_text(*this)), expected));
  };
  if (kind == Kind::mean_cvar)
    require(parameter > 0 && parameter <= 1,
            "a weight of the mean above 0 and at most 1; cvar is that of weight 0");
  if (kind == Kind::entropic)
    require(parameter > 0,
            "a beta above 0: it is averse to risk, and expectation is that of beta 0");
  if (kind == Kind::mean_variance)
    require(parameter > 0, "a lambda above 0; expectation is that of lambda 0");
  if (kind == Kind::utility) require(utility.has_value(), "a utility");
}

Criterion parse_criterion(std::string_view text, const std::string& place) {
  const std::size_t colon = text.find(':');
  const std::string_view head = text.substr(0, colon);
  const auto* name = std::ranges::find_if(kNames, [&](const Name& n) { return n.text == head; });
  if (name == kNames.end()) refuse_name(text, place);
  const bool has_more = colon != std::string_view::npos;
  const std::string_view rest = has_more ? text.substr(colon + 1) : std::string_view();
  if (has_more == name->parameter.empty())
    throw Error(
        ErrorCode::bad_request,
        place,
        name->parameter.empty()
            ? fmt::format("found '{}', expected {} alone", visible(text), name->text)
            : fmt::format(
                  "found '{}', expected {}:{}", visible(text), name->text, name->parameter));
  Criterion out;
  out.kind = name->kind;
  if (out.kind == Kind::utility) {
    out.utility = utility_of(std::string(rest), place);
  } else if (has_more) {
    std::string why;
    const auto number = Number::try_parse(rest, &why);
    if (!number)
      throw Error(ErrorCode::bad_request,
                  place,
                  fmt::format("found '{}', expected a number after the colon", visible(text)));
    out.parameter = number->rational();
  }
  out.validate();
  return out;
}

}  // namespace quantiplan
