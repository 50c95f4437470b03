#include "check/classes/wealth_level.hpp"

#include <algorithm>

namespace quantiplan::checking {
namespace {

std::optional<Total> number_in(const std::string& text) {
  if (text == "inf") return Total::plus_infinity();
  if (text == "-inf") return Total::minus_infinity();
  const std::optional<Number> value = Number::try_parse(text);
  return value ? std::optional<Total>(value->rational()) : std::nullopt;
}

}  // namespace

std::optional<WealthLevel> WealthLevel::find(const Structure& structure,
                                             const std::string& text,
                                             CheckLimits& limits) {
  const std::optional<Total> value = number_in(text);
  std::optional<WealthId> equal;
  for (std::size_t i = 0; i < structure.size(); ++i) {
    limits.require();
    const WealthId wealth{static_cast<std::uint32_t>(i)};
    if (structure.class_text(wealth) == text) return WealthLevel(structure, wealth);
    if (equal || !value) continue;
    const std::optional<Total> number = structure.number(wealth);
    if (number && *number == *value) equal = wealth;
  }
  if (!equal) return std::nullopt;
  return WealthLevel(structure, *equal);
}

std::optional<WealthLevel> WealthLevel::without_member(const Structure& structure,
                                                       const Wealth& declared,
                                                       const std::string& text) {
  const auto& names = declared.classes;
  const auto named = std::ranges::find(names, text);
  if (named != names.end() && structure.declared_classes() == names.size())
    return WealthLevel(structure, static_cast<std::size_t>(named - names.begin()) + 1);
  const std::optional<Total> value = number_in(text);
  if (!value || !structure.number(WealthId{0})) return std::nullopt;
  return WealthLevel(structure, *value);
}

std::weak_ordering WealthLevel::compare(WealthId wealth) const {
  if (const auto* member = std::get_if<WealthId>(&mark_)) return structure_->order(wealth, *member);
  if (const auto* rank = std::get_if<std::size_t>(&mark_))
    return structure_->declared_rank(wealth) <=> *rank;
  return *structure_->number(wealth) <=> std::get<Total>(mark_);
}

}  // namespace quantiplan::checking
