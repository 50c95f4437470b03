#include "finite/shared_layer.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <span>

#include "base/digest.hpp"
#include "quantiplan/error.hpp"

namespace quantiplan {
namespace {

template <class T>
void put_part(const std::vector<T>& from, const SlotPart& part, std::vector<std::byte>& out) {
  const auto bytes = std::as_bytes(std::span(from).subspan(part.begin, part.end - part.begin));
  out.insert(out.end(), bytes.begin(), bytes.end());
}

template <class T>
const std::byte* get_part(const std::byte* at, const SlotPart& part, std::vector<T>& into) {
  const std::size_t bytes = sizeof(T) * (part.end - part.begin);
  if (bytes > 0) std::memcpy(into.data() + part.begin, at, bytes);
  return at + bytes;
}

}  // namespace

SlotPart part_of(std::uint32_t rank, std::uint32_t ranks, std::size_t slots) noexcept {
  return {slots * rank / ranks, slots * (rank + 1) / ranks};
}

bool pays_to_share(const Stages& stages, std::uint64_t time) noexcept {
  // Some hundred microseconds.
  constexpr double kLeastOutcomes = 1U << 15U;
  const Model& model = stages.model();
  const double of_state = static_cast<double>(model.outcome_count()) /
                          static_cast<double>(std::max<std::size_t>(1, model.state_count()));
  return of_state * static_cast<double>(stages.layer(time).size()) >= kLeastOutcomes;
}

std::uint64_t arrays_digest(const Model& model) {
  Digest all;
  for (std::size_t c = 0; c < model.choice_count(); ++c) {
    const auto outcomes = model.outcomes(Choice{static_cast<std::uint32_t>(c)});
    all.bytes(outcomes.data(), outcomes.size_bytes());
  }
  for (std::size_t i = 0; i < model.probabilities().size(); ++i)
    all.value(model.probabilities().nearest(NumberId{static_cast<std::uint32_t>(i)}));
  return all.result();
}

std::uint64_t stages_digest(const Stages& stages) {
  Digest all;
  all.value(arrays_digest(stages.model())).value(stages.horizon());
  for (std::size_t i = 1; i < stages.model().rewards().size(); ++i)
    for (const std::uint64_t t : {std::uint64_t{0}, stages.horizon() - 1})
      all.value(stages.scale().in_steps(t, NumberId{static_cast<std::uint32_t>(i)}));
  return all.result();
}

bool share_parts(RankGroup& ranks,
                 const Limits& limits,
                 std::uint64_t mark,
                 std::vector<double>& values,
                 std::vector<Choice>& choices) {
  const auto is_over = [&] { return limits.ended(); };
  const SlotPart own = part_of(ranks.rank(), ranks.size(), values.size());
  std::vector<std::byte> message(sizeof mark);
  std::memcpy(message.data(), &mark, sizeof mark);
  put_part(values, own, message);
  put_part(choices, own, message);
  const auto heard = ranks.gather(std::move(message), is_over);
  if (!heard) {
    // Another rank than the first has outgrown its memory, and says so.
    if (ranks.rank() > 0) ranks.give_up();
    return false;
  }
  const std::vector<std::byte>& first = heard->front();
  for (std::uint32_t q = 0; q < ranks.size(); ++q) {
    const SlotPart part = part_of(q, ranks.size(), values.size());
    const std::vector<std::byte>& bytes = (*heard)[q];
    const std::size_t expected =
        sizeof mark + (sizeof(double) + sizeof(Choice)) * (part.end - part.begin);
    if (bytes.size() != expected || std::memcmp(bytes.data(), first.data(), sizeof mark) != 0)
      throw Error(ErrorCode::bad_request,
                  "ranks",
                  fmt::format("rank {} solves another problem than rank 0, expected the same "
                              "model, arguments and version",
                              q));
    if (q == ranks.rank()) continue;
    get_part(get_part(bytes.data() + sizeof mark, part, values), part, choices);
  }
  return true;
}

}  // namespace quantiplan
