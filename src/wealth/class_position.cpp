// Where a level stands among the classes that were met.
#include <algorithm>

#include "quantiplan/structure.hpp"

namespace quantiplan {
namespace {

std::optional<Total> total_of(std::string_view text) {
  if (text == "inf") return Total::plus_infinity();
  if (text == "-inf") return Total::minus_infinity();
  const std::optional<Number> number = Number::try_parse(text);
  return number ? std::optional<Total>(number->rational()) : std::nullopt;
}

}  // namespace

std::optional<std::size_t> position_of(std::string_view level,
                                       const WealthClasses& classes,
                                       const Wealth& declared) {
  const auto first = [&](const auto& is_good_enough) {
    std::size_t k = 1;
    while (k <= classes.size() && !is_good_enough(k)) ++k;
    return k;
  };
  const std::size_t met = first([&](std::size_t k) { return classes.text(k) == level; });
  if (met <= classes.size()) return met;
  const auto& names = declared.classes;
  if (const auto found = std::ranges::find(names, level);
      found != names.end() && classes.structure().declared_classes() == names.size()) {
    const auto rank = static_cast<std::size_t>(found - names.begin()) + 1;
    return first([&](std::size_t k) { return classes.rank(k) >= rank; });
  }
  const bool is_numeric = classes.size() > 0 && classes.number(1).has_value();
  const std::optional<Total> wanted = is_numeric ? total_of(level) : std::nullopt;
  if (!wanted) return std::nullopt;
  return first([&](std::size_t k) { return *classes.number(k) >= *wanted; });
}

}  // namespace quantiplan
