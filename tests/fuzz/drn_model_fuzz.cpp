#include <cstddef>
#include <cstdint>

#include "model_round_trip.hpp"

// NOLINTNEXTLINE(readability-identifier-naming): libFuzzer calls it so
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  quantiplan::check_model_text({reinterpret_cast<const char*>(data), size},
                               quantiplan::Format::drn);
  return 0;
}
