#include "io/format_of.hpp"

#include <algorithm>
#include <array>

#include "io/text/field_lines.hpp"
#include "io/text/watched_text.hpp"

namespace quantiplan {
namespace {

// Words with which a PRISM program may begin; those of models that are refused are among them, so
// that they are refused by name.
constexpr std::array<std::string_view, 25> kProgramWords{
    "mdp",        "dtmc",   "ctmc",    "pta",      "pomdp",  "popta",         "smg",
    "csg",        "tsg",    "stpg",    "imdp",     "idtmc",  "probabilistic", "nondeterministic",
    "stochastic", "const",  "formula", "label",    "global", "module",        "rewards",
    "init",       "system", "player",  "invariant"};

char lower(char c) { return static_cast<char>(c >= 'A' && c <= 'Z' ? c - 'A' + 'a' : c); }

std::string_view first_word(std::string_view line) {
  const auto end = std::find_if_not(line.begin(), line.end(), [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
  });
  return line.substr(0, static_cast<std::size_t>(end - line.begin()));
}

// The next line that is not blank.
std::string_view take_filled_line(std::string_view& text) {
  std::string_view line;
  while (line.empty() && !text.empty()) line = without_blanks(take_line(text));
  return line;
}

bool is_counts(std::string_view line) {
  FieldLines fields(line);
  if (!fields.next() || fields.fields().size() < 2 || fields.fields().size() > 4) return false;
  return std::all_of(fields.fields().begin(), fields.fields().end(), [](std::string_view field) {
    return whole_number(field).has_value();
  });
}

}  // namespace

std::optional<Format> format_of_ending(const std::string& path) {
  const auto ends_in = [&](std::string_view ending) {
    return path.size() >= ending.size() &&
           std::equal(ending.rbegin(), ending.rend(), path.rbegin(), [](char a, char b) {
             return a == lower(b);
           });
  };
  for (const FormatInfo& each : model_formats()) {
    if (std::ranges::any_of(each.endings, ends_in)) return each.format;
  }
  return std::nullopt;
}

Format format_of_text(std::string_view text) {
  if (is_archive(text)) return Format::umb;
  if (text.starts_with("\xEF\xBB\xBF")) text.remove_prefix(3);
  std::string_view line = take_filled_line(text);
  const bool has_comment = line.starts_with("//");
  while (line.starts_with("//")) line = take_filled_line(text);
  if (line.starts_with('@')) return Format::drn;
  if (has_comment) return Format::prism;
  if (line.starts_with('{') || line.starts_with('[')) {
    const bool is_jani =
        (std::string(line) + std::string(text.substr(0, 4096))).find("\"jani-version\"") !=
        std::string::npos;
    return is_jani ? Format::jani : Format::json;
  }
  if (line.starts_with('#') || is_counts(line)) return Format::tra;
  const std::string_view word = first_word(line);
  if (std::find(kProgramWords.begin(), kProgramWords.end(), word) == kProgramWords.end())
    return Format::csv;
  // Storm's .tra begins with the kind of the model alone, and rows of numbers.
  const std::string_view next = take_filled_line(text);
  const bool is_tra = word == line && !next.empty() && next[0] >= '0' && next[0] <= '9';
  return is_tra ? Format::tra : Format::prism;
}

}  // namespace quantiplan
