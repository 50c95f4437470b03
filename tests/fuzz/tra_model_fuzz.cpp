// A .tra and the files beside it in one input: each begins behind a line "%lab", "%sta", "%srew" or
// "%trew"; what stands before the first of them is the .tra.
#include <cstddef>
#include <cstdint>

#include "io/text/checked_text.hpp"
#include "model_round_trip.hpp"

namespace quantiplan {
namespace {

std::string_view take_part(std::string_view& text) {
  const std::size_t end = std::min(text.find("\n%"), text.size());
  const std::string_view part = text.substr(0, end);
  text.remove_prefix(std::min(end + 2, text.size()));
  return part;
}

void add_part(std::string_view part, TraCompanions& beside) {
  const std::size_t end = std::min(part.find('\n'), part.size());
  const std::string_view name = part.substr(0, end);
  NamedText file{"fuzz." + std::string(name),
                 std::string(part.substr(std::min(end + 1, part.size())))};
  if (name == "lab") beside.labels = std::move(file);
  if (name == "sta") beside.states = std::move(file);
  if (name == "srew") beside.rewards.push_back({std::move(file), std::nullopt});
  if (name == "trew") {
    if (beside.rewards.empty()) beside.rewards.emplace_back();
    beside.rewards.back().of_transitions = std::move(file);
  }
}

Model read_parts(std::string_view text) {
  std::string_view transitions = take_part(text);
  TraCompanions beside;
  while (!text.empty()) add_part(take_part(text), beside);
  if (check_text(transitions)) throw Error(ErrorCode::bad_model, "fuzz", "no text");
  ModelBuilder builder("fuzz.tra");
  read_tra_model(transitions, "fuzz.tra", beside, {}, builder);
  return builder.build();
}

}  // namespace
}  // namespace quantiplan

// NOLINTNEXTLINE(readability-identifier-naming): libFuzzer calls it so
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  quantiplan::check_model([&] { return quantiplan::read_parts(text); });
  return 0;
}
