#include "model_output.hpp"

#include <fmt/format.h>

#include <filesystem>

#include "console.hpp"
#include "quantiplan/error.hpp"

namespace quantiplan::cli {
namespace {

std::optional<Format> format_named(const std::string& name) {
  if (name == "json") return Format::json;
  if (name == "csv") return Format::csv;
  return std::nullopt;
}

}  // namespace

Format model_format(const std::string& path,
                    const std::optional<std::string>& to,
                    const char* flag) {
  if (to) {
    if (const auto named = format_named(*to)) return *named;
    throw Error(
        ErrorCode::bad_request, "--to", fmt::format("found '{}', expected json or csv", *to));
  }
  const std::string ending = std::filesystem::path(path).extension().string();
  if (!ending.empty())
    if (const auto named = format_named(ending.substr(1))) return *named;
  throw Error(ErrorCode::bad_request,
              flag,
              fmt::format("found '{}', expected a name ending in .json or .csv, or --to", path));
}

void write_model_as(const Model& model, Format format, const std::string& path, bool quiet) {
  std::vector<std::string> lost;
  const std::string text = format_model(model, format, &lost);
  if (path == "-") {
    print(text);
  } else {
    write_text(path, text);
  }
  if (!quiet && !lost.empty())
    print_notices({fmt::format("{}: CSV has no place for {}", path, fmt::join(lost, ", "))});
}

}  // namespace quantiplan::cli
