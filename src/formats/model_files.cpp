// Which format a text has, and the way from a file to a model and back.
#include <algorithm>

#include "checked_text.hpp"
#include "model_formats.hpp"
#include "quoted.hpp"

namespace quantiplan {
namespace {

constexpr std::string_view kBlanks = " \t\r\n";

std::optional<Format> format_of_ending(const std::string& path) {
  const auto ends_with = [&](std::string_view ending) {
    return path.size() >= ending.size() &&
           std::equal(ending.rbegin(), ending.rend(), path.rbegin(), [](char a, char b) {
             return a == (b >= 'A' && b <= 'Z' ? b - 'A' + 'a' : b);
           });
  };
  if (ends_with(".json")) return Format::json;
  if (ends_with(".csv")) return Format::csv;
  return std::nullopt;
}

Format format_of_text(std::string_view text) {
  if (text.starts_with("\xEF\xBB\xBF")) text.remove_prefix(3);
  const std::size_t first = text.find_first_not_of(kBlanks);
  const bool is_json =
      first != std::string_view::npos && (text[first] == '{' || text[first] == '[');
  return is_json ? Format::json : Format::csv;
}

}  // namespace

ReadModel parse_model(std::string_view text, Format format, const std::string& source) {
  ModelBuilder builder(source);
  if (const auto fault = check_text(text)) {
    builder.problem(fault->line, fault->message);
  } else if (text.find_first_not_of(kBlanks) == std::string_view::npos) {
    builder.problem(0,
                    "the text is empty, must be a model: a JSON object, or CSV with the header "
                    "idstatefrom,idaction,idstateto,probability,reward");
  } else if (format == Format::json) {
    if (const auto only = read_json_model(text, builder)) {
      builder = ModelBuilder(source);
      builder.problem(only->line, only->message);
    }
  } else {
    read_csv_model(text, builder);
  }
  Model model = builder.build();
  return {std::move(model), builder.notices()};
}

ReadModel read_model(const std::string& path) {
  const std::string text = read_text(path);
  const Format format = format_of_ending(path).value_or(format_of_text(text));
  return parse_model(text, format, path == "-" ? "standard input" : path);
}

std::string format_model(const Model& model, Format format, std::vector<std::string>* lost) {
  if (lost != nullptr) lost->clear();
  return format == Format::json ? format_json_model(model) : format_csv_model(model, lost);
}

void write_model(const Model& model, const std::string& path, std::vector<std::string>* lost) {
  const auto format = path == "-" ? Format::json : format_of_ending(path);
  if (!format) {
    throw Error(ErrorCode::bad_request, path, "the ending says no format, must be .json or .csv");
  }
  write_text(path, format_model(model, *format, lost));
}

}  // namespace quantiplan
