#include "model/shown.hpp"

#include <fmt/format.h>

namespace quantiplan {
namespace {

constexpr std::size_t kMostShown = 60;

}  // namespace

std::string shown(const Rational& value) {
  std::string text = to_text(value);
  if (text.size() <= kMostShown) return text;
  return fmt::format(
      "about {:.12g} (the exact text has {} characters)", to_nearest_double(value), text.size());
}

}  // namespace quantiplan
