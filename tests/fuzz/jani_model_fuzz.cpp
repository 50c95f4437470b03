#include <cstddef>
#include <cstdint>

#include "model_round_trip.hpp"

// NOLINTNEXTLINE(readability-identifier-naming): libFuzzer calls it so
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  quantiplan::check_model([&] {
    quantiplan::ReadOptions options;
    options.memory_limit_bytes = std::uint64_t{256} << 20U;
    options.time_limit_seconds = 5;
    return quantiplan::parse_model(text, quantiplan::Format::jani, "fuzz", options).model;
  });
  return 0;
}
