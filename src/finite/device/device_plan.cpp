#include "finite/device/device_plan.hpp"

#include <algorithm>
#include <bit>
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
  const int shift = std::countr_zero(size);
  std::uint64_t count = 0;
  for (const device::Function& function : functions) {
    begin.push_back(count);
    count += (static_cast<std::uint64_t>(function.width) + size - 1) >> shift;
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
  std::int64_t least = std::numeric_limits<std::int64_t>::max();
  std::int64_t most = std::numeric_limits<std::int64_t>::min();
  std::uint64_t widest = 0;
  for (const device::Function& function : functions) {
    if (function.width == 0) continue;
    least = std::min<std::int64_t>(least, function.from);
    most = std::max<std::int64_t>(most, function.from);
    widest = std::max(widest, static_cast<std::uint64_t>(function.width));
  }
  // All functions of a tile together must find what they read in the cache, and most of them have such a tile.
  const double residuals = static_cast<double>(reach) + static_cast<double>(device::kTile) +
                           (static_cast<double>(most) - static_cast<double>(least));
  const double read = sizeof(double) * static_cast<double>(later_functions) * residuals;
  const std::uint64_t tiles = (widest + device::kTile - 1) / device::kTile;
  if (read > static_cast<double>(cache_bytes) || tiles * functions.size() > 2 * plan.warps + 1024)
    return plan;
  plan.by_function = false;
  plan.warps = tiles * functions.size();
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
