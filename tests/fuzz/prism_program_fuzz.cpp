// Any text is refused with places, or is a PRISM program whose model survives JSON and whose
// formulas can be read again by themselves.
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "agree.hpp"
#include "io/prism/language/prism_parser.hpp"
#include "quantiplan/error.hpp"
#include "quantiplan/formats.hpp"

namespace quantiplan {
namespace {

void check_refusal(const Error& error) {
  must_agree(error.problems().empty() || error.problems().size() > Problems::kMost ? "no" : "yes",
             "yes",
             "one problem or more, and not too many");
  for (const Problem& problem : error.problems()) {
    if (problem.place.empty()) must_agree("", error.what(), "a problem without a place");
    if (problem.place.starts_with("again"))
      must_agree("", error.what(), "our own output was refused");
  }
}

template <typename Call>
void check(const Call& call) {
  try {
    call();
  } catch (const Error& error) {
    check_refusal(error);
  }
}

void check_syntax(std::string_view text) {
  check([&] { prism::parse_expression(text, "fuzz"); });
  check([&] {
    const prism::Program program = prism::parse(text, "fuzz");
    for (const prism::Formula& formula : program.formulas)
      prism::parse_expression(formula.text, "again");
  });
}

// A few characters can describe more states than there are atoms: whoever explores for so long
// that progress is reported has explored enough.
void check_model(std::string_view text) {
  std::atomic<bool> stop = false;
  ReadOptions options;
  options.memory_limit_bytes = std::uint64_t{64} << 20U;
  options.stop = &stop;
  options.progress = [&](const Progress&) { stop = true; };
  check([&] {
    const Model model = parse_model(text, Format::prism, "fuzz", options).model;
    if (model.choice_count() == 0) return;  // one deadlock, which JSON cannot hold
    const std::string json = format_model(model, Format::json);
    const Model from_json = parse_model(json, Format::json, "again").model;
    must_agree(json, format_model(from_json, Format::json), "JSON written twice");
  });
}

}  // namespace
}  // namespace quantiplan

// NOLINTNEXTLINE(readability-identifier-naming): libFuzzer calls it so
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  quantiplan::check_syntax(text);
  quantiplan::check_model(text);
  return 0;
}
