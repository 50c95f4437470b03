#include "console/colours.hpp"

#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <utility>

#include "launch.hpp"

namespace quantiplan::cli {
namespace {

using namespace std::string_view_literals;

constexpr std::string_view kBold = "\033[1m";
constexpr std::string_view kDim = "\033[2m";
constexpr std::string_view kRed = "\033[31m";
constexpr std::string_view kGreen = "\033[32m";
constexpr std::string_view kYellow = "\033[33m";
constexpr std::string_view kCyan = "\033[36m";
constexpr std::string_view kPlain = "\033[0m";

// Words that say how sure an answer is.
constexpr std::array kVerdicts{std::pair{"(exact)"sv, kGreen},
                               std::pair{"(bracket)"sv, kYellow},
                               std::pair{"(tie)"sv, kYellow},
                               std::pair{"(none)"sv, kRed},
                               std::pair{"check: passed"sv, kGreen},
                               std::pair{"check: FAILED"sv, kRed}};
constexpr std::array kFootings{"Engine: "sv, "Why: "sv, "Left out: "sv, "Work: "sv};

std::string in_colour(std::string_view colour, std::string_view text) {
  return std::string(colour).append(text).append(kPlain);
}

// Block characters are U+2581 to U+258F: three bytes, of which the first two are the same.
std::string with_bars(std::string_view line) {
  constexpr std::string_view kBlock = "\xe2\x96";
  std::string out;
  bool is_bar = false;
  for (std::size_t i = 0; i < line.size();) {
    const bool is_block = line.substr(i).starts_with(kBlock) && i + 2 < line.size() &&
                          static_cast<unsigned char>(line[i + 2]) <= 0x8f;
    if (is_block != is_bar) out += is_block ? kCyan : kPlain;
    is_bar = is_block;
    const std::size_t length = is_block ? 3 : 1;
    out += line.substr(i, length);
    i += length;
  }
  if (is_bar) out += kPlain;
  return out;
}

std::string coloured_line(std::string_view line) {
  for (const auto& [words, colour] : kVerdicts) {
    const std::size_t at = line.find(words);
    if (at == std::string_view::npos) continue;
    return in_colour(kBold, line.substr(0, at)) + in_colour(colour, words) +
           std::string(line.substr(at + words.size()));
  }
  return with_bars(line);
}

}  // namespace

bool has_colours(int descriptor) {
  const char* const wanted = std::getenv("NO_COLOR");
  const char* const terminal = std::getenv("TERM");
  const bool is_dumb = terminal == nullptr || terminal == "dumb"sv;
  return isatty(descriptor) == 1 && !Launch::is_launched() &&
         (wanted == nullptr || *wanted == '\0') && !is_dumb;
}

std::string coloured_report(std::string_view text) {
  std::string out;
  bool is_footing = false;
  bool is_first = true;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    const std::string_view line = text.substr(0, end);
    text.remove_prefix(std::min(end + 1, text.size()));
    bool begins = false;
    for (const std::string_view word : kFootings) begins = begins || line.starts_with(word);
    // Their sentences go on below, indented.
    is_footing = begins || (is_footing && line.starts_with("     "));
    if (line.empty()) {
      out += '\n';
      continue;
    }
    out += is_footing ? in_colour(kDim, line)
           : is_first ? in_colour(kBold, line)
                      : coloured_line(line);
    out += '\n';
    is_first = false;
  }
  return out;
}

std::string coloured_message(std::string_view line) {
  const std::size_t colon = line.find(':');
  if (colon == std::string_view::npos) return std::string(line);
  const std::string_view colour = line.starts_with("notice:") ? kYellow : kRed;
  return std::string(kBold) + in_colour(colour, line.substr(0, colon + 1)) +
         std::string(line.substr(colon + 1));
}

}  // namespace quantiplan::cli
