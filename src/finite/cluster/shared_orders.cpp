#include "finite/cluster/shared_orders.hpp"

#include <limits>

#include "base/parallel.hpp"
#include "finite/cluster/byte_strings.hpp"
#include "finite/shared_layer.hpp"

namespace quantiplan {
namespace {

constexpr std::size_t kMostChoices = std::numeric_limits<std::uint16_t>::max();

}  // namespace

SharedOrders::SharedOrders(const PassInput<double>& input, const Arithmetics<double>& numbers)
    : input_(input), numbers_(numbers), may_be_(input.record_decisions) {
  const Model& model = input.stages.model();
  for (std::size_t s = 0; may_be_ && s < model.state_count(); ++s)
    may_be_ = model.choices(State{static_cast<std::uint32_t>(s)}).size() <= kMostChoices;
}

std::uint64_t SharedOrders::bytes() const noexcept {
  return !may_be_ ? 0
                  : sizeof(std::uint16_t) * input_.stages.model().choice_count() +
                        sizeof(std::uint64_t) * input_.stages.model().state_count();
}

void SharedOrders::find(std::uint64_t time,
                        std::uint32_t rank,
                        std::uint32_t ranks,
                        const Limits& limits) {
  orders_.time = ChoiceOrders::kOfNoTime;
  if (!may_be_ || !pays_to_share(input_.stages, time)) return;
  const Model& model = input_.stages.model();
  const Layer& layer = input_.stages.layer(time);
  orders_.begin.assign(1, 0);
  for (std::size_t slot = 0; slot < layer.size(); ++slot)
    orders_.begin.push_back(orders_.begin.back() + model.choices(layer.state(slot)).size());
  orders_.what.resize(orders_.begin.back());
  orders_.time = time;
  const SlotPart own = part_of(rank, ranks, layer.size());
  const auto body = [&](unsigned, std::size_t begin, std::size_t end) {
    std::vector<Choice> order;
    for (std::size_t slot = own.begin + begin; slot < own.begin + end; ++slot) {
      if (limits.ended()) return;
      const ChoiceRange choices = model.choices(layer.state(slot));
      if (choices.empty()) continue;
      order_choices(input_, numbers_, time, slot, order);
      std::uint16_t* at = orders_.what.data() + orders_.begin[slot];
      for (const Choice c : order)
        *at++ = static_cast<std::uint16_t>(index(c) - index(choices.front()));
    }
  };
  parallel_for(limits.threads(), own.end - own.begin, 256, body);
}

std::span<std::uint16_t> SharedOrders::part(std::uint32_t rank, std::uint32_t ranks) {
  const SlotPart slots = part_of(rank, ranks, orders_.begin.size() - 1);
  return std::span(orders_.what)
      .subspan(orders_.begin[slots.begin], orders_.begin[slots.end] - orders_.begin[slots.begin]);
}

void SharedOrders::put(std::uint32_t rank, std::uint32_t ranks, std::vector<std::byte>& out) {
  if (orders_.time != ChoiceOrders::kOfNoTime) put_all<std::uint16_t>(out, part(rank, ranks));
}

void SharedOrders::take(std::uint32_t rank,
                        std::uint32_t ranks,
                        std::span<const std::byte>& message) {
  if (orders_.time == ChoiceOrders::kOfNoTime) return;
  const std::span<std::uint16_t> into = part(rank, ranks);
  ByteReader reader(message);
  reader.get_all(into);
  message = message.subspan(into.size_bytes());
}

}  // namespace quantiplan
