// Utilities: a table from any text, or a family by its name; what is read keeps its own promises.
#include <cstddef>
#include <cstdint>
#include <cstdlib>

#include "agree.hpp"
#include "quantiplan/error.hpp"
#include "quantiplan/utility.hpp"

namespace quantiplan {
namespace {

void check_utility(const Utility& utility) {
  for (const Rational& x : {Rational(-3), Rational(0), Rational(1, 3), Rational(1000)}) {
    const Utility::Bounds bounds = utility.enclose(x);
    if (!(bounds.lower <= bounds.upper)) std::abort();
    if (!utility.is_monotone()) continue;
    if (utility.enclose(x + 1).upper < bounds.lower) std::abort();
  }
  for (const Utility::Point& point : utility.points()) {
    const Utility::Bounds bounds = utility.enclose(point.x);
    if (!(bounds.lower <= bounds.upper)) std::abort();
  }
}

template <class Read>
void check_read(const Read& read) {
  try {
    check_utility(read());
  } catch (const Error&) {
  }
}

}  // namespace
}  // namespace quantiplan

// NOLINTNEXTLINE(readability-identifier-naming): libFuzzer calls it so
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string text(reinterpret_cast<const char*>(data), size);
  quantiplan::check_read([&] { return quantiplan::parse_utility_table(text, "fuzz"); });
  quantiplan::check_read([&] {
    const quantiplan::Utility utility = quantiplan::parse_utility(text);
    const std::string written = to_text(utility);
    must_agree(written, to_text(quantiplan::parse_utility(written)), "utility written twice");
    return utility;
  });
  return 0;
}
