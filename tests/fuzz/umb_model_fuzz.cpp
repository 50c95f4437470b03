// An archive as it is, plain or compressed; or, where the input begins with '{', its files one behind
// the other: index.json first, then each behind a line "%PATH", so that no checksum has to be guessed.
#include <cstddef>
#include <cstdint>

#include "io/umb/tar_archive.hpp"
#include "model_round_trip.hpp"

namespace quantiplan {
namespace {

std::string archive_of(std::string_view text) {
  TarWriter tar;
  std::string path = "index.json";
  for (bool is_last = false; !is_last;) {
    const std::size_t end = text.find("\n%");
    is_last = end == std::string_view::npos;
    tar.add(path.substr(0, 100), text.substr(0, end));
    if (is_last) break;
    text.remove_prefix(end + 2);
    const std::size_t line = std::min(text.find('\n'), text.size());
    path = text.substr(0, line);
    text.remove_prefix(std::min(line + 1, text.size()));
  }
  return tar.take();
}

}  // namespace
}  // namespace quantiplan

// NOLINTNEXTLINE(readability-identifier-naming): libFuzzer calls it so
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  if (bytes.starts_with('{')) {
    const std::string archive = quantiplan::archive_of(bytes);
    quantiplan::check_model_text(archive, quantiplan::Format::umb);
  } else {
    quantiplan::check_model_text(bytes, quantiplan::Format::umb);
  }
  return 0;
}
