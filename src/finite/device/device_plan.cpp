#include "finite/device/device_plan.hpp"

#include <algorithm>
#include <limits>

namespace quantiplan {

DeviceLayout device_layout(std::span<const Span<double>> spans) {
  DeviceLayout out;
  out.functions.reserve(spans.size());
  for (const Span<double>& span : spans) {
    out.functions.push_back(
        {span.from, static_cast<std::int64_t>(span.width()), out.entries, span.below, span.above});
    out.entries += span.width();
  }
  return out;
}

std::vector<std::uint64_t> stretches_before(std::span<const device::Function> functions,
                                            std::uint32_t size) {
  std::vector<std::uint64_t> begin;
  begin.reserve(functions.size() + 1);
  std::uint64_t count = 0;
  for (const device::Function& function : functions) {
    begin.push_back(count);
    count += (static_cast<std::uint64_t>(function.width) + size - 1) / size;
  }
  begin.push_back(count);
  return begin;
}

TilePlan tile_plan(std::span<const device::Function> functions,
                   std::uint64_t later_functions,
                   std::uint64_t reach,
                   std::uint64_t cache_bytes) {
  TilePlan plan;
  plan.tile_begin = stretches_before(functions, device::kTile);
  plan.warps = plan.tile_begin.back();
  if (plan.warps == 0) return plan;
  std::int64_t low = std::numeric_limits<std::int64_t>::max();
  std::int64_t high = std::numeric_limits<std::int64_t>::min();
  for (const device::Function& function : functions) {
    if (function.width == 0) continue;
    low = std::min<std::int64_t>(low, function.from);
    high = std::max<std::int64_t>(high, function.from + function.width);
  }
  // All functions of a tile together must find what they read in the cache, and most of them have something there.
  const double read = 8.0 * static_cast<double>(later_functions) *
                      (static_cast<double>(reach) + static_cast<double>(device::kTile));
  const double tiles = (static_cast<double>(high) - static_cast<double>(low)) / device::kTile + 1;
  if (read > static_cast<double>(cache_bytes) ||
      tiles * static_cast<double>(functions.size()) > 2.0 * static_cast<double>(plan.warps) + 1024)
    return plan;
  plan.by_function = false;
  plan.low = low;
  plan.warps = (static_cast<std::uint64_t>(high - low) + device::kTile - 1) / device::kTile *
               functions.size();
  plan.tile_begin.clear();
  return plan;
}

std::uint64_t DeviceNeed::bytes() const noexcept {
  constexpr std::uint64_t kRest = std::uint64_t{64} << 20U;  // runs, keys, what nobody counts
  const std::uint64_t of_model =
      4 * states + (8 + 4) * choices + sizeof(device::ModelOutcome) * outcomes;
  const std::uint64_t of_choices = (8 + 4 + 4 + 4) * choices;
  const std::uint64_t of_slots =
      (2 * sizeof(device::Function) + sizeof(device::Task) + 40) * states;
  const std::uint64_t of_entries = (decisions ? 2 * 8 + 4 + 12 / 4 : 2 * 8) * most_entries;
  return of_model + of_choices + of_slots + of_entries + sizeof(device::Term) * outcomes + kRest;
}

}  // namespace quantiplan
