#include <array>

#include "quantiplan/answer.hpp"

namespace quantiplan {

std::string_view to_text(Status status) {
  constexpr std::array<std::string_view, 5> kTexts{
      "not_called", "solved", "limit_reached", "interrupted", "unsettled"};
  return kTexts[static_cast<std::size_t>(status)];
}

std::string_view to_text(Certificate certificate) {
  constexpr std::array<std::string_view, 4> kTexts{"none", "exact", "bracket", "tie"};
  return kTexts[static_cast<std::size_t>(certificate)];
}

}  // namespace quantiplan
