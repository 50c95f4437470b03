#include "finite/device/device_rows.hpp"

#include <fmt/format.h>

namespace quantiplan {
namespace {

// Entries of one function are counted in 31 bits there.
constexpr std::uint64_t kMostWidth = (std::uint64_t{1} << 31U) - 2 * device::kTile;

}  // namespace

void prepare_model(DeviceArrays& a, const Stages& stages, const Limits& limits) {
  if (!a.model || !a.model->is_of(stages)) {
    a.model.reset();
    a.model = std::make_unique<DeviceModel>(*a.machine, stages, limits.threads());
  }
  a.later_slots.forget();
  a.now_slots.forget();
}

void require_narrow(const DeviceLayout& layout) {
  for (const device::Function& function : layout.functions) {
    if (static_cast<std::uint64_t>(function.width) > kMostWidth)
      throw DeviceFull(fmt::format(
          "a function has {} levels, and the device counts to {}", function.width, kMostWidth));
  }
}

void put_rows(DeviceArrays& a, const DenseLayer& layer, const DeviceLayout& layout) {
  a.later_functions.put(layout.functions);
  for (std::size_t slot = 0; slot < layout.functions.size();) {
    // Rows that follow one another are copied at once.
    const double* first = layer.row(slot);
    std::uint64_t count = 0;
    const std::uint64_t begin = layout.functions[slot].begin;
    for (; slot < layout.functions.size() && layer.row(slot) == first + count; ++slot)
      count += layer.span(slot).width();
    a.machine->copy_in(a.later.data() + begin, first, sizeof(double) * count);
  }
}

}  // namespace quantiplan
