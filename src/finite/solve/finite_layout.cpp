#include "finite/solve/finite_layout.hpp"

#include "finite/device/device_induction.hpp"

namespace quantiplan {

FiniteLayout::FiniteLayout(const Model& model_in,
                           const ResolvedSetting& setting_in,
                           const Options& options_in)
    : model(model_in),
      options(options_in),
      setting((options_in.validate(), setting_in)),
      own_limits(std::make_unique<Limits>(options)),
      limits(*own_limits) {}

FiniteLayout::FiniteLayout(std::shared_ptr<FiniteLayout> whole_in,
                           const Grid& grid,
                           Rounding rounding)
    : whole(std::move(whole_in)),
      model(whole->model),
      options(whole->options),
      setting(whole->setting),
      limits(whole->limits),
      stages(std::make_shared<Stages>(*whole->stages, grid, rounding, &limits)) {
  // Windows, needs, expectations and choices, for each time and slot; and the keys of the rewards.
  constexpr std::uint64_t kBytesPerSlot = 64;
  std::uint64_t slots = 0;
  for (std::uint64_t t = 0; t <= stages->horizon(); ++t) slots += stages->layer(t).size();
  const std::uint64_t bytes = kBytesPerSlot * slots + stages->scale().bytes();
  limits.take(bytes, "the windows of a rounded problem");
  held_bytes_ = bytes;
}

FiniteLayout::FiniteLayout(std::shared_ptr<FiniteLayout> all_in, std::size_t slot)
    : all(std::move(all_in)),
      model(all->model),
      options(all->options),
      setting(all->setting),
      limits(all->limits),
      stages(std::make_shared<Stages>(all->stages->from_start(slot))),
      windows(std::make_shared<Windows>(all->windows->from_start(slot))) {
  setting.initial = stages->setting().initial;
}

FiniteLayout::~FiniteLayout() { limits.give_back(held_bytes_); }

bool FiniteLayout::lay_out() {
  if (!stages) {
    auto laid_out = std::make_shared<Stages>(model, setting, limits);
    if (!laid_out->complete()) return false;
    if (options.engine == Engine::paper) laid_out->add_states_not_met(limits);
    stages = laid_out;
  }
  if (!stages->complete()) return false;
  if (!stages->has_keys() || windows) return true;
  auto bounds = windows_by_device(*stages, options.backend, scratch(), limits);
  if (!bounds) bounds = std::make_shared<Windows>(*stages, ChoiceFilter(), limits);
  if (!bounds->complete()) return false;
  windows = bounds;
  return true;
}

}  // namespace quantiplan
