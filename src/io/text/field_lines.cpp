#include "io/text/field_lines.hpp"

#include <algorithm>

#include "base/whole_text.hpp"

namespace quantiplan {
namespace {

constexpr std::string_view kBlank = " \t\r";
constexpr std::size_t kMostComments = 16;

}  // namespace

std::string_view without_blanks(std::string_view text) {
  const std::size_t begin = text.find_first_not_of(kBlank);
  if (begin == std::string_view::npos) return {};
  return text.substr(begin, text.find_last_not_of(kBlank) - begin + 1);
}

std::string_view take_line(std::string_view& text) {
  const std::size_t end = std::min(text.find('\n'), text.size());
  const std::string_view line = text.substr(0, end);
  text.remove_prefix(std::min(end + 1, text.size()));
  return line;
}

std::string lower_case(std::string_view text) {
  std::string out(text);
  for (char& c : out) c = static_cast<char>(c >= 'A' && c <= 'Z' ? c - 'A' + 'a' : c);
  return out;
}

std::optional<std::uint64_t> whole_number(std::string_view text) {
  const auto value = number_in<std::uint64_t>(text);
  return value && *value >> 63U == 0 ? value : std::nullopt;
}

bool FieldLines::next() {
  comments_.clear();
  while (!rest_.empty()) {
    whole_ = without_blanks(take_line(rest_));
    ++line_;
    if (whole_.empty()) continue;
    if (whole_[0] != '#') {
      split();
      return true;
    }
    if (comments_.size() < kMostComments) comments_.push_back(without_blanks(whole_.substr(1)));
  }
  fields_.clear();
  return false;
}

void FieldLines::split() {
  fields_.clear();
  for (std::string_view left = whole_; !left.empty();) {
    const std::size_t end = std::min(left.find_first_of(kBlank), left.size());
    fields_.push_back(left.substr(0, end));
    left.remove_prefix(end);
    left.remove_prefix(std::min(left.find_first_not_of(kBlank), left.size()));
  }
}

}  // namespace quantiplan
