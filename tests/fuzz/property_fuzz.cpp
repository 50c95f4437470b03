// Questions of the model checkers: refused, or read to the same again from the text that is kept.
#include <cstddef>
#include <cstdint>

#include "agree.hpp"
#include "quantiplan/error.hpp"
#include "quantiplan/model_checkers.hpp"

// NOLINTNEXTLINE(readability-identifier-naming): libFuzzer calls it so
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using quantiplan::Property;
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  try {
    for (const Property& property : quantiplan::parse_properties(text, "fuzz").properties) {
      const Property again = quantiplan::parse_properties(property.text, "again").properties.at(0);
      must_agree(property.goal, again.goal, "the goal of a property");
      must_agree(property.bound, again.bound, "the bound of a property");
    }
  } catch (const quantiplan::Error& error) {
    if (error.problems().empty()) std::abort();
  }
  return 0;
}
