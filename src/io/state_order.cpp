#include "io/state_order.hpp"

#include <algorithm>
#include <numeric>

#include "base/whole_text.hpp"

namespace quantiplan {

std::vector<std::uint32_t> order_of_ids(const std::vector<std::string_view>& names) {
  std::vector<std::uint32_t> order(names.size());
  std::iota(order.begin(), order.end(), 0U);
  std::vector<std::int64_t> values;
  values.reserve(names.size());
  for (const std::string_view name : names) {
    const auto value = number_in<std::int64_t>(name);
    if (!value) return order;
    values.push_back(*value);
  }
  std::stable_sort(order.begin(), order.end(), [&](std::uint32_t a, std::uint32_t b) {
    return values[a] < values[b];
  });
  return order;
}

}  // namespace quantiplan
