#include "check/classes/wealth_level.hpp"

namespace quantiplan::checking {

std::optional<WealthLevel> WealthLevel::find(const Structure& structure,
                                             const std::string& text,
                                             CheckLimits& limits) {
  const std::optional<Number> value = Number::try_parse(text);
  std::optional<WealthId> equal;
  for (std::size_t i = 0; i < structure.size(); ++i) {
    limits.require();
    const WealthId wealth{static_cast<std::uint32_t>(i)};
    if (structure.class_text(wealth) == text) return WealthLevel(structure, wealth);
    if (equal || !value) continue;
    const std::optional<Total> number = structure.number(wealth);
    if (number && *number == Total(value->rational())) equal = wealth;
  }
  if (!equal) return std::nullopt;
  return WealthLevel(structure, *equal);
}

}  // namespace quantiplan::checking
