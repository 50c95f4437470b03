#include "finite/device/device_model.hpp"

#include <algorithm>

#include "base/team.hpp"

namespace quantiplan {
namespace {

// Few enough that the pages they pass through are used again: fresh ones cost more than the copying.
constexpr std::size_t kOutcomesAtOnce = std::size_t{1} << 18U;

const Outcome* outcomes_of(const Model& model) {
  return model.choice_count() == 0 ? nullptr : model.outcomes(Choice{0}).data();
}

}  // namespace

DeviceModel::DeviceModel(Accelerator& machine, const Stages& stages, unsigned threads)
    : machine_(machine),
      model_(stages.model()),
      rows_(&stages.rows()),
      choice_begin_(machine),
      outcome_begin_(machine),
      outcomes_(machine),
      row_of_choice_(machine) {
  std::vector<std::uint32_t> choice_begin{0};
  choice_begin.reserve(model_.state_count() + 1);
  for (std::size_t s = 0; s < model_.state_count(); ++s) {
    const std::size_t count = model_.choice_count(State{static_cast<std::uint32_t>(s)});
    choice_begin.push_back(choice_begin.back() + static_cast<std::uint32_t>(count));
  }
  choice_begin_.put(choice_begin);
  std::vector<std::uint64_t> outcome_begin{0};
  outcome_begin.reserve(model_.choice_count() + 1);
  for (std::size_t c = 0; c < model_.choice_count(); ++c)
    outcome_begin.push_back(outcome_begin.back() +
                            model_.outcomes(Choice{static_cast<std::uint32_t>(c)}).size());
  outcome_begin_.put(outcome_begin);
  if (stages.rows().size() > 0) {
    std::vector<std::uint32_t> row_of_choice(model_.choice_count());
    for (std::size_t c = 0; c < row_of_choice.size(); ++c)
      row_of_choice[c] = stages.rows().row(Choice{static_cast<std::uint32_t>(c)});
    row_of_choice_.put(row_of_choice);
  }
  put_outcomes(stages, threads);
}

void DeviceModel::put_outcomes(const Stages& stages, unsigned threads) {
  const std::vector<NumberId>& met = stages.rewards().distinct;
  rewards_.assign(1, NumberId{});
  rewards_.insert(rewards_.end(), met.begin(), met.end());
  std::vector<std::uint32_t> position(model_.rewards().size(), 0);
  for (std::size_t i = 0; i < met.size(); ++i)
    position[static_cast<std::size_t>(met[i])] = static_cast<std::uint32_t>(i + 1);
  const std::size_t count = model_.outcome_count();
  const Outcome* from = outcomes_of(model_);
  outcomes_.require(count);
  std::vector<device::ModelOutcome> part(std::min(count, kOutcomesAtOnce));
  Team team(count < kOutcomesAtOnce / 8 ? 1 : threads);
  for (std::size_t first = 0; first < count; first += part.size()) {
    const std::size_t size = std::min(part.size(), count - first);
    team.run(size, 1U << 13U, [&](unsigned, std::size_t begin, std::size_t end) {
      for (std::size_t i = begin; i < end; ++i) {
        const Outcome& o = from[first + i];
        part[i] = {model_.probabilities().nearest(o.probability),
                   static_cast<std::uint32_t>(o.next),
                   position[static_cast<std::size_t>(o.reward)]};
      }
    });
    machine_.copy_in(outcomes_.data() + first, part.data(), sizeof(device::ModelOutcome) * size);
  }
}

bool DeviceModel::is_of(const Stages& stages) const noexcept {
  return outcomes_of(stages.model()) == outcomes_of(model_) && &stages.rows() == rows_ &&
         stages.rewards().distinct.size() + 1 == rewards_.size();
}

device::ModelArrays DeviceModel::arrays() const noexcept {
  return {choice_begin_.data(),
          reinterpret_cast<const device::u64*>(outcome_begin_.data()),
          outcomes_.data(),
          row_of_choice_.data()};
}

void DeviceSlots::put(const Layer& layer, std::size_t state_count) {
  std::vector<std::uint32_t> slots(state_count, device::kNobody);
  for (std::size_t slot = 0; slot < layer.size(); ++slot)
    slots[index(layer.state(slot))] = static_cast<std::uint32_t>(slot);
  slots_.put(slots);
  states_.put(layer.states());
  of_ = &layer;
}

}  // namespace quantiplan
