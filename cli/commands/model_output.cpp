#include "commands/model_output.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "console/console.hpp"
#include "quantiplan/error.hpp"
#include "quantiplan/visible.hpp"

namespace quantiplan::cli {
namespace {

std::optional<Format> format_named(std::string_view name) {
  const auto found = std::ranges::find(model_formats(), name, &FormatInfo::name);
  if (found == model_formats().end()) return std::nullopt;
  return found->format;
}

}  // namespace

Format model_format(const std::string& path,
                    const std::optional<std::string>& to,
                    const char* flag) {
  if (to) {
    if (const auto named = format_named(*to)) return *named;
    throw Error(
        ErrorCode::bad_request,
        "--to",
        fmt::format("found '{}', expected {}", visible(*to), format_names("", ", ", " or ")));
  }
  const std::string ending = std::filesystem::path(path).extension().string();
  if (!ending.empty())
    if (const auto named = format_named(ending.substr(1))) return *named;
  throw Error(ErrorCode::bad_request,
              flag,
              fmt::format("found '{}', expected a name ending in {}, or --to",
                          visible(path),
                          format_names(".", ", ", " or ")));
}

void require_model_writable(const std::string& path,
                            Format format,
                            const char* flag,
                            const std::vector<InputFile>& inputs) {
  std::vector<InputFile> taken = inputs;
  for (const std::string& each : files_written(path, format)) {
    require_writable(each, flag, taken);
    taken.push_back({"another file of the same model", each});
  }
}

void write_model_as(
    const Model& model, Format format, const std::string& path, bool quiet, const Options& limits) {
  std::vector<std::string> lost;
  if (path == "-") {
    print(format_model(model, format, &lost, limits));
  } else {
    const OutputGuard guard;
    write_model(model, path, format, &lost, limits);
  }
  const std::string_view title =
      std::ranges::find(model_formats(), format, &FormatInfo::format)->title;
  if (!quiet && !lost.empty())
    print_notices({fmt::format("{}: {} has no place for {}", path, title, fmt::join(lost, ", "))});
}

}  // namespace quantiplan::cli
