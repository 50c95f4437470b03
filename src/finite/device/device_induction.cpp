#include "finite/device/device_induction.hpp"

#include "device/cuda_accelerator.hpp"
#include "device/induction_kernels.hpp"
#include "finite/device/device_backend.hpp"
#include "finite/device/device_rows.hpp"
#include "finite/widest_layer.hpp"
#include "quantiplan/error.hpp"
#include "quantiplan/ranks.hpp"

namespace quantiplan {
namespace {

// Fewer states than this leave most of a device idle, and less work is done before it answers.
constexpr std::size_t kLeastSlots = 4096;
constexpr double kLeastOutcomes = 1e7;

bool is_wide(const Stages& stages) {
  return stages.rows().size() == 0 && widest_layer(stages) >= kLeastSlots &&
         static_cast<double>(stages.model().outcome_count()) *
                 static_cast<double>(stages.horizon()) >=
             kLeastOutcomes;
}

// Null if it is not worth it. Setting a device up is left to the pass, which knows its size.
std::shared_ptr<DeviceArrays> arrays_at_hand(const Stages& stages,
                                             Backend backend,
                                             PassScratch& scratch,
                                             const Limits& limits) {
  if (backend == Backend::host || !is_wide(stages)) return nullptr;
  if (backend == Backend::automatic && !is_cuda_ready()) return nullptr;
  if (!scratch.of_backend) {
    std::string why;
    const RankGroup* ranks = limits.ranks();
    std::unique_ptr<Accelerator> machine =
        open_cuda_accelerator(why, ranks == nullptr ? 0 : ranks->place_on_this_machine());
    if (!machine) return nullptr;
    scratch.of_backend = make_device_arrays(std::move(machine));
  }
  return std::static_pointer_cast<DeviceArrays>(scratch.of_backend);
}

// The slots of t and t + 1 are on the device, and those of t are returned.
const DeviceSlots& put_layers(DeviceArrays& a, const Stages& stages, std::uint64_t t) {
  const std::size_t states = stages.model().state_count();
  if (!a.later_slots.is_of(stages.layer(t + 1))) {
    if (a.now_slots.is_of(stages.layer(t + 1))) {
      a.later_slots.swap(a.now_slots);
    } else {
      a.later_slots.put(stages.layer(t + 1), states);
    }
  }
  if (a.later_slots.is_of(stages.layer(t))) return a.later_slots;
  if (!a.now_slots.is_of(stages.layer(t))) a.now_slots.put(stages.layer(t), states);
  return a.now_slots;
}

template <class Arguments>
void launch_slots(DeviceArrays& a, DeviceKernel kernel, Arguments arguments) {
  a.machine->launch(kernel, (arguments.slots + 31) / 32, &arguments, sizeof(arguments));
}

}  // namespace

std::shared_ptr<const Windows> windows_on(DeviceArrays& a,
                                          const Stages& stages,
                                          const Limits& limits) {
  static_assert(sizeof(Window) == sizeof(device::SlotWindow));
  prepare_model(a, stages, limits);
  const std::uint64_t horizon = stages.horizon();
  DeviceArray<device::SlotWindow> later(*a.machine);
  DeviceArray<device::SlotWindow> now(*a.machine);
  std::vector<std::vector<Window>> at(horizon + 1);
  at[horizon].resize(stages.layer(horizon).size());
  later.put(at[horizon]);
  for (std::uint64_t t = horizon; t-- > 0;) {
    if (limits.ended()) return nullptr;
    std::vector<device::i64> keys(a.model->rewards().size(), 0);
    for (std::size_t i = 1; i < keys.size(); ++i)
      keys[i] = stages.scale().key(t, a.model->rewards()[i]);
    a.keys.put(keys);
    const DeviceSlots& slots = put_layers(a, stages, t);
    const std::size_t count = stages.layer(t).size();
    now.require(count);
    launch_slots(a,
                 DeviceKernel::find_windows,
                 device::FindWindows{0,
                                     a.model->arrays(),
                                     static_cast<std::uint32_t>(count),
                                     slots.state_of_slot(),
                                     a.later_slots.slot_of_state(),
                                     a.keys.data(),
                                     stages.scale().shift_after(t),
                                     later.data(),
                                     now.data()});
    at[t].resize(count);
    a.machine->copy_out(at[t].data(), now.data(), sizeof(Window) * count);
    later.swap(now);
  }
  return std::make_shared<const Windows>(std::move(at));
}

std::shared_ptr<const Expectation<double>> expectation_on(DeviceArrays& a,
                                                          const Stages& stages,
                                                          const Limits& limits) {
  prepare_model(a, stages, limits);
  const std::uint64_t horizon = stages.horizon();
  std::vector<std::vector<double>> values(horizon + 1);
  std::vector<std::vector<Choice>> choices(horizon + 1);
  values[horizon].resize(stages.layer(horizon).size());
  choices[horizon].resize(values[horizon].size());
  DeviceArray<double> later(*a.machine);
  DeviceArray<double> now(*a.machine);
  DeviceArray<std::uint32_t> chosen(*a.machine);
  later.put(values[horizon]);
  a.choice_values.require(stages.model().choice_count());
  for (std::uint64_t t = horizon; t-- > 0;) {
    if (limits.ended()) return nullptr;
    std::vector<double> rewards(a.model->rewards().size(), 0);
    for (std::size_t i = 1; i < rewards.size(); ++i)
      rewards[i] =
          Arithmetics<double>::reward(stages, t, {State{}, NumberId{}, a.model->rewards()[i]});
    a.rewards.put(rewards);
    const DeviceSlots& slots = put_layers(a, stages, t);
    const std::size_t count = stages.layer(t).size();
    now.require(count);
    chosen.require(count);
    launch_slots(a,
                 DeviceKernel::find_means,
                 device::FindMeans{0,
                                   a.model->arrays(),
                                   static_cast<std::uint32_t>(count),
                                   slots.state_of_slot(),
                                   a.later_slots.slot_of_state(),
                                   a.rewards.data(),
                                   Arithmetics<double>::earlier(stages, t, 1.0),
                                   rounding_of_means(stages.model().most_outcomes()),
                                   later.data(),
                                   a.choice_values.data(),
                                   now.data(),
                                   chosen.data()});
    values[t].resize(count);
    choices[t].resize(count);
    a.machine->copy_out(values[t].data(), now.data(), sizeof(double) * count);
    a.machine->copy_out(choices[t].data(), chosen.data(), sizeof(Choice) * count);
    later.swap(now);
  }
  return std::make_shared<const Expectation<double>>(std::move(values), std::move(choices));
}

std::shared_ptr<const Windows> windows_by_device(const Stages& stages,
                                                 Backend backend,
                                                 PassScratch& scratch,
                                                 const Limits& limits) {
  try {
    const auto arrays = arrays_at_hand(stages, backend, scratch, limits);
    return arrays ? windows_on(*arrays, stages, limits) : nullptr;
  } catch (const DeviceFull&) {
    scratch.of_backend.reset();
    return nullptr;
  }
}

std::shared_ptr<const Expectation<double>> expectation_by_device(const Stages& stages,
                                                                 Backend backend,
                                                                 PassScratch& scratch,
                                                                 const Limits& limits) {
  try {
    const auto arrays = arrays_at_hand(stages, backend, scratch, limits);
    return arrays ? expectation_on(*arrays, stages, limits) : nullptr;
  } catch (const DeviceFull&) {
    scratch.of_backend.reset();
    return nullptr;
  }
}

}  // namespace quantiplan
