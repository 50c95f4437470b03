#include "shown.hpp"

#include <fmt/format.h>

namespace quantiplan {
namespace {

constexpr std::size_t kMostShown = 60;

std::string shortened(std::string text, const Rational& value) {
  if (text.size() <= kMostShown) return text;
  return fmt::format(
      "about {:.12g} (the exact text has {} characters)", to_nearest_double(value), text.size());
}

}  // namespace

std::string shown(const Rational& value) { return shortened(to_text(value), value); }

std::string shown_as_fraction(const Rational& value) { return shortened(value.get_str(), value); }

}  // namespace quantiplan
