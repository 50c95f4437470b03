#include "finite/checkpoint/pass_digest.hpp"

#include "base/digest.hpp"

namespace quantiplan {
namespace {

void add_scale(const Stages& stages, Digest& all) {
  const WealthScale& scale = stages.scale();
  all.text(to_text(scale.unit())).value(scale.rounding()).value(stages.horizon());
  for (std::uint64_t t = 0; t < stages.horizon(); ++t) all.value(scale.shift_after(t));
  for (const NumberId reward : stages.rewards().distinct) {
    all.value(scale.key(0, reward));
    if (stages.horizon() > 0) all.value(scale.key(stages.horizon() - 1, reward));
  }
}

void add_filter(const PassInput<double>& input, std::uint64_t t, std::size_t slot, Digest& all) {
  if (input.filter.is_open()) return;
  for (const Choice c : input.stages.model().choices(input.stages.layer(t).state(slot)))
    all.value(input.filter.allows(t, slot, c));
}

}  // namespace

std::uint64_t pass_digest(const PassInput<double>& input) {
  Digest all;
  add_scale(input.stages, all);
  all.value(input.record_decisions).value(input.representation).value(input.share_rows);
  all.value(input.drop).value(input.probability_levels).value(input.needs != nullptr);
  all.value(input.filter.is_open()).value(input.record != nullptr);
  for (std::uint64_t t = 0; t < input.stages.horizon(); ++t) {
    const Layer& layer = input.stages.layer(t);
    all.value(layer.size());
    if (input.record != nullptr) all.value(input.record->wants(t));
    for (std::size_t slot = 0; slot < layer.size(); ++slot) {
      const Window& w = input.windows.at(t, slot);
      all.value(layer.state(slot)).value(w.sure).value(w.possible).value(w.least);
      add_filter(input, t, slot, all);
      if (input.needs == nullptr) continue;
      const Interval& need = input.needs->at(t, slot);
      all.value(need.above).value(need.upto);
    }
  }
  return all.result();
}

}  // namespace quantiplan
