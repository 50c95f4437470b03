#include "io/state_order.hpp"

#include <algorithm>
#include <charconv>
#include <numeric>
#include <optional>

namespace quantiplan {
namespace {

std::optional<std::int64_t> signed_number(std::string_view text) {
  std::int64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return value;
}

}  // namespace

std::vector<std::uint32_t> order_of_ids(const std::vector<std::string_view>& names) {
  std::vector<std::uint32_t> order(names.size());
  std::iota(order.begin(), order.end(), 0U);
  std::vector<std::int64_t> values;
  values.reserve(names.size());
  for (const std::string_view name : names) {
    const auto value = signed_number(name);
    if (!value) return order;
    values.push_back(*value);
  }
  std::stable_sort(order.begin(), order.end(), [&](std::uint32_t a, std::uint32_t b) {
    return values[a] < values[b];
  });
  return order;
}

}  // namespace quantiplan
