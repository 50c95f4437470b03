#include "finite/device/device_slab.hpp"

#include <fmt/format.h>

#include "finite/device/device_rows.hpp"
#include "finite/device/device_step.hpp"
#include "quantiplan/error.hpp"

namespace quantiplan {
namespace {

class DeviceSlab : public SlabWorker {
 public:
  DeviceSlab(const BackendInput& in, std::shared_ptr<DeviceArrays> arrays, Otherwise otherwise)
      : in_{in.input, in.numbers, in.most_entries, in.limits, counted_by_the_plan_},
        arrays_(std::move(arrays)),
        otherwise_(otherwise) {
    prepare_model(*arrays_, in_.input.stages, in_.limits);
  }

  Outcome back_up(std::uint64_t t,
                  const DenseLayer& later,
                  const RowMixes& mixes,
                  DenseLayer& now,
                  Decisions::LayerRules* rules) override {
    try {
      return step(t, later, mixes, now, rules) ? Outcome::done : Outcome::ended;
    } catch (const DeviceFull& full) {
      if (otherwise_ == Otherwise::refuse)
        throw Error(ErrorCode::refused,
                    "--backend",
                    fmt::format("found 'gpu', but {}; expected auto or host", full.what()));
      if (rules != nullptr) *rules = {};
      if (in_.input.scratch != nullptr) in_.input.scratch->of_backend.reset();
      return Outcome::full;
    }
  }

 private:
  bool step(std::uint64_t t,
            const DenseLayer& later,
            const RowMixes& mixes,
            DenseLayer& now,
            Decisions::LayerRules* rules) {
    DeviceArrays& a = *arrays_;
    const DeviceLayout reached = device_layout(later.spans());
    const DeviceLayout slab = device_layout(now.spans());
    require_narrow(reached);
    require_narrow(slab);
    // Slabs move, and grow by little.
    a.later.require(reached.entries, reached.entries + reached.entries / 4);
    a.now.require(slab.entries, slab.entries + slab.entries / 4);
    put_rows(a, later, reached);
    if (!DeviceStep(in_, a, false).run(t, now.spans(), slab, mixes, later.spans().size(), rules))
      return false;
    if (slab.entries > 0)
      a.machine->copy_out(now.row(0), a.now.data(), sizeof(double) * slab.entries);
    if (!a.later_slots.is_of(in_.input.stages.layer(t))) a.later_slots.swap(a.now_slots);
    return true;
  }

  Work counted_by_the_plan_;
  BackendInput in_;
  std::shared_ptr<DeviceArrays> arrays_;
  Otherwise otherwise_;
};

}  // namespace

std::unique_ptr<SlabWorker> make_device_slab(const BackendInput& input,
                                             std::shared_ptr<DeviceArrays> arrays,
                                             Otherwise otherwise) {
  return std::make_unique<DeviceSlab>(input, std::move(arrays), otherwise);
}

}  // namespace quantiplan
