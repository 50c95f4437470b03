#include "io/text/checked_text.hpp"

#include <algorithm>
#include <cstring>

#include "base/quoted.hpp"

namespace quantiplan {
namespace {

// Eight bytes at a time while all are ASCII and none is NUL: nearly all of nearly every file.
std::size_t plain_prefix(std::string_view text) noexcept {
  constexpr std::uint64_t kHigh = 0x8080808080808080U;
  constexpr std::uint64_t kOnes = 0x0101010101010101U;
  std::size_t at = 0;
  for (; at + 8 <= text.size(); at += 8) {
    std::uint64_t word = 0;
    std::memcpy(&word, text.data() + at, 8);
    if (((word | (word - kOnes)) & kHigh) != 0) break;
  }
  return at;
}

std::uint64_t line_of(std::string_view text, std::size_t position) {
  return 1 + static_cast<std::uint64_t>(std::count(
                 text.begin(), text.begin() + static_cast<std::ptrdiff_t>(position), '\n'));
}

}  // namespace

std::optional<TextFault> check_text(std::string_view& text) {
  if (text.starts_with("\xEF\xBB\xBF")) text.remove_prefix(3);
  for (std::size_t at = 0; at < text.size();) {
    at += plain_prefix(text.substr(at));
    // The plain run is over, or fewer than eight bytes are left: go on by single characters.
    for (int step = 0; step < 8 && at < text.size(); ++step) {
      const std::size_t length = utf8_length(text.substr(at));
      if (length == 0) {
        return TextFault{
            line_of(text, at),
            "found the byte " + in_quotes(text.substr(at, 1)) + ", must be UTF-8 text"};
      }
      if (text[at] == '\0') return TextFault{line_of(text, at), "found a NUL byte, must be text"};
      at += length;
    }
  }
  return std::nullopt;
}

}  // namespace quantiplan
