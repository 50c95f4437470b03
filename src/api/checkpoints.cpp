#include "api/checkpoints.hpp"

#include <array>

#include "base/call.hpp"
#include "base/checkpoint_folder.hpp"
#include "base/digest.hpp"
#include "quantiplan/ranks.hpp"

namespace quantiplan {

void begin_checkpoints(const Model& model, const ResolvedSetting& setting, const Options& options) {
  CheckpointFolder* folder = options.call ? options.call->checkpoints() : nullptr;
  if (folder == nullptr || folder->has_begun()) return;
  Digest all;
  all.value(digest(model)).value(setting.horizon).text(to_text(setting.discount));
  for (const auto& [state, probability] : setting.initial)
    all.value(state).text(to_text(probability));
  for (const State s : setting.goal) all.value(s);
  all.value(setting.cost).value(setting.adversarial);
  // Threads, kernels and limits may be others.
  constexpr std::array<std::string_view, 5> kThatCount{
      "engine", "epsilon", "arithmetic", "representation", "reduce"};
  for (const OptionEntry& entry : option_table())
    for (const std::string_view name : kThatCount)
      if (entry.name == name) all.text(entry.get(options));
  folder->begin(all.result());
}

}  // namespace quantiplan
