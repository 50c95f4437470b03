// Initial states that behave alike, by the partition that reductions use.
#include <numeric>

#include "base/limits.hpp"
#include "quantiplan/error.hpp"
#include "quantiplan/model_checkers.hpp"
#include "reduce/partition.hpp"

namespace quantiplan {
namespace {

constexpr std::uint64_t kMostSweeps = 64;

std::optional<Partition> partition_from(const Model& model,
                                        const std::vector<State>& starts,
                                        Setting setting,
                                        const Options& options,
                                        std::vector<std::uint32_t>& slot_of) {
  setting.initial = InitialNames(std::string(model.state_name(starts.front())));
  ResolvedSetting resolved = resolve(model, setting);
  std::vector<InitialStates::Drawn> drawn;
  const Rational each(1, static_cast<unsigned long>(starts.size()));
  for (const State s : starts) drawn.push_back({s, each});
  resolved.initial = InitialStates(std::move(drawn));
  Limits limits(options);
  auto moves = Moves::lay_out(model, resolved, limits);
  if (!moves) return std::nullopt;
  slot_of = moves->slot_of;
  return coarsest_partition(
      *moves, kMostSweeps * (moves->graph.next.size() + moves->slots()), limits);
}

}  // namespace

std::vector<std::size_t> alike_starts(const Model& model,
                                      const std::vector<State>& starts,
                                      const Setting& setting,
                                      const Options& options) {
  std::vector<std::size_t> first(starts.size());
  std::iota(first.begin(), first.end(), std::size_t{0});
  const bool is_sum = model.wealth().is_sum() && !setting.structure;
  if (starts.size() < 2 || options.reduce == Reduce::none || !is_sum) return first;
  std::vector<std::uint32_t> slot_of;
  std::optional<Partition> partition;
  try {
    partition = partition_from(model, starts, setting, options, slot_of);
  } catch (const Error& error) {
    if (error.code() != ErrorCode::refused) throw;  // no room: each is asked
  }
  if (!partition) return first;
  constexpr std::size_t kNone = ~std::size_t{0};
  std::vector<std::size_t> of_block(partition->blocks, kNone);
  for (std::size_t i = 0; i < starts.size(); ++i) {
    std::size_t& known = of_block[partition->block_of[slot_of[index(starts[i])]]];
    if (known == kNone) known = i;
    first[i] = known;
  }
  return first;
}

}  // namespace quantiplan
