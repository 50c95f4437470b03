#include "finite/device/gpu_backend.hpp"

#include <fmt/format.h>

#include "device/cuda_accelerator.hpp"
#include "finite/device/device_arrays.hpp"
#include "finite/device/device_backend.hpp"
#include "quantiplan/error.hpp"
#include "quantiplan/ranks.hpp"

namespace quantiplan {
namespace {

// Products a second of a thread of the host, roughly; and what a device must save to be asked: little if it is at hand,
// more than it takes to set it up if not.
constexpr double kHostProducts = 1.5e9;
constexpr double kSecondsAtHand = 0.005;
constexpr double kSecondsToSetUp = 2;

// The products of all layers, as far as windows and needs tell.
double products_of(const PassInput<double>& input) {
  const Stages& stages = input.stages;
  const Model& model = stages.model();
  double products = 0;
  for (std::uint64_t t = 0; t < stages.horizon(); ++t) {
    for (std::size_t slot = 0; slot < stages.layer(t).size(); ++slot) {
      const ChoiceRange choices = model.choices(stages.layer(t).state(slot));
      if (choices.empty()) continue;
      const Window& w = input.windows.at(t, slot);
      Interval open{w.sure, w.possible};
      if (input.needs != nullptr) {
        const Interval& need = input.needs->at(t, slot);
        open = {std::max(open.above, need.above), std::min(open.upto, need.upto)};
      }
      const auto last = model.outcomes(choices[choices.size() - 1]);
      const auto terms = last.data() + last.size() - model.outcomes(choices.front()).data();
      products += static_cast<double>(open.size()) * static_cast<double>(terms);
    }
  }
  return products;
}

// Of this process's part, where several share the pass.
bool is_worth_it(const BackendInput& in) {
  const double least = is_cuda_ready() ? kSecondsAtHand : kSecondsToSetUp;
  const RankGroup* ranks = in.limits.ranks();
  const double parts = ranks == nullptr ? 1 : static_cast<double>(ranks->size());
  return products_of(in.input) / parts >
         least * kHostProducts * static_cast<double>(in.limits.threads());
}

// The arrays of an earlier pass, or new ones; null, and why, if there is no GPU.
std::shared_ptr<DeviceArrays> arrays_for(const BackendInput& in, std::string& why) {
  PassScratch* scratch = in.input.scratch;
  if (scratch != nullptr && scratch->of_backend)
    return std::static_pointer_cast<DeviceArrays>(scratch->of_backend);
  const RankGroup* ranks = in.limits.ranks();
  std::unique_ptr<Accelerator> machine =
      open_cuda_accelerator(why, ranks == nullptr ? 0 : ranks->place_on_this_machine());
  if (!machine) return nullptr;
  std::shared_ptr<DeviceArrays> arrays = make_device_arrays(std::move(machine));
  if (scratch != nullptr) scratch->of_backend = arrays;
  return arrays;
}

std::unique_ptr<DenseBackend> make_gpu_backend(const BackendInput& in) {
  std::string why;
  try {
    std::shared_ptr<DeviceArrays> arrays = arrays_for(in, why);
    if (arrays) return make_device_backend(in, std::move(arrays), Otherwise::refuse);
  } catch (const DeviceFull& full) {
    why = full.what();
  }
  throw Error(ErrorCode::refused,
              "--backend",
              fmt::format("found 'gpu', but {}; expected auto or host", why));
}

std::unique_ptr<DenseBackend> make_best_backend(const BackendInput& in) {
  if (!has_cuda_device() || !is_worth_it(in)) return make_host_backend(in);
  std::string why;
  try {
    std::shared_ptr<DeviceArrays> arrays = arrays_for(in, why);
    if (arrays) return make_device_backend(in, std::move(arrays), Otherwise::host);
  } catch (const DeviceFull&) {
    if (in.input.scratch != nullptr) in.input.scratch->of_backend.reset();
  }
  return make_host_backend(in);
}

}  // namespace

MakeBackend backend_maker(Backend backend) {
  if (backend == Backend::host) return nullptr;
  return backend == Backend::gpu ? make_gpu_backend : make_best_backend;
}

}  // namespace quantiplan
